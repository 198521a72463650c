=> create table a (id int primary key, x int, n int)
=> create table b (id int primary key, y int, n int)
=> insert into a values (1,1,1),(2,2,2)
=> insert into b values (1,10,1),(2,20,2),(5,50,5)
=> create view v as select a.id, a.x, b.y, b.id as bid, a.n from a join b on a.id=b.id
=> create view w as select id, x+1 as e, x, bid from v
=> insert into v (id,x) values (1,5) on duplicate key update x=x+1
=> insert into v (id,x) values (1,5) on duplicate key update x=values(x)
=> select * from a
=> select * from a
=> insert into v (id,x) values (1,5) on duplicate key update x=y
=> select * from a
=> insert into v (id,x) values (1,5) on duplicate key update x=x+y
=> select * from a
=> insert into v (id,x) values (1,5) on duplicate key update y=7
=> select * from b
=> insert into v (id,x) values (1,5) on duplicate key update y=x
=> select * from b
=> insert into v (id,x) values (1,5) on duplicate key update id=id+100
=> select * from a
=> insert into v (bid,y) values (1,5) on duplicate key update y=y+1
=> select * from b
=> insert into v (bid,y) values (1,5) on duplicate key update y=n+1
=> select * from b
=> select * from b
=> insert into v (bid,y) values (1,5) on duplicate key update bid=bid+3
=> select * from b
=> insert into v (bid,y) values (1,5) on duplicate key update x=3
=> select * from a
=> insert into w (id) values (2) on duplicate key update id=id+1
=> select * from a
=> insert into w (id) values (3) on duplicate key update x=e
=> select * from a
=> insert into w (id) values (3) on duplicate key update x=x+bid
=> select * from a
=> insert into w (id) values (3) on duplicate key update bid=9
=> insert into w (bid) values (5) on duplicate key update bid=9
=> select * from b
=> insert into w (bid) values (9) on duplicate key update bid=e
=> select * from b
=> insert into v (id,x) values (1,5) on duplicate key update x=(select max(id) from a)
=> insert into v (id,x) select 1,6 on duplicate key update x=x+1
=> insert into v (id,x) select id,y from b on duplicate key update x=b.y+1
=> insert into v (id,x) select id,y from b on duplicate key update x=v.x+b.y
=> select * from a
=> insert into v (id,x) values (2,5) returning id,x
=> insert into v (id,x) values (12,5) returning id,x
=> replace into v (id,x) values (1,5)
=> replace into v (id,x) values (1,5) returning id, x, n
=> select * from a
=> create view vc as select a.id, a.x, b.y, b.id as bid, a.n from a join b on a.id=b.id where a.x<100 with check option
=> select * from a
=> create view vl as select a.id, a.x, b.y, b.id as bid, a.n from a left join b on a.id=b.id
=> insert into vl (id,x) values (1,5) on duplicate key update x=x+1
=> insert into vl (bid,y) values (1,5) on duplicate key update y=y+1
=> select * from a
=> select * from b
=> create view c3 as select b.n, b.id, b.y from b
=> create view v3 as select a.x, c3.id as cid, c3.y, a.id from a join c3 on a.id=c3.id join b z on z.id=a.id
=> insert into v3 (cid,y) values (2,7),(3,8) on duplicate key update y=y+values(y), cid=cid+10
=> select * from b
=> insert into v3 (cid,y) select id+1,x from a on duplicate key update y=y+values(y)+a.x, cid=cid+100
=> select * from b
=> insert into v3 (cid,y) select a.id+1,a.x from a,b on duplicate key update y=y+values(y)+a.x+b.y, cid=cid+100
=> select * from b
=> insert into v3 (cid,y) values (3,9) on duplicate key update y=y+values(y)+(select count(*)+y from a)
=> select * from b
=> select * from b
=> drop view w
=> drop view v3
=> drop view c3
=> drop view vc
=> drop view vl
=> drop view v
=> drop table a
=> drop table b
