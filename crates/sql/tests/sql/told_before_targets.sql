=> create table t1 (id int primary key, x int, y int)
=> create table m14 (id int primary key, n int)
=> create view v14 as select a.id, a.x, b.y from t1 a join t1 b on a.id=b.id
=> create view vg as select id, sum(x) x from t1 group by id
=> create view ve as select id, x+1 x from t1
=> create algorithm=temptable view v24 as select id, n from m14
=> create view vm as select id,n x from m14
=> drop table m14
=> load data infile '/nosuch' into table v14 (id,x,y)
=> load data infile '/nosuch' into table vg (id,x,y)
=> load data infile '/nosuch' into table v24 (id,x,y)
=> load data infile '/nosuch' into table v14
=> load data infile '/nosuch' into table vg
=> load data infile '/nosuch' into table ve
=> load data infile '/nosuch' into table v24
=> load data infile '/nosuch' into table v14 (id,q)
=> load data infile '/nosuch' into table vg (id,q)
=> load data infile '/nosuch' into table ve (id,q)
=> load data infile '/nosuch' into table v24 (id,q)
=> drop view ve
=> create view ve as select id, x+1 x, y from t1
=> create view vd as select id, id as i2, y from t1
=> create view vh as select id, x, 5 z from t1
=> insert into vd values (1,2,3)
=> insert into vd (id,i2) values (1,2)
=> insert into vd (id,id) values (1,2)
=> insert into vd (i2) values (1)
=> insert into vh values (1,2,3)
=> insert into vh (id,x) values (1,2)
=> insert into v14 (id,x) values (11,2)
=> insert into ve (id,y) values (12,2)
=> insert into v14 (id,x) values (1,2) on duplicate key update y=3
=> insert into v14 (id,x) values (1,2,3) on duplicate key update y=3
=> insert into v14 (id,x,y) values (1,2,3) on duplicate key update q=3
=> insert into v14 (id,x) values (1,2) on duplicate key update q=3
=> insert into v14 (id,x,y) values (1,2,3) on duplicate key update x=q
=> insert into v14 (id,x,y) values (1,2,3) returning q
=> insert into v14 (id,x,y) select 1,2,3 returning q
=> insert into v14 (id,x,y) select 1,2,3 on duplicate key update q=3
=> insert into v14 (id,x,y) select 1,2,3 on duplicate key update x=q
=> insert into ve (id,x) select 1,2 on duplicate key update q=3
=> insert into ve (id,x) select 1,2 on duplicate key update x=q
=> insert into ve (id,x) values (1,2) on duplicate key update q=3
=> insert into ve (id,x) values (1,2) on duplicate key update x=q
=> insert into ve (id,x) values (1,2) returning q
=> load data infile '/nosuch' into table v14 (id,x)
=> load data infile '/nosuch' into table v14 (@a) set x=3
=> load data infile '/nosuch' into table ve (id,x)
=> load data infile '/nosuch' into table ve (id,x,@a)
=> load data infile '/nosuch' into table ve (id) set q=3
=> load data infile '/nosuch' into table ve (id) set y=q
=> load data infile '/nosuch' into table ve
=> load data infile '/nosuch' into table t1 (id,q)
=> load data infile '/nosuch' into table t1 (id) set q=3
=> load data infile '/nosuch' into table t1 (id) set x=q
=> select * from t1 order by id
