=> drop table if exists t, x, d1
=> set sql_mode=''
=> create table x (id int primary key)
=> insert into x values (1),(2),(3),(4)
=> create table t (id int primary key, d date not null, dt datetime not null, dn date)
=> insert into t values (1,0,0,0),(2,'2001-01-01','2001-01-01',null),(3,0,0,null)
=> create view v as select id from t where d is null
=> create view v2 as select id from t where dt is null
=> create algorithm=temptable view v3 as select id from t where d is null
=> select * from t where d is null
=> select x.id, y.id from x left join t y on x.id=y.id and y.d is null order by 1
=> select x.id, y.id from x left join t y on x.id=y.id and y.dt is null order by 1
=> select x.id, y.id from x left join t y on x.id=y.id where y.d is null order by 1
=> select x.id, y.id from x left join v y on x.id=y.id order by 1
=> select x.id, y.id from x left join v2 y on x.id=y.id order by 1
=> select x.id, y.id from x left join v3 y on x.id=y.id order by 1
=> select x.id, y.id from x left join (select id from t where d is null) y on x.id=y.id order by 1
=> select x.id, y.id from x join v y on x.id=y.id order by 1
=> select x.id, y.id from x left join (x z join v y on z.id=y.id) on x.id=y.id order by 1
=> select x.id, y.id from x left join (x z join t y on z.id=y.id and y.d is null) on x.id=y.id order by 1
=> select x.id, (select count(*) from t y where y.id=x.id and y.d is null) from x order by 1
=> select x.id in (select id from t where d is null) from x order by x.id
=> drop view v
=> drop view v2
=> drop view v3
=> drop table t, x
=> set sql_mode=default
