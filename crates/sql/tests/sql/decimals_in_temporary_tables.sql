=> create table s (a int)
=> insert into s values (1),(3),(3),(8)
=> select * from (select distinct a/7 x from s) q where x = 0.1429
=> select * from (select a/7 x from s) q where x = 0.1429
=> select * from (select a/7 x from s group by a) q where x = 0.1429
=> select * from (select a, avg(a/7) x from s group by a) q where x = 0.1429
=> select * from (select a, avg(a/7) x from s group by a) q where x = 0.14285714
=> select * from (select a/7 x from s limit 10) q where x = 0.1429
=> select * from (select a/7 x from s union select 1) q where x = 0.1429
=> select * from (select a/7 x from s union all select 1) q where x = 0.1429
=> select a/7 x from s group by a having x = 0.1429
=> select a/7 x, count(*) from s group by x having x = 0.1429
=> select distinct a/7 x from s having x=0.1429
=> select sum(a/7) x from s group by a having x=0.1429
=> with c as (select a/7 x from s) select * from c where x=0.1429
=> with c as (select a/7 x from s) select * from c c1 join c c2 on c1.x=c2.x
=> select count(distinct round(x,9)) from (select distinct a/7 x from s) q
=> select x*10000000 from (select distinct a/7 x from s) q order by 1
=> select x*10000000 from (select a/7 x from s group by a) q order by 1
=> select x*10000000 from (select avg(a/7) x from s group by a) q order by 1
=> select x*10000000 from (select avg(a) x from s) q order by 1
=> select x*10000000 from (select a/7 x from s union select 2) q order by 1
=> select x*10000000 from (select a/7 x from s union all select 2) q order by 1
=> select x*10000000 from (select a/7 x from s order by a limit 3) q order by 1
=> select x*10000000 from (select max(a/7) x from s) q order by 1
=> select x*10000000 from (select sum(a/7) over (order by a) x from s) q order by 1
=> select x*10000000 from (select lag(a/7) over (order by a) x from s) q order by 1
=> select distinct a/7*10000000 from s
=> select a/7*10000000 from s group by a order by 1
=> select (a/7)*10000000 from s group by a/7 order by 1
=> select sum(a)/7*10000000 from s group by a order by 1
=> select sum(a/7)*10000000 from s group by a order by 1
=> select avg(a)*10000000, avg(a/7)*10000000 from s group by a order by 1
=> select max(a/7)*10000000 from s group by a order by 1
=> select avg(a)/3*10000000 from s
=> select (select a/7 from s limit 1)*10000000
=> select 0.142857142 in (select a/7 from s), 0.1429 in (select a/7 from s), 0.1429 in (select distinct a/7 from s), 0.1429 = any (select a/7 from s group by a)
=> select a from s where a/7 = 0.1429
=> select a from s where a/7 in (select a/7 from s group by a)
=> create view v as select a/7 x from s
=> create algorithm=temptable view vt as select a/7 x from s
=> select * from v where x=0.1429
=> select * from vt where x=0.1429
=> select vt.x*10000000, v.x*10000000 from vt join v on v.x=vt.x
=> create temporary table tt as select a/7 x from s
=> select tt.x from tt join s on tt.x = s.a/7
=> select count(*) from (select a/7 x from s order by a limit 3) q join s on q.x=s.a/7
=> drop database test
=> create database test
=> use test
=> create table s (a int)
=> insert into s values (1),(3),(3),(8)
=> select distinct a/70000 from s
=> select a/70000 x, count(*) from s group by x
=> select a/70000 x, count(*) from s group by a/70000 order by null
=> select count(distinct a/70000) from s
=> select a/70000 from s union select 0
=> select distinct a/7, count(*) over () from s
=> select a/70000 x from s group by x having x > 0
=> select a, a/70000 x from s order by x desc, a
=> select a, rank() over (order by a/70000) r from s order by a
=> select a, sum(a) over (partition by a/70000) r from s order by a
=> select max(a/70000)*70000 from s
=> select group_concat(distinct a/70000) from s
=> select group_concat(a/70000 order by a) from s
=> select count(*) from s s1 join s s2 on s1.a/70000 = s2.a/70000
=> select count(*) from (select a/70000 x from s group by x) q
=> select count(*) from (select distinct a/70000 x from s) q
=> select a/70000 x, a/70000*70000 y, count(*) from s group by x, y
=> select sum(distinct a/70000)*70000 from s
=> select avg(distinct a/7)*10000000 from s
=> select sum(a/7)*10000000 from s
=> select avg(a/7)*10000000 from s
=> select bit_or(a/7), std(a/7), variance(a/7) from s
=> select a from s group by a having sum(a/70000) > 0
=> create table k (a int, key(a))
=> insert into k values (1),(3),(3),(8)
=> select sum(a/7)*10000000 from k group by a
=> select a/7*10000000, max(a/7)*10000000 from k group by a
=> select distinct a/7 from k
=> select distinct a from k
=> select a/70000 x, count(*) from k group by a
=> select sum(a/7)*10000000, count(distinct a) from s group by a
=> select sum(a/7)*10000000 from s group by a with rollup
=> select sum(a/7)*10000000 from s group by a order by a
=> select sum(a/7)*10000000 from s group by a order by sum(a/7)
=> select sum(a/7)*10000000, group_concat(a) from s group by a
=> select sum(a/7)*10000000 from s group by a limit 2
=> drop database test
=> create database test
=> use test
=> create table t (a int, x text, v varchar(30), d double)
=> create table s (a int)
=> insert into s values (1),(3)
=> insert into t (a,x,v) select a, a/7, a/7 from s
=> insert into t (a,x) select distinct a+20, a/7 from s
=> select a,x from t where a>20
=> insert into t (a,x) select a+30, sum(a/7) from s group by a
=> select a,x from t where a>30
=> insert into t (a,x) select a+40, a/7 from s order by a/7
=> select a,x from t where a>40
=> insert into t (a,x) select a+50, a/7 from s union all select 60, 1/7
=> select a,x from t where a>50
=> insert into t (a,x) select * from (select a+70, a/7 from s) q
=> select a,x from t where a>70
=> insert into t (a,x) select * from (select distinct a+80, a/7 from s) q
=> select a,x from t where a>80
=> update t set x = (select a/7 from s limit 1) where a=1
=> select a,x from t where a=1
=> insert into t (a,x) values (90,(select a/7 from s where a=3))
=> select a,x from t where a=90
=> insert into t (a,x) select a+100, (select max(a/7) from s) from s
=> select a,x from t where a>100
=> insert into t (a,x) select a+110, avg(a) from s
=> select a,x from t where a>110
=> insert into t (a,x) select a+120, ifnull(a/7,1) from s
=> select a,x from t where a>120
