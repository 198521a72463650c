=> set sql_mode=''
=> create table t (id int primary key, c1 datetime not null, c5 time not null, d date not null, n int)
=> insert into t values (1,0,'10:00:00',0,1),(2,'2020-01-01','20:00:00','2020-01-01',2),(3,0,'20:00:00',0,3)
=> create algorithm=temptable view v1 as select id,c1,d from t
=> create algorithm=temptable view v2 as select id,c1,d from t where c5<='16:00:00' or c1 is not null
=> create algorithm=temptable view v3 as select id,c1,d from t where c5<='16:00:00' or c1 is null
=> create algorithm=temptable view v4 as select id,c1,d from t where c1 is not null
=> create algorithm=temptable view v5 as select id,c1,d from t where c5<='16:00:00'
=> create algorithm=temptable view v6 as select id,c1,d from t where c5<='16:00:00' or id=3
=> create view m2 as select id,c1,d from t where c5<='16:00:00' or c1 is not null
=> select id from v1 where c1 is null
=> select id from v2 where c1 is null
=> select id from v2
=> select id from v3 where c1 is null
=> select id from v3
=> select id from v4 where c1 is null
=> select id from v4
=> select id from v5 where c1 is null
=> select id from v6 where c1 is null
=> select id from m2 where c1 is null
=> select id from m2
=> select id from (select distinct id,c1 from t where c5<='16:00:00' or c1 is not null) q where c1 is null
=> select id from (select id,c1 from t where c5<='16:00:00' or c1 is not null limit 10) q where c1 is null
=> select id from v2 where c1 is null and id>0
=> select id from v2 where c1 is null or id=2
=> select id from v2 where c1 is not null
=> select id from v2 where d is null
=> select id from t where (c5<='16:00:00' or c1 is not null) and c1 is null
=> select id from t where (c5<='16:00:00' or c1 is not null)
=> create view k as select * from t where c1 is null with check option
=> insert into k values (4,0,0,0,4)
=> insert into k values (5,'2020-01-01',0,0,4)
=> insert ignore into k values (6,0,0,0,4)
=> update k set c5='1:00' where id=1
=> update k set n=n+1
=> update k set c1='2020-01-01' where id=1
=> replace into k values (1,0,0,0,4)
=> create view k2 as select * from t where c1 is not null with check option
=> insert into k2 values (7,0,0,0,4)
=> update k2 set n=3
=> insert into k2 values (8,'2020-01-01',0,0,4)
=> create view k3 as select * from t where c1 is null or n=4 with check option
=> insert into k3 values (9,0,0,0,4)
=> insert into k3 values (10,0,0,0,5)
=> update k3 set n=n+1
=> select * from t
=> update k3 set n=10 where id=9
=> create view k4 as select * from k with check option
=> insert into k4 values (11,0,0,0,4)
=> update k4 set n=n+1
=> select * from t
=> drop view k4
=> drop view k3
=> drop view k2
=> drop view k
=> drop view m2
=> drop view v6
=> drop view v5
=> drop view v4
=> drop view v3
=> drop view v2
=> drop view v1
=> drop table t
=> set sql_mode=''
=> create table t (id int primary key, c1 datetime not null, d date not null, n int, u datetime)
=> insert into t values (1,0,0,1,0),(2,'2020-01-01','2020-01-01',2,null),(3,0,0,3,'2020-01-01')
=> create algorithm=temptable view vt as select id,c1,d,u from t
=> create algorithm=temptable view vt2 as select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1
=> create view mv as select id,c1,d,u from vt
=> select id from (select distinct id,c1,d,u from t) q where c1 is null order by id
=> select id from (select distinct id,c1,d,u from t) q where not (c1 is not null) order by id
=> select q.id,z.id from (select distinct id,c1,d,u from t) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select distinct id,c1,d,u from t) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select distinct id,c1,d,u from t) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select distinct id,c1,d,u from t) q order by id
=> select count(*) from (select distinct id,c1,d,u from t) q having max(c1) is null
=> select id from t where id in (select id from (select distinct id,c1,d,u from t) q where c1 is null) order by id
=> select id from (select distinct id,c1,d,u from t) q where c1 is null or id=2 order by id
=> select id from (select distinct id,c1,d,u from t) q where c1<=>null order by id
=> select id from (select distinct id,c1,d,u from t) q where isnull(c1) order by id
=> select id from (select distinct id,c1,d,u from t) q where d is null order by id
=> select id from (select distinct id,c1,d,u from t) q where not (d is not null) order by id
=> select q.id,z.id from (select distinct id,c1,d,u from t) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select distinct id,c1,d,u from t) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select distinct id,c1,d,u from t) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select distinct id,c1,d,u from t) q order by id
=> select count(*) from (select distinct id,c1,d,u from t) q having max(d) is null
=> select id from t where id in (select id from (select distinct id,c1,d,u from t) q where d is null) order by id
=> select id from (select distinct id,c1,d,u from t) q where d is null or id=2 order by id
=> select id from (select distinct id,c1,d,u from t) q where d<=>null order by id
=> select id from (select distinct id,c1,d,u from t) q where isnull(d) order by id
=> select id from (select distinct id,c1,d,u from t) q where u is null order by id
=> select id from (select distinct id,c1,d,u from t) q where not (u is not null) order by id
=> select q.id,z.id from (select distinct id,c1,d,u from t) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select distinct id,c1,d,u from t) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select distinct id,c1,d,u from t) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select distinct id,c1,d,u from t) q order by id
=> select count(*) from (select distinct id,c1,d,u from t) q having max(u) is null
=> select id from t where id in (select id from (select distinct id,c1,d,u from t) q where u is null) order by id
=> select id from (select distinct id,c1,d,u from t) q where u is null or id=2 order by id
=> select id from (select distinct id,c1,d,u from t) q where u<=>null order by id
=> select id from (select distinct id,c1,d,u from t) q where isnull(u) order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where c1 is null order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where not (c1 is not null) order by id
=> select q.id,z.id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q order by id
=> select count(*) from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q having max(c1) is null
=> select id from t where id in (select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where c1 is null) order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where c1 is null or id=2 order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where c1<=>null order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where isnull(c1) order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where d is null order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where not (d is not null) order by id
=> select q.id,z.id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q order by id
=> select count(*) from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q having max(d) is null
=> select id from t where id in (select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where d is null) order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where d is null or id=2 order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where d<=>null order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where isnull(d) order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where u is null order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where not (u is not null) order by id
=> select q.id,z.id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q order by id
=> select count(*) from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q having max(u) is null
=> select id from t where id in (select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where u is null) order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where u is null or id=2 order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where u<=>null order by id
=> select id from (select id,max(c1) c1,max(d) d,max(u) u from t group by id) q where isnull(u) order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where c1 is null order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where not (c1 is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t union select 9,0,0,0) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union select 9,0,0,0) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union select 9,0,0,0) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select id,c1,d,u from t union select 9,0,0,0) q order by id
=> select count(*) from (select id,c1,d,u from t union select 9,0,0,0) q having max(c1) is null
=> select id from t where id in (select id from (select id,c1,d,u from t union select 9,0,0,0) q where c1 is null) order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where c1 is null or id=2 order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where c1<=>null order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where isnull(c1) order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where d is null order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where not (d is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t union select 9,0,0,0) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union select 9,0,0,0) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union select 9,0,0,0) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select id,c1,d,u from t union select 9,0,0,0) q order by id
=> select count(*) from (select id,c1,d,u from t union select 9,0,0,0) q having max(d) is null
=> select id from t where id in (select id from (select id,c1,d,u from t union select 9,0,0,0) q where d is null) order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where d is null or id=2 order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where d<=>null order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where isnull(d) order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where u is null order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where not (u is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t union select 9,0,0,0) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union select 9,0,0,0) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union select 9,0,0,0) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select id,c1,d,u from t union select 9,0,0,0) q order by id
=> select count(*) from (select id,c1,d,u from t union select 9,0,0,0) q having max(u) is null
=> select id from t where id in (select id from (select id,c1,d,u from t union select 9,0,0,0) q where u is null) order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where u is null or id=2 order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where u<=>null order by id
=> select id from (select id,c1,d,u from t union select 9,0,0,0) q where isnull(u) order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where c1 is null order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where not (c1 is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t union all select 9,null,null,null) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union all select 9,null,null,null) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union all select 9,null,null,null) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select id,c1,d,u from t union all select 9,null,null,null) q order by id
=> select count(*) from (select id,c1,d,u from t union all select 9,null,null,null) q having max(c1) is null
=> select id from t where id in (select id from (select id,c1,d,u from t union all select 9,null,null,null) q where c1 is null) order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where c1 is null or id=2 order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where c1<=>null order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where isnull(c1) order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where d is null order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where not (d is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t union all select 9,null,null,null) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union all select 9,null,null,null) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union all select 9,null,null,null) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select id,c1,d,u from t union all select 9,null,null,null) q order by id
=> select count(*) from (select id,c1,d,u from t union all select 9,null,null,null) q having max(d) is null
=> select id from t where id in (select id from (select id,c1,d,u from t union all select 9,null,null,null) q where d is null) order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where d is null or id=2 order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where d<=>null order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where isnull(d) order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where u is null order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where not (u is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t union all select 9,null,null,null) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union all select 9,null,null,null) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t union all select 9,null,null,null) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select id,c1,d,u from t union all select 9,null,null,null) q order by id
=> select count(*) from (select id,c1,d,u from t union all select 9,null,null,null) q having max(u) is null
=> select id from t where id in (select id from (select id,c1,d,u from t union all select 9,null,null,null) q where u is null) order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where u is null or id=2 order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where u<=>null order by id
=> select id from (select id,c1,d,u from t union all select 9,null,null,null) q where isnull(u) order by id
=> select id from (select id,c1,d,u from t limit 5) q where c1 is null order by id
=> select id from (select id,c1,d,u from t limit 5) q where not (c1 is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t limit 5) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t limit 5) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t limit 5) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select id,c1,d,u from t limit 5) q order by id
=> select count(*) from (select id,c1,d,u from t limit 5) q having max(c1) is null
=> select id from t where id in (select id from (select id,c1,d,u from t limit 5) q where c1 is null) order by id
=> select id from (select id,c1,d,u from t limit 5) q where c1 is null or id=2 order by id
=> select id from (select id,c1,d,u from t limit 5) q where c1<=>null order by id
=> select id from (select id,c1,d,u from t limit 5) q where isnull(c1) order by id
=> select id from (select id,c1,d,u from t limit 5) q where d is null order by id
=> select id from (select id,c1,d,u from t limit 5) q where not (d is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t limit 5) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t limit 5) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t limit 5) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select id,c1,d,u from t limit 5) q order by id
=> select count(*) from (select id,c1,d,u from t limit 5) q having max(d) is null
=> select id from t where id in (select id from (select id,c1,d,u from t limit 5) q where d is null) order by id
=> select id from (select id,c1,d,u from t limit 5) q where d is null or id=2 order by id
=> select id from (select id,c1,d,u from t limit 5) q where d<=>null order by id
=> select id from (select id,c1,d,u from t limit 5) q where isnull(d) order by id
=> select id from (select id,c1,d,u from t limit 5) q where u is null order by id
=> select id from (select id,c1,d,u from t limit 5) q where not (u is not null) order by id
=> select q.id,z.id from (select id,c1,d,u from t limit 5) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t limit 5) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1,d,u from t limit 5) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select id,c1,d,u from t limit 5) q order by id
=> select count(*) from (select id,c1,d,u from t limit 5) q having max(u) is null
=> select id from t where id in (select id from (select id,c1,d,u from t limit 5) q where u is null) order by id
=> select id from (select id,c1,d,u from t limit 5) q where u is null or id=2 order by id
=> select id from (select id,c1,d,u from t limit 5) q where u<=>null order by id
=> select id from (select id,c1,d,u from t limit 5) q where isnull(u) order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where c1 is null order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where not (c1 is not null) order by id
=> select q.id,z.id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q order by id
=> select count(*) from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q having max(c1) is null
=> select id from t where id in (select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where c1 is null) order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where c1 is null or id=2 order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where c1<=>null order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where isnull(c1) order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where d is null order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where not (d is not null) order by id
=> select q.id,z.id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q order by id
=> select count(*) from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q having max(d) is null
=> select id from t where id in (select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where d is null) order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where d is null or id=2 order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where d<=>null order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where isnull(d) order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where u is null order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where not (u is not null) order by id
=> select q.id,z.id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q order by id
=> select count(*) from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q having max(u) is null
=> select id from t where id in (select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where u is null) order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where u is null or id=2 order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where u<=>null order by id
=> select id from (select a.id,b.c1,b.d,b.u from t a left join t b on a.id=b.id+1 limit 9) q where isnull(u) order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where c1 is null order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where not (c1 is not null) order by id
=> select q.id,z.id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q order by id
=> select count(*) from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q having max(c1) is null
=> select id from t where id in (select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where c1 is null) order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where c1 is null or id=2 order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where c1<=>null order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where isnull(c1) order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where d is null order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where not (d is not null) order by id
=> select q.id,z.id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q order by id
=> select count(*) from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q having max(d) is null
=> select id from t where id in (select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where d is null) order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where d is null or id=2 order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where d<=>null order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where isnull(d) order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where u is null order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where not (u is not null) order by id
=> select q.id,z.id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q order by id
=> select count(*) from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q having max(u) is null
=> select id from t where id in (select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where u is null) order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where u is null or id=2 order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where u<=>null order by id
=> select id from (select id,ifnull(c1,c1) c1,date(d) d, u from t limit 9) q where isnull(u) order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where c1 is null order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where not (c1 is not null) order by id
=> select q.id,z.id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q order by id
=> select count(*) from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q having max(c1) is null
=> select id from t where id in (select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where c1 is null) order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where c1 is null or id=2 order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where c1<=>null order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where isnull(c1) order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where d is null order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where not (d is not null) order by id
=> select q.id,z.id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q order by id
=> select count(*) from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q having max(d) is null
=> select id from t where id in (select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where d is null) order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where d is null or id=2 order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where d<=>null order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where isnull(d) order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where u is null order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where not (u is not null) order by id
=> select q.id,z.id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q order by id
=> select count(*) from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q having max(u) is null
=> select id from t where id in (select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where u is null) order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where u is null or id=2 order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where u<=>null order by id
=> select id from (select id,c1+interval 0 day c1,d+interval 0 day d, u from t limit 9) q where isnull(u) order by id
=> select id from vt q where c1 is null order by id
=> select id from vt q where not (c1 is not null) order by id
=> select q.id,z.id from vt q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join vt q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join vt q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from vt q order by id
=> select count(*) from vt q having max(c1) is null
=> select id from t where id in (select id from vt q where c1 is null) order by id
=> select id from vt q where c1 is null or id=2 order by id
=> select id from vt q where c1<=>null order by id
=> select id from vt q where isnull(c1) order by id
=> select id from vt q where d is null order by id
=> select id from vt q where not (d is not null) order by id
=> select q.id,z.id from vt q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join vt q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join vt q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from vt q order by id
=> select count(*) from vt q having max(d) is null
=> select id from t where id in (select id from vt q where d is null) order by id
=> select id from vt q where d is null or id=2 order by id
=> select id from vt q where d<=>null order by id
=> select id from vt q where isnull(d) order by id
=> select id from vt q where u is null order by id
=> select id from vt q where not (u is not null) order by id
=> select q.id,z.id from vt q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join vt q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join vt q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from vt q order by id
=> select count(*) from vt q having max(u) is null
=> select id from t where id in (select id from vt q where u is null) order by id
=> select id from vt q where u is null or id=2 order by id
=> select id from vt q where u<=>null order by id
=> select id from vt q where isnull(u) order by id
=> select id from vt2 q where c1 is null order by id
=> select id from vt2 q where not (c1 is not null) order by id
=> select q.id,z.id from vt2 q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join vt2 q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join vt2 q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from vt2 q order by id
=> select count(*) from vt2 q having max(c1) is null
=> select id from t where id in (select id from vt2 q where c1 is null) order by id
=> select id from vt2 q where c1 is null or id=2 order by id
=> select id from vt2 q where c1<=>null order by id
=> select id from vt2 q where isnull(c1) order by id
=> select id from vt2 q where d is null order by id
=> select id from vt2 q where not (d is not null) order by id
=> select q.id,z.id from vt2 q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join vt2 q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join vt2 q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from vt2 q order by id
=> select count(*) from vt2 q having max(d) is null
=> select id from t where id in (select id from vt2 q where d is null) order by id
=> select id from vt2 q where d is null or id=2 order by id
=> select id from vt2 q where d<=>null order by id
=> select id from vt2 q where isnull(d) order by id
=> select id from vt2 q where u is null order by id
=> select id from vt2 q where not (u is not null) order by id
=> select q.id,z.id from vt2 q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join vt2 q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join vt2 q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from vt2 q order by id
=> select count(*) from vt2 q having max(u) is null
=> select id from t where id in (select id from vt2 q where u is null) order by id
=> select id from vt2 q where u is null or id=2 order by id
=> select id from vt2 q where u<=>null order by id
=> select id from vt2 q where isnull(u) order by id
=> select id from mv q where c1 is null order by id
=> select id from mv q where not (c1 is not null) order by id
=> select q.id,z.id from mv q join t z on q.id=z.id where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join mv q on q.id=z.id+1 where q.c1 is null order by 1,2
=> select z.id,q.id from t z left join mv q on q.id=z.id and q.c1 is null order by 1,2
=> select id,c1 is null from mv q order by id
=> select count(*) from mv q having max(c1) is null
=> select id from t where id in (select id from mv q where c1 is null) order by id
=> select id from mv q where c1 is null or id=2 order by id
=> select id from mv q where c1<=>null order by id
=> select id from mv q where isnull(c1) order by id
=> select id from mv q where d is null order by id
=> select id from mv q where not (d is not null) order by id
=> select q.id,z.id from mv q join t z on q.id=z.id where q.d is null order by 1,2
=> select z.id,q.id from t z left join mv q on q.id=z.id+1 where q.d is null order by 1,2
=> select z.id,q.id from t z left join mv q on q.id=z.id and q.d is null order by 1,2
=> select id,d is null from mv q order by id
=> select count(*) from mv q having max(d) is null
=> select id from t where id in (select id from mv q where d is null) order by id
=> select id from mv q where d is null or id=2 order by id
=> select id from mv q where d<=>null order by id
=> select id from mv q where isnull(d) order by id
=> select id from mv q where u is null order by id
=> select id from mv q where not (u is not null) order by id
=> select q.id,z.id from mv q join t z on q.id=z.id where q.u is null order by 1,2
=> select z.id,q.id from t z left join mv q on q.id=z.id+1 where q.u is null order by 1,2
=> select z.id,q.id from t z left join mv q on q.id=z.id and q.u is null order by 1,2
=> select id,u is null from mv q order by id
=> select count(*) from mv q having max(u) is null
=> select id from t where id in (select id from mv q where u is null) order by id
=> select id from mv q where u is null or id=2 order by id
=> select id from mv q where u<=>null order by id
=> select id from mv q where isnull(u) order by id
=> drop view mv
=> drop view vt
=> drop view vt2
=> drop table t
