=> create table t (id int not null auto_increment primary key, m date, k int, nn int not null default 5, nd int not null, e enum('a','b') not null, s varchar(5) default 'x', ts timestamp, txt text not null, dd date not null default '2020-01-01')
=> create view a3 as select id, nn, nd, e, s, ts, txt, dd, id+1 i1 from t
=> create view b1 as select distinct id, nn, nd, e, s, ts, txt,dd, id+1 i from t
=> create table q1 as select * from (select id, nn, nd, e, s, txt, dd, id+1 from t) q
=> show create table q1
=> create table q2 as select q.* from t left join (select id, nn, nd, e, s, txt, dd, id+1 from t) q on q.id=t.id
=> show create table q2
=> create table q3 as select q.* from (select distinct id, nn, nd, e, s, txt, dd, id+1 from t) q
=> show create table q3
=> create table q4 as select q.* from t left join (select distinct id, nn, nd, e, s, txt, dd, id+1 from t) q on q.id=t.id
=> show create table q4
=> create table q5 as select a3.* from a3
=> show create table q5
=> create table q6 as select a3.* from t left join a3 on a3.id=t.id
=> show create table q6
=> create table q7 as select b1.* from b1
=> show create table q7
=> create table q8 as select b1.* from t left join b1 on b1.id=t.id
=> show create table q8
=> create table q9 as with c as (select id, nn, nd, e, s, txt, dd from t) select * from c
=> show create table q9
=> create table r1 as select t2.* from t left join t t2 on t2.id=t.id
=> show create table r1
=> create table r2 as select id, nn, nd, e, s from a3 group by id
=> show create table r2
=> create table r3 as select distinct id, nn, nd, e, s from a3
=> show create table r3
=> create table r5 as select * from (select * from a3) z
=> show create table r5
=> create table r6 as select id, nn from a3 union select id, nn from a3
=> show create table r6
=> create table r7 as select id, nn, nd, e, s from a3 order by nn
=> show create table r7
=> create table r8 as select id, nn, nd, e, s, row_number() over (order by id) from a3
=> show create table r8
=> create table r9 as select max(id), max(nn), max(e), max(s), max(nd) from t
=> show create table r9
=> create table s1 as select max(id), max(nn), max(e), max(s), max(nd) from b1
=> show create table s1
=> create table s2 as select max(id) mi, max(nn) mn, max(e) me, max(s) ms, max(nd) md from t
=> create view vs3 as select max(id) mi, max(nn) mn, max(e) me, max(s) ms, max(nd) md from t
=> create table s3 as select * from vs3
=> show create table s3
=> create table s4 as select vs3.* from t left join vs3 on 1
=> show create table s4
=> create temporary table s5 as select id, nn, nd, e, s from a3
=> show create table s5
=> drop database test
=> create database test
=> use test
=> create table t (id int not null auto_increment primary key, m date, k int, nn int not null default 5, nd int not null, e enum('a','b') not null, s varchar(5) default 'x')
=> create view a3 as select id, nn, nd, e, s, id+1 i1 from t
=> create table r1 as select id, nn, nd, e, s, id+1 i from t union select id, nn,nd,e,s, 1 from t
=> show create table r1
=> create table r2 as select id, nn, nd, e, s, i1 from a3 union select id, nn,nd,e,s, 1 from t
=> show create table r2
=> create table r3 as select id, nn, nd, e, s, i1 from a3 union select id, nn,nd,e,s, i1 from a3
=> show create table r3
=> create table r4 as select id, nn, nd, e, s, i1 from (select id, nn, nd, e, s, id+1 i1 from t) q union all select id, nn,nd,e,s, i1 from a3
=> show create table r4
=> create table r7 as select max(id), count(*) from t union select 1,2
=> show create table r7
=> create table s1 as select id, e, concat(repeat('a',300000)) x from t union select 1,'a','b'
=> show create table s1
=> create table s2 as select id, e from t union all select 1,'a' order by 1
=> show create table s2
=> create table s3 as select id, e from t union all select 1,'a' limit 2
=> show create table s3
=> create table s4 as select id, e from t intersect select 1,'a'
=> show create table s4
=> create table s5 as select id, e from t except select 1,'a'
=> show create table s5
=> create table s6 as select id, e from t intersect all select 1,'a'
=> show create table s6
=> create table s7 as select id, e from t union distinct select 1,'a' union all select 2,'b'
=> show create table s7
=> create table s8 as select * from (select id, e from t union select 1,'a') q
=> show create table s8
=> create table s9 as select * from (select id, e from t union all select 1,'a') q
=> show create table s9
=> create table u1 as (select id, e from t) union all (select 1,'a') limit 0
=> show create table u1
=> create table u4 as select date'2020-01-01' d, time'10:00:00' t, timestamp'2020-01-01 00:00:00' dt, 1.5 de, 1e0 f, x'41' b union select date'2020-01-02', time'10:00:00', now(), 1.5, 1e0, x'42'
=> show create table u4
=> drop database test
=> create database test
=> use test
=> create table t (id int not null auto_increment primary key, m date, k int, nn int not null default 5, nd int not null, e enum('a','b') not null, s varchar(5) default 'x', ts timestamp)
=> insert into t (id,k,nd) values (1,1,1)
=> create view a1 as select max(id) mx, min(nn) mn, count(*) n, sum(k) s, max(k) mk, max(e) me, max(s) ms from t group by k
=> describe a1
=> create view a2 as select max(id) mx, count(*) n from t
=> describe a2
=> create view a3 as select id, nn, nd, e, s, ts, id+1 i1, nn+0 n1, concat(s) c, 1 one, 'x' x, null nu, now() nw, cast(1 as char) ch from t
=> create view a4 as select * from a3
=> create view a5 as select a.id, a.i1, b.id bid, b.nn, b.nd, b.e, b.s, b.i1 bi, b.one from a3 a left join a3 b on a.id=b.nd
=> create view a6 as select a.id, b.* from t a left join a2 b on a.id=b.n
=> describe a6
=> create view a7 as select q.* from (select id, nn, nd, count(*) c, max(nn) m from t group by id) q
=> describe a7
=> create view a8 as select q.* from t left join (select id qid, nn qnn, nd qnd, count(*) c, max(nn) m from t group by id) q on q.qid=t.id
=> describe a8
=> create view a9 as select id, nn, e from t union select id, nn, e from t
=> describe a9
=> create view b1 as select distinct id, nn, nd, id+1 i from t
=> describe b1
=> create view b2 as select t.id, q.* from t left join (select 1 as z, 'x' as y, id i, nn+1 n1 from t) q on 1
=> create table c1 as select * from a3
=> show create table c1
=> create table c2 as select * from a4
=> show create table c2
=> create table c3 as select * from a5
=> show create table c3
=> create table c4 as select * from a6
=> show create table c4
=> create table c5 as select * from a7
=> show create table c5
=> create table c6 as select * from a8
=> show create table c6
=> create table c7 as select * from a1
=> show create table c7
=> create table c8 as select * from b1
=> show create table c8
=> create table c9 as select * from b2
=> show create table c9
=> create table c10 as select * from a9
=> show create table c10
=> create table t1 (id int not null, n int not null default 4)
=> create table t2 (id int not null auto_increment primary key, n int)
=> create view u1 as select id, n from t1 union select id, n from t1
=> create view u2 as select id, n from t2 union select id, n from t2
=> create view u3 as select id, n from t1 union all select id, n from t2
=> create algorithm=temptable view u4 as select id, n from t2
=> create view u5 as select id, count(*) n from t2 group by id
=> create view j1 as select a.id, b.id as y, b.n from t1 a left join u1 b on a.id=b.id
=> create view j2 as select a.id, b.id as y, b.n from t1 a left join u2 b on a.id=b.id
=> create view j3 as select a.id, b.id as y, b.n from t1 a left join u3 b on a.id=b.id
=> create view j4 as select a.id, b.id as y, b.n from t1 a left join u4 b on a.id=b.id
=> create view j5 as select a.id, b.id as y, b.n from t1 a left join u5 b on a.id=b.id
=> create view k1 as select a.id, b.id as y, b.n from t1 a join u1 b on a.id=b.id
=> create view k2 as select a.id, b.id as y, b.n from t1 a join u2 b on a.id=b.id
=> create view k4 as select a.id, b.id as y, b.n from t1 a join u4 b on a.id=b.id
=> create view k5 as select a.id, b.id as y, b.n from t1 a join u5 b on a.id=b.id
=> create view l1 as select a.id, b.id as y, b.n from t1 a left join (select id,n from t2 union select id,n from t2) b on a.id=b.id
=> create table m1 as select * from j1
=> create table m2 as select * from j2
=> create table m4 as select * from j4
=> create table m5 as select * from j5
=> create table m6 as select a.id, b.id as y, b.n from t1 a left join u2 b on a.id=b.id
=> create table m7 as select a.id, b.id as y, b.n from t1 a left join (select id,n from t2 union select id,n from t2) b on a.id=b.id
=> create table m8 as select a.id, b.id as y, b.n from t1 a join u2 b on a.id=b.id
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='u1' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='u2' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='u3' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='u4' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='u5' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='j1' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='j2' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='j3' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='j4' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='j5' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='k1' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='k2' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='k4' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='k5' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='l1' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m1' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m2' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m4' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m5' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m6' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m7' order by ordinal_position
=> select column_name, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='m8' order by ordinal_position
=> drop view u1, u2, u3, u4, u5, j1, j2, j3, j4, j5, k1, k2, k4, k5, l1
=> drop table t1, t2, m1, m2, m4, m5, m6, m7, m8
=> create table t (id int primary key, c varchar(5) not null, d int not null default 7)
=> create view v8 as select id, count(*) as n, c, d from t group by id
=> create algorithm=temptable view w1 as select a.id, b.n as y, b.c, b.d from v8 a left join v8 b on a.id = b.id
=> create algorithm=merge view m1 as select id, y, c, d from w1
=> create algorithm=temptable view m2 as select id, y, c, d from w1
=> create algorithm=merge view m3 as select a.id, b.y, b.c, b.d from w1 a left join w1 b on a.id = b.id
=> create algorithm=merge view m4 as select id, y, c, d from m1
=> create algorithm=merge view m5 as select id, y, c, d from m2
=> create view m6 as select id, y, c, d from w1 union select id, y, c, d from w1
=> create view m7 as select id, y, c, d from (select * from w1) q
=> create view m8 as select max(id), max(y) from w1
=> describe w1
=> describe m1
=> describe m2
=> describe m3
=> describe m4
=> describe m5
=> describe m6
=> describe m7
=> describe m8
=> drop view v8, w1, m1, m2, m3, m4, m5, m6, m7, m8
=> drop table t
