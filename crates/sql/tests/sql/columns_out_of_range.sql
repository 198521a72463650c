=> create table t1 (id int, c0 bigint unsigned, c1 bigint)
=> insert into t1 values (1,18446744073709551615,9223372036854775807),(2,18446744073709551615,1)
=> create view v as select id, c0, c1 from t1
=> create view v2 as select id, c0 as k, c1+0 as m from t1
=> create view v3 as select * from v2
=> create algorithm=temptable view vt as select id, c0, c1 from t1
=> select v.c0+1 from v
=> select 1 from v where v.c0+1>2
=> select v.c0+1, count(*) from v group by v.id
=> select v.c0+1 from v order by v.id
=> select x.c0+1 from v x
=> select 1 from v x where x.c0+1>2
=> select x.c0+1, count(*) from v x group by x.id
=> select x.c0+1 from v x order by x.id
=> select x.c0+1 from v x left join v y on x.c0=y.c0
=> select 1 from v x left join v y on x.c0=y.c0 where x.c0+1>2
=> select x.c0+1, count(*) from v x left join v y on x.c0=y.c0 group by x.id
=> select x.c0+1 from v x left join v y on x.c0=y.c0 order by x.id
=> select y.c0+1 from v x left join v y on x.c0=y.c0
=> select 1 from v x left join v y on x.c0=y.c0 where y.c0+1>2
=> select y.c0+1, count(*) from v x left join v y on x.c0=y.c0 group by y.id
=> select y.c0+1 from v x left join v y on x.c0=y.c0 order by y.id
=> select x.c0+1 from v x join v y on x.c0=y.c0
=> select 1 from v x join v y on x.c0=y.c0 where x.c0+1>2
=> select x.c0+1, count(*) from v x join v y on x.c0=y.c0 group by x.id
=> select x.c0+1 from v x join v y on x.c0=y.c0 order by x.id
=> select y.c0+1 from v x join v y on x.c0=y.c0
=> select 1 from v x join v y on x.c0=y.c0 where y.c0+1>2
=> select y.c0+1, count(*) from v x join v y on x.c0=y.c0 group by y.id
=> select y.c0+1 from v x join v y on x.c0=y.c0 order by y.id
=> select x.c0+1 from v x join t1 y on x.c0=y.c0
=> select 1 from v x join t1 y on x.c0=y.c0 where x.c0+1>2
=> select x.c0+1, count(*) from v x join t1 y on x.c0=y.c0 group by x.id
=> select x.c0+1 from v x join t1 y on x.c0=y.c0 order by x.id
=> select x.c0+1 from t1 y left join v x on x.id=y.id
=> select 1 from t1 y left join v x on x.id=y.id where x.c0+1>2
=> select x.c0+1, count(*) from t1 y left join v x on x.id=y.id group by x.id
=> select x.c0+1 from t1 y left join v x on x.id=y.id order by x.id
=> select x.c0+1 from t1 x left join t1 y on x.c0=y.c0
=> select 1 from t1 x left join t1 y on x.c0=y.c0 where x.c0+1>2
=> select x.c0+1, count(*) from t1 x left join t1 y on x.c0=y.c0 group by x.id
=> select x.c0+1 from t1 x left join t1 y on x.c0=y.c0 order by x.id
=> select y.c0+1 from t1 x left join t1 y on x.c0=y.c0
=> select y.c0+1, count(*) from t1 x left join t1 y on x.c0=y.c0 group by y.id
=> select y.c0+1 from t1 x left join t1 y on x.c0=y.c0 order by y.id
=> select y.c0+1 from vt x left join vt y on x.c0=y.c0
=> select y.c0+1, count(*) from vt x left join vt y on x.c0=y.c0 group by y.id
=> select y.c0+1 from vt x left join vt y on x.c0=y.c0 order by y.id
=> select x.c0+1 from (select * from t1) x
=> select 1 from (select * from t1) x where x.c0+1>2
=> select x.c0+1, count(*) from (select * from t1) x group by x.id
=> select x.c0+1 from (select * from t1) x order by x.id
=> select x.c0+1 from (select * from t1) x left join t1 y on x.id=y.id
=> select 1 from (select * from t1) x left join t1 y on x.id=y.id where x.c0+1>2
=> select x.c0+1, count(*) from (select * from t1) x left join t1 y on x.id=y.id group by x.id
=> select x.c0+1 from (select * from t1) x left join t1 y on x.id=y.id order by x.id
=> select x.c0+1 from vt x
=> select x.c0+1, count(*) from vt x group by x.id
=> select x.c0+1 from vt x order by x.id
=> select x.c0+1 from v x, v y
=> select 1 from v x, v y where x.c0+1>2
=> select x.c0+1, count(*) from v x, v y group by x.id
=> select x.c0+1 from v x, v y order by x.id
=> select y.c0+1 from v x, v y
=> select 1 from v x, v y where y.c0+1>2
=> select y.c0+1, count(*) from v x, v y group by y.id
=> select y.c0+1 from v x, v y order by y.id
=> select z.c0+1 from v x left join v y on x.id=y.id left join v z on z.id=y.id
=> select 1 from v x left join v y on x.id=y.id left join v z on z.id=y.id where z.c0+1>2
=> select z.c0+1, count(*) from v x left join v y on x.id=y.id left join v z on z.id=y.id group by z.id
=> select z.c0+1 from v x left join v y on x.id=y.id left join v z on z.id=y.id order by z.id
=> select x.c0+1 from v x right join v y on x.id=y.id
=> select 1 from v x right join v y on x.id=y.id where x.c0+1>2
=> select x.c0+1, count(*) from v x right join v y on x.id=y.id group by x.id
=> select x.c0+1 from v x right join v y on x.id=y.id order by x.id
=> select x.k+1 from v2 x
=> select distinct x.k+1 from v2 x
=> select 1 from v2 x where x.k+1 > 3
=> select x.k+1 from v2 x left join v2 y on x.k=y.k
=> select distinct x.k+1 from v2 x left join v2 y on x.k=y.k
=> select 1 from v2 x left join v2 y on x.k=y.k where x.k+1 > 3
=> select y.k+1 from v2 x left join v2 y on x.k=y.k
=> select distinct y.k+1 from v2 x left join v2 y on x.k=y.k
=> select 1 from v2 x left join v2 y on x.k=y.k where y.k+1 > 3
=> select x.k+1 from v3 x
=> select distinct x.k+1 from v3 x
=> select 1 from v3 x where x.k+1 > 3
=> select y.k+1 from v3 x left join v3 y on x.k=y.k
=> select distinct y.k+1 from v3 x left join v3 y on x.k=y.k
=> select 1 from v3 x left join v3 y on x.k=y.k where y.k+1 > 3
=> select x.k+1 from v3 x left join v3 y on x.k=y.k
=> select distinct x.k+1 from v3 x left join v3 y on x.k=y.k
=> select 1 from v3 x left join v3 y on x.k=y.k where x.k+1 > 3
=> drop view v
=> drop view v3
=> drop view v2
=> drop view vt
=> drop table t1
