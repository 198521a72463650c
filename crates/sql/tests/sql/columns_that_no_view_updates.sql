=> create table t (id int not null primary key, a int not null default 5, b int default 6)
=> insert into t values (1,1,1)
=> create algorithm=temptable view v5 as select a.id, a.a as x, b.id as y from t a left join t b on a.id=b.id
=> create view v17 as select id, cast(x as char(40)) as e from v5 where x > 14
=> create view v18 as select id, x, 4 as e from v5
=> create algorithm=temptable view v19 as select id, x, 4 as e from v5
=> update v5 set x=1
=> update v17 set e='B'
=> update v17 set id=2
=> update v17 set id=2, e='B'
=> update v17 set e='B', id=2
=> update v18 set e='B'
=> update v18 set x='B'
=> update v18 set x='B', e='x'
=> update v18 set x='B', q='x'
=> update v19 set e='B'
=> update v19 set x='B'
=> update v17, t set v17.e = 'B'
=> update v17, t set v17.id = 5
=> update v17, t set t.id = 5, v17.e='x'
=> delete from v17
=> insert into v17 values (1,2)
=> insert into v17(e) values (2)
=> create view va as select a, count(*) n from t group by a
=> create view vb as select a, n, a+1 as c from va
=> create view vc as select a, n, c, 5 as d from vb
=> create view vd as select (select 1) as a
=> create view ve as select 1 as a
=> create view vf as select a, a+1 as b from vd
=> create view vg as select a from t union select b from t
=> create view vh as select a, a+1 as b from vg
=> update va set a=1
=> update va set n=1
=> update vb set a=1
=> update vb set n=1
=> update vb set c=1
=> update vc set a=1
=> update vc set n=1
=> update vc set c=1
=> update vc set d=1
=> update vd set a=1
=> update ve set a=1
=> update vf set a=1
=> update vf set b=1
=> update vg set a=1
=> update vh set a=1
=> update vh set b=1
=> update va,t set va.a=1
=> update va,t set va.n=1
=> update vb,t set vb.a=1
=> update vb,t set vb.n=1
=> update vb,t set vb.c=1
=> update vc,t set vc.a=1
=> update vc,t set vc.n=1
=> update vc,t set vc.c=1
=> update vc,t set vc.d=1
=> update vd,t set vd.a=1
=> update ve,t set ve.a=1
=> update vf,t set vf.a=1
=> update vf,t set vf.b=1
=> drop view v5
=> drop view v17
=> drop view v18
=> drop view v19
=> drop view va
=> drop view vb
=> drop view vc
=> drop view vd
=> drop view ve
=> drop view vf
=> drop view vg
=> drop view vh
=> drop table t
=> drop table if exists t
=> create table t (id int not null primary key, a int not null default 5, b int default 6)
=> create algorithm=temptable view w1 as select id, a from t
=> create view w2 as select id, a from t group by id
=> create view w3 as select distinct id, a from t
=> create view w4 as select id, a from t union select 1, 2
=> create algorithm=temptable view w5 as select t.id, s.a from t join t s on t.id=s.id
=> create view w6 as select id, a from t limit 5
=> create view x1 as select id, a+1 c, cast(a as char(4)) d, 5 e from w1
=> create view x2 as select id, a+1 c, cast(a as char(4)) d, 5 e  from w2
=> create view x3 as select id, a+1 c, cast(a as char(4)) d, 5 e  from w3
=> create view x4 as select id, a+1 c, cast(a as char(4)) d, 5 e  from w4
=> create view x5 as select id, a+1 c, cast(a as char(4)) d, 5 e  from w5
=> create view x6 as select id, a+1 c, cast(a as char(4)) d, 5 e  from w6
=> create view x7 as select w1.id, w1.a+1 c, cast(w2.a as char(4)) d, 5 e  from w1 join w2 on w1.id=w2.id
=> create view x8 as select w1.id, w1.a+1 c, cast(w1.a as char(4)) d, 5 e  from w1 join t on w1.id=t.id
=> update x1 set id=1
=> update x1,t set x1.id=1
=> update x1 set c=1
=> update x1,t set x1.c=1
=> update x1 set d=1
=> update x1,t set x1.d=1
=> update x1 set e=1
=> update x1,t set x1.e=1
=> update x2 set id=1
=> update x2,t set x2.id=1
=> update x2 set c=1
=> update x2,t set x2.c=1
=> update x2 set d=1
=> update x2,t set x2.d=1
=> update x2 set e=1
=> update x2,t set x2.e=1
=> update x3 set id=1
=> update x3,t set x3.id=1
=> update x3 set c=1
=> update x3,t set x3.c=1
=> update x3 set d=1
=> update x3,t set x3.d=1
=> update x3 set e=1
=> update x3,t set x3.e=1
=> update x4 set id=1
=> update x4,t set x4.id=1
=> update x4 set c=1
=> update x4,t set x4.c=1
=> update x4 set d=1
=> update x4,t set x4.d=1
=> update x4 set e=1
=> update x4,t set x4.e=1
=> update x5 set id=1
=> update x5,t set x5.id=1
=> update x5 set c=1
=> update x5,t set x5.c=1
=> update x5 set d=1
=> update x5,t set x5.d=1
=> update x5 set e=1
=> update x5,t set x5.e=1
=> update x6 set id=1
=> update x6,t set x6.id=1
=> update x6 set c=1
=> update x6,t set x6.c=1
=> update x6 set d=1
=> update x6,t set x6.d=1
=> update x6 set e=1
=> update x6,t set x6.e=1
=> update x7 set id=1
=> update x7,t set x7.id=1
=> update x7 set c=1
=> update x7,t set x7.c=1
=> update x7 set d=1
=> update x7,t set x7.d=1
=> update x7 set e=1
=> update x7,t set x7.e=1
=> update x8 set id=1
=> update x8,t set x8.id=1
=> update x8 set c=1
=> update x8,t set x8.c=1
=> update x8 set d=1
=> update x8,t set x8.d=1
=> update x8 set e=1
=> update x8,t set x8.e=1
=> drop view x1
=> drop view x2
=> drop view x3
=> drop view x4
=> drop view x5
=> drop view x6
=> drop view x7
=> drop view x8
=> drop view w1
=> drop view w2
=> drop view w3
=> drop view w4
=> drop view w5
=> drop view w6
=> drop table t
=> create table t (id int not null primary key, a int not null default 5, b int default 6)
=> insert into t values (1,1,1)
=> create view b1 as select id, cast(a as char(40)) e, a from t where a<>30
=> create view b2 as select id, a, b from t
=> create algorithm=temptable view b3 as select id, a from t
=> create view b4 as select x.id, x.a, y.b from t x join t y on x.id=y.id
=> create view b5 as select x.id, x.a, y.b from b1 x join b2 y on x.id=y.id
=> create view b6 as select id, a, (select 1) b from b2 
=> create view w0_0 as select id, count(*) n from t group by id
=> create view mw0_0 as select id, cast(n as char(40)) e, n from w0_0 where n<>-53
=> update w0_0 set n=1
=> update mw0_0 set e=1
=> update mw0_0 set e=1 order by id
=> update mw0_0 set n=1
=> update mw0_0 set id=1
=> update mw0_0, t set e=1
=> create view w0_1 as select distinct id, a n from t
=> create view mw0_1 as select id, cast(n as char(40)) e, n from w0_1 where n<>-53
=> update w0_1 set n=1
=> update mw0_1 set e=1
=> update mw0_1 set e=1 order by id
=> update mw0_1 set n=1
=> update mw0_1 set id=1
=> update mw0_1, t set e=1
=> create view w0_2 as select max(id) id, 1 n from t
=> create view mw0_2 as select id, cast(n as char(40)) e, n from w0_2 where n<>-53
=> update w0_2 set n=1
=> update mw0_2 set e=1
=> update mw0_2 set e=1 order by id
=> update mw0_2 set n=1
=> update mw0_2 set id=1
=> update mw0_2, t set e=1
=> create view w0_3 as select id, a n from t union select 1,2
=> create view mw0_3 as select id, cast(n as char(40)) e, n from w0_3 where n<>-53
=> update w0_3 set n=1
=> update mw0_3 set e=1
=> update mw0_3 set e=1 order by id
=> update mw0_3 set n=1
=> update mw0_3 set id=1
=> update mw0_3, t set e=1
=> create view w0_4 as select id, (select count(*) from t) n from t limit 3
=> create view mw0_4 as select id, cast(n as char(40)) e, n from w0_4 where n<>-53
=> update w0_4 set n=1
=> update mw0_4 set e=1
=> update mw0_4 set e=1 order by id
=> update mw0_4 set n=1
=> update mw0_4 set id=1
=> update mw0_4, t set e=1
=> create view w0_5 as select id, id in (select b.id from t b join b2 c using(id)) n from t where exists(select 1 from b4 ) limit 4
=> create view mw0_5 as select id, cast(n as char(40)) e, n from w0_5 where n<>-53
=> update w0_5 set n=1
=> update mw0_5 set e=1
=> update mw0_5 set e=1 order by id
=> update mw0_5 set n=1
=> update mw0_5 set id=1
=> update mw0_5, t set e=1
=> create view w0_6 as select id, row_number() over () n from t
=> create view mw0_6 as select id, cast(n as char(40)) e, n from w0_6 where n<>-53
=> update w0_6 set n=1
=> update mw0_6 set e=1
=> update mw0_6 set e=1 order by id
=> update mw0_6 set n=1
=> update mw0_6 set id=1
=> update mw0_6, t set e=1
=> create view w1_0 as select id, count(*) n from b1 group by id
=> create view mw1_0 as select id, cast(n as char(40)) e, n from w1_0 where n<>-53
=> update w1_0 set n=1
=> update mw1_0 set e=1
=> update mw1_0 set e=1 order by id
=> update mw1_0 set n=1
=> update mw1_0 set id=1
=> update mw1_0, t set e=1
=> create view w1_1 as select distinct id, a n from b1
=> create view mw1_1 as select id, cast(n as char(40)) e, n from w1_1 where n<>-53
=> update w1_1 set n=1
=> update mw1_1 set e=1
=> update mw1_1 set e=1 order by id
=> update mw1_1 set n=1
=> update mw1_1 set id=1
=> update mw1_1, t set e=1
=> create view w1_2 as select max(id) id, 1 n from b1
=> create view mw1_2 as select id, cast(n as char(40)) e, n from w1_2 where n<>-53
=> update w1_2 set n=1
=> update mw1_2 set e=1
=> update mw1_2 set e=1 order by id
=> update mw1_2 set n=1
=> update mw1_2 set id=1
=> update mw1_2, t set e=1
=> create view w1_3 as select id, a n from b1 union select 1,2
=> create view mw1_3 as select id, cast(n as char(40)) e, n from w1_3 where n<>-53
=> update w1_3 set n=1
=> update mw1_3 set e=1
=> update mw1_3 set e=1 order by id
=> update mw1_3 set n=1
=> update mw1_3 set id=1
=> update mw1_3, t set e=1
=> create view w1_4 as select id, (select count(*) from t) n from b1 limit 3
=> create view mw1_4 as select id, cast(n as char(40)) e, n from w1_4 where n<>-53
=> update w1_4 set n=1
=> update mw1_4 set e=1
=> update mw1_4 set e=1 order by id
=> update mw1_4 set n=1
=> update mw1_4 set id=1
=> update mw1_4, t set e=1
=> create view w1_5 as select id, id in (select b.id from t b join b2 c using(id)) n from b1 where exists(select 1 from b4 ) limit 4
=> create view mw1_5 as select id, cast(n as char(40)) e, n from w1_5 where n<>-53
=> update w1_5 set n=1
=> update mw1_5 set e=1
=> update mw1_5 set e=1 order by id
=> update mw1_5 set n=1
=> update mw1_5 set id=1
=> update mw1_5, t set e=1
=> create view w1_6 as select id, row_number() over () n from b1
=> create view mw1_6 as select id, cast(n as char(40)) e, n from w1_6 where n<>-53
=> update w1_6 set n=1
=> update mw1_6 set e=1
=> update mw1_6 set e=1 order by id
=> update mw1_6 set n=1
=> update mw1_6 set id=1
=> update mw1_6, t set e=1
=> create view w2_0 as select id, count(*) n from b2 group by id
=> create view mw2_0 as select id, cast(n as char(40)) e, n from w2_0 where n<>-53
=> update w2_0 set n=1
=> update mw2_0 set e=1
=> update mw2_0 set e=1 order by id
=> update mw2_0 set n=1
=> update mw2_0 set id=1
=> update mw2_0, t set e=1
=> create view w2_1 as select distinct id, a n from b2
=> create view mw2_1 as select id, cast(n as char(40)) e, n from w2_1 where n<>-53
=> update w2_1 set n=1
=> update mw2_1 set e=1
=> update mw2_1 set e=1 order by id
=> update mw2_1 set n=1
=> update mw2_1 set id=1
=> update mw2_1, t set e=1
=> create view w2_2 as select max(id) id, 1 n from b2
=> create view mw2_2 as select id, cast(n as char(40)) e, n from w2_2 where n<>-53
=> update w2_2 set n=1
=> update mw2_2 set e=1
=> update mw2_2 set e=1 order by id
=> update mw2_2 set n=1
=> update mw2_2 set id=1
=> update mw2_2, t set e=1
=> create view w2_3 as select id, a n from b2 union select 1,2
=> create view mw2_3 as select id, cast(n as char(40)) e, n from w2_3 where n<>-53
=> update w2_3 set n=1
=> update mw2_3 set e=1
=> update mw2_3 set e=1 order by id
=> update mw2_3 set n=1
=> update mw2_3 set id=1
=> update mw2_3, t set e=1
=> create view w2_4 as select id, (select count(*) from t) n from b2 limit 3
=> create view mw2_4 as select id, cast(n as char(40)) e, n from w2_4 where n<>-53
=> update w2_4 set n=1
=> update mw2_4 set e=1
=> update mw2_4 set e=1 order by id
=> update mw2_4 set n=1
=> update mw2_4 set id=1
=> update mw2_4, t set e=1
=> create view w2_5 as select id, id in (select b.id from t b join b2 c using(id)) n from b2 where exists(select 1 from b4 ) limit 4
=> create view mw2_5 as select id, cast(n as char(40)) e, n from w2_5 where n<>-53
=> update w2_5 set n=1
=> update mw2_5 set e=1
=> update mw2_5 set e=1 order by id
=> update mw2_5 set n=1
=> update mw2_5 set id=1
=> update mw2_5, t set e=1
=> create view w2_6 as select id, row_number() over () n from b2
=> create view mw2_6 as select id, cast(n as char(40)) e, n from w2_6 where n<>-53
=> update w2_6 set n=1
=> update mw2_6 set e=1
=> update mw2_6 set e=1 order by id
=> update mw2_6 set n=1
=> update mw2_6 set id=1
=> update mw2_6, t set e=1
=> create view w3_0 as select id, count(*) n from b3 group by id
=> create view mw3_0 as select id, cast(n as char(40)) e, n from w3_0 where n<>-53
=> update w3_0 set n=1
=> update mw3_0 set e=1
=> update mw3_0 set e=1 order by id
=> update mw3_0 set n=1
=> update mw3_0 set id=1
=> update mw3_0, t set e=1
=> create view w3_1 as select distinct id, a n from b3
=> create view mw3_1 as select id, cast(n as char(40)) e, n from w3_1 where n<>-53
=> update w3_1 set n=1
=> update mw3_1 set e=1
=> update mw3_1 set e=1 order by id
=> update mw3_1 set n=1
=> update mw3_1 set id=1
=> update mw3_1, t set e=1
=> create view w3_2 as select max(id) id, 1 n from b3
=> create view mw3_2 as select id, cast(n as char(40)) e, n from w3_2 where n<>-53
=> update w3_2 set n=1
=> update mw3_2 set e=1
=> update mw3_2 set e=1 order by id
=> update mw3_2 set n=1
=> update mw3_2 set id=1
=> update mw3_2, t set e=1
=> create view w3_3 as select id, a n from b3 union select 1,2
=> create view mw3_3 as select id, cast(n as char(40)) e, n from w3_3 where n<>-53
=> update w3_3 set n=1
=> update mw3_3 set e=1
=> update mw3_3 set e=1 order by id
=> update mw3_3 set n=1
=> update mw3_3 set id=1
=> update mw3_3, t set e=1
=> create view w3_4 as select id, (select count(*) from t) n from b3 limit 3
=> create view mw3_4 as select id, cast(n as char(40)) e, n from w3_4 where n<>-53
=> update w3_4 set n=1
=> update mw3_4 set e=1
=> update mw3_4 set e=1 order by id
=> update mw3_4 set n=1
=> update mw3_4 set id=1
=> update mw3_4, t set e=1
=> create view w3_5 as select id, id in (select b.id from t b join b2 c using(id)) n from b3 where exists(select 1 from b4 ) limit 4
=> create view mw3_5 as select id, cast(n as char(40)) e, n from w3_5 where n<>-53
=> update w3_5 set n=1
=> update mw3_5 set e=1
=> update mw3_5 set e=1 order by id
=> update mw3_5 set n=1
=> update mw3_5 set id=1
=> update mw3_5, t set e=1
=> create view w3_6 as select id, row_number() over () n from b3
=> create view mw3_6 as select id, cast(n as char(40)) e, n from w3_6 where n<>-53
=> update w3_6 set n=1
=> update mw3_6 set e=1
=> update mw3_6 set e=1 order by id
=> update mw3_6 set n=1
=> update mw3_6 set id=1
=> update mw3_6, t set e=1
=> create view w4_0 as select id, count(*) n from b4 group by id
=> create view mw4_0 as select id, cast(n as char(40)) e, n from w4_0 where n<>-53
=> update w4_0 set n=1
=> update mw4_0 set e=1
=> update mw4_0 set e=1 order by id
=> update mw4_0 set n=1
=> update mw4_0 set id=1
=> update mw4_0, t set e=1
=> create view w4_1 as select distinct id, a n from b4
=> create view mw4_1 as select id, cast(n as char(40)) e, n from w4_1 where n<>-53
=> update w4_1 set n=1
=> update mw4_1 set e=1
=> update mw4_1 set e=1 order by id
=> update mw4_1 set n=1
=> update mw4_1 set id=1
=> update mw4_1, t set e=1
=> create view w4_2 as select max(id) id, 1 n from b4
=> create view mw4_2 as select id, cast(n as char(40)) e, n from w4_2 where n<>-53
=> update w4_2 set n=1
=> update mw4_2 set e=1
=> update mw4_2 set e=1 order by id
=> update mw4_2 set n=1
=> update mw4_2 set id=1
=> update mw4_2, t set e=1
=> create view w4_3 as select id, a n from b4 union select 1,2
=> create view mw4_3 as select id, cast(n as char(40)) e, n from w4_3 where n<>-53
=> update w4_3 set n=1
=> update mw4_3 set e=1
=> update mw4_3 set e=1 order by id
=> update mw4_3 set n=1
=> update mw4_3 set id=1
=> update mw4_3, t set e=1
=> create view w4_4 as select id, (select count(*) from t) n from b4 limit 3
=> create view mw4_4 as select id, cast(n as char(40)) e, n from w4_4 where n<>-53
=> update w4_4 set n=1
=> update mw4_4 set e=1
=> update mw4_4 set e=1 order by id
=> update mw4_4 set n=1
=> update mw4_4 set id=1
=> update mw4_4, t set e=1
=> create view w4_5 as select id, id in (select b.id from t b join b2 c using(id)) n from b4 where exists(select 1 from b4 ) limit 4
=> create view mw4_5 as select id, cast(n as char(40)) e, n from w4_5 where n<>-53
=> update w4_5 set n=1
=> update mw4_5 set e=1
=> update mw4_5 set e=1 order by id
=> update mw4_5 set n=1
=> update mw4_5 set id=1
=> update mw4_5, t set e=1
=> create view w4_6 as select id, row_number() over () n from b4
=> create view mw4_6 as select id, cast(n as char(40)) e, n from w4_6 where n<>-53
=> update w4_6 set n=1
=> update mw4_6 set e=1
=> update mw4_6 set e=1 order by id
=> update mw4_6 set n=1
=> update mw4_6 set id=1
=> update mw4_6, t set e=1
=> create view w5_0 as select id, count(*) n from b5 group by id
=> create view mw5_0 as select id, cast(n as char(40)) e, n from w5_0 where n<>-53
=> update w5_0 set n=1
=> update mw5_0 set e=1
=> update mw5_0 set e=1 order by id
=> update mw5_0 set n=1
=> update mw5_0 set id=1
=> update mw5_0, t set e=1
=> create view w5_1 as select distinct id, a n from b5
=> create view mw5_1 as select id, cast(n as char(40)) e, n from w5_1 where n<>-53
=> update w5_1 set n=1
=> update mw5_1 set e=1
=> update mw5_1 set e=1 order by id
=> update mw5_1 set n=1
=> update mw5_1 set id=1
=> update mw5_1, t set e=1
=> create view w5_2 as select max(id) id, 1 n from b5
=> create view mw5_2 as select id, cast(n as char(40)) e, n from w5_2 where n<>-53
=> update w5_2 set n=1
=> update mw5_2 set e=1
=> update mw5_2 set e=1 order by id
=> update mw5_2 set n=1
=> update mw5_2 set id=1
=> update mw5_2, t set e=1
=> create view w5_3 as select id, a n from b5 union select 1,2
=> create view mw5_3 as select id, cast(n as char(40)) e, n from w5_3 where n<>-53
=> update w5_3 set n=1
=> update mw5_3 set e=1
=> update mw5_3 set e=1 order by id
=> update mw5_3 set n=1
=> update mw5_3 set id=1
=> update mw5_3, t set e=1
=> create view w5_4 as select id, (select count(*) from t) n from b5 limit 3
=> create view mw5_4 as select id, cast(n as char(40)) e, n from w5_4 where n<>-53
=> update w5_4 set n=1
=> update mw5_4 set e=1
=> update mw5_4 set e=1 order by id
=> update mw5_4 set n=1
=> update mw5_4 set id=1
=> update mw5_4, t set e=1
=> create view w5_5 as select id, id in (select b.id from t b join b2 c using(id)) n from b5 where exists(select 1 from b4 ) limit 4
=> create view mw5_5 as select id, cast(n as char(40)) e, n from w5_5 where n<>-53
=> update w5_5 set n=1
=> update mw5_5 set e=1
=> update mw5_5 set e=1 order by id
=> update mw5_5 set n=1
=> update mw5_5 set id=1
=> update mw5_5, t set e=1
=> create view w5_6 as select id, row_number() over () n from b5
=> create view mw5_6 as select id, cast(n as char(40)) e, n from w5_6 where n<>-53
=> update w5_6 set n=1
=> update mw5_6 set e=1
=> update mw5_6 set e=1 order by id
=> update mw5_6 set n=1
=> update mw5_6 set id=1
=> update mw5_6, t set e=1
=> create view w6_0 as select id, count(*) n from b6 group by id
=> create view mw6_0 as select id, cast(n as char(40)) e, n from w6_0 where n<>-53
=> update w6_0 set n=1
=> update mw6_0 set e=1
=> update mw6_0 set e=1 order by id
=> update mw6_0 set n=1
=> update mw6_0 set id=1
=> update mw6_0, t set e=1
=> create view w6_1 as select distinct id, a n from b6
=> create view mw6_1 as select id, cast(n as char(40)) e, n from w6_1 where n<>-53
=> update w6_1 set n=1
=> update mw6_1 set e=1
=> update mw6_1 set e=1 order by id
=> update mw6_1 set n=1
=> update mw6_1 set id=1
=> update mw6_1, t set e=1
=> create view w6_2 as select max(id) id, 1 n from b6
=> create view mw6_2 as select id, cast(n as char(40)) e, n from w6_2 where n<>-53
=> update w6_2 set n=1
=> update mw6_2 set e=1
=> update mw6_2 set e=1 order by id
=> update mw6_2 set n=1
=> update mw6_2 set id=1
=> update mw6_2, t set e=1
=> create view w6_3 as select id, a n from b6 union select 1,2
=> create view mw6_3 as select id, cast(n as char(40)) e, n from w6_3 where n<>-53
=> update w6_3 set n=1
=> update mw6_3 set e=1
=> update mw6_3 set e=1 order by id
=> update mw6_3 set n=1
=> update mw6_3 set id=1
=> update mw6_3, t set e=1
=> create view w6_4 as select id, (select count(*) from t) n from b6 limit 3
=> create view mw6_4 as select id, cast(n as char(40)) e, n from w6_4 where n<>-53
=> update w6_4 set n=1
=> update mw6_4 set e=1
=> update mw6_4 set e=1 order by id
=> update mw6_4 set n=1
=> update mw6_4 set id=1
=> update mw6_4, t set e=1
=> create view w6_5 as select id, id in (select b.id from t b join b2 c using(id)) n from b6 where exists(select 1 from b4 ) limit 4
=> create view mw6_5 as select id, cast(n as char(40)) e, n from w6_5 where n<>-53
=> update w6_5 set n=1
=> update mw6_5 set e=1
=> update mw6_5 set e=1 order by id
=> update mw6_5 set n=1
=> update mw6_5 set id=1
=> update mw6_5, t set e=1
=> create view w6_6 as select id, row_number() over () n from b6
=> create view mw6_6 as select id, cast(n as char(40)) e, n from w6_6 where n<>-53
=> update w6_6 set n=1
=> update mw6_6 set e=1
=> update mw6_6 set e=1 order by id
=> update mw6_6 set n=1
=> update mw6_6 set id=1
=> update mw6_6, t set e=1
=> create view w7_0 as select x.id, count(*) n from t x left join t y using(id) group by x.id
=> create view mw7_0 as select id, cast(n as char(40)) e, n from w7_0 where n<>-53
=> update w7_0 set n=1
=> update mw7_0 set e=1
=> update mw7_0 set e=1 order by id
=> update mw7_0 set n=1
=> update mw7_0 set id=1
=> update mw7_0, t set e=1
=> create view w7_1 as select distinct x.id, x.a n from t x left join t y using(id)
=> create view mw7_1 as select id, cast(n as char(40)) e, n from w7_1 where n<>-53
=> update w7_1 set n=1
=> update mw7_1 set e=1
=> update mw7_1 set e=1 order by id
=> update mw7_1 set n=1
=> update mw7_1 set id=1
=> update mw7_1, t set e=1
=> create view w7_2 as select max(x.id) id, 1 n from t x left join t y using(id)
=> create view mw7_2 as select id, cast(n as char(40)) e, n from w7_2 where n<>-53
=> update w7_2 set n=1
=> update mw7_2 set e=1
=> update mw7_2 set e=1 order by id
=> update mw7_2 set n=1
=> update mw7_2 set id=1
=> update mw7_2, t set e=1
=> create view w7_3 as select x.id, x.a n from t x left join t y using(id) union select 1,2
=> create view mw7_3 as select id, cast(n as char(40)) e, n from w7_3 where n<>-53
=> update w7_3 set n=1
=> update mw7_3 set e=1
=> update mw7_3 set e=1 order by id
=> update mw7_3 set n=1
=> update mw7_3 set id=1
=> update mw7_3, t set e=1
=> create view w7_4 as select x.id, (select count(*) from t) n from t x left join t y using(id) limit 3
=> create view mw7_4 as select id, cast(n as char(40)) e, n from w7_4 where n<>-53
=> update w7_4 set n=1
=> update mw7_4 set e=1
=> update mw7_4 set e=1 order by id
=> update mw7_4 set n=1
=> update mw7_4 set id=1
=> update mw7_4, t set e=1
=> create view w7_5 as select x.id, x.id in (select b.id from t b join b2 c using(id)) n from t x left join t y using(id) where exists(select 1 from b4 ) limit 4
=> create view mw7_5 as select id, cast(n as char(40)) e, n from w7_5 where n<>-53
=> update w7_5 set n=1
=> update mw7_5 set e=1
=> update mw7_5 set e=1 order by id
=> update mw7_5 set n=1
=> update mw7_5 set id=1
=> update mw7_5, t set e=1
=> create view w7_6 as select x.id, row_number() over () n from t x left join t y using(id)
=> create view mw7_6 as select id, cast(n as char(40)) e, n from w7_6 where n<>-53
=> update w7_6 set n=1
=> update mw7_6 set e=1
=> update mw7_6 set e=1 order by id
=> update mw7_6 set n=1
=> update mw7_6 set id=1
=> update mw7_6, t set e=1
=> create view w8_0 as select x.id, count(*) n from b2 x join t y using(id) group by x.id
=> create view mw8_0 as select id, cast(n as char(40)) e, n from w8_0 where n<>-53
=> update w8_0 set n=1
=> update mw8_0 set e=1
=> update mw8_0 set e=1 order by id
=> update mw8_0 set n=1
=> update mw8_0 set id=1
=> update mw8_0, t set e=1
=> create view w8_1 as select distinct x.id, x.a n from b2 x join t y using(id)
=> create view mw8_1 as select id, cast(n as char(40)) e, n from w8_1 where n<>-53
=> update w8_1 set n=1
=> update mw8_1 set e=1
=> update mw8_1 set e=1 order by id
=> update mw8_1 set n=1
=> update mw8_1 set id=1
=> update mw8_1, t set e=1
=> create view w8_2 as select max(x.id) id, 1 n from b2 x join t y using(id)
=> create view mw8_2 as select id, cast(n as char(40)) e, n from w8_2 where n<>-53
=> update w8_2 set n=1
=> update mw8_2 set e=1
=> update mw8_2 set e=1 order by id
=> update mw8_2 set n=1
=> update mw8_2 set id=1
=> update mw8_2, t set e=1
=> create view w8_3 as select x.id, x.a n from b2 x join t y using(id) union select 1,2
=> create view mw8_3 as select id, cast(n as char(40)) e, n from w8_3 where n<>-53
=> update w8_3 set n=1
=> update mw8_3 set e=1
=> update mw8_3 set e=1 order by id
=> update mw8_3 set n=1
=> update mw8_3 set id=1
=> update mw8_3, t set e=1
=> create view w8_4 as select x.id, (select count(*) from t) n from b2 x join t y using(id) limit 3
=> create view mw8_4 as select id, cast(n as char(40)) e, n from w8_4 where n<>-53
=> update w8_4 set n=1
=> update mw8_4 set e=1
=> update mw8_4 set e=1 order by id
=> update mw8_4 set n=1
=> update mw8_4 set id=1
=> update mw8_4, t set e=1
=> create view w8_5 as select x.id, x.id in (select b.id from t b join b2 c using(id)) n from b2 x join t y using(id) where exists(select 1 from b4 ) limit 4
=> create view mw8_5 as select id, cast(n as char(40)) e, n from w8_5 where n<>-53
=> update w8_5 set n=1
=> update mw8_5 set e=1
=> update mw8_5 set e=1 order by id
=> update mw8_5 set n=1
=> update mw8_5 set id=1
=> update mw8_5, t set e=1
=> create view w8_6 as select x.id, row_number() over () n from b2 x join t y using(id)
=> create view mw8_6 as select id, cast(n as char(40)) e, n from w8_6 where n<>-53
=> update w8_6 set n=1
=> update mw8_6 set e=1
=> update mw8_6 set e=1 order by id
=> update mw8_6 set n=1
=> update mw8_6 set id=1
=> update mw8_6, t set e=1
=> drop view mw8_6
=> drop view w8_6
=> drop view mw8_5
=> drop view w8_5
=> drop view mw8_4
=> drop view w8_4
=> drop view mw8_3
=> drop view w8_3
=> drop view mw8_2
=> drop view w8_2
=> drop view mw8_1
=> drop view w8_1
=> drop view mw8_0
=> drop view w8_0
=> drop view mw7_6
=> drop view w7_6
=> drop view mw7_5
=> drop view w7_5
=> drop view mw7_4
=> drop view w7_4
=> drop view mw7_3
=> drop view w7_3
=> drop view mw7_2
=> drop view w7_2
=> drop view mw7_1
=> drop view w7_1
=> drop view mw7_0
=> drop view w7_0
=> drop view mw6_6
=> drop view w6_6
=> drop view mw6_5
=> drop view w6_5
=> drop view mw6_4
=> drop view w6_4
=> drop view mw6_3
=> drop view w6_3
=> drop view mw6_2
=> drop view w6_2
=> drop view mw6_1
=> drop view w6_1
=> drop view mw6_0
=> drop view w6_0
=> drop view mw5_6
=> drop view w5_6
=> drop view mw5_5
=> drop view w5_5
=> drop view mw5_4
=> drop view w5_4
=> drop view mw5_3
=> drop view w5_3
=> drop view mw5_2
=> drop view w5_2
=> drop view mw5_1
=> drop view w5_1
=> drop view mw5_0
=> drop view w5_0
=> drop view mw4_6
=> drop view w4_6
=> drop view mw4_5
=> drop view w4_5
=> drop view mw4_4
=> drop view w4_4
=> drop view mw4_3
=> drop view w4_3
=> drop view mw4_2
=> drop view w4_2
=> drop view mw4_1
=> drop view w4_1
=> drop view mw4_0
=> drop view w4_0
=> drop view mw3_6
=> drop view w3_6
=> drop view mw3_5
=> drop view w3_5
=> drop view mw3_4
=> drop view w3_4
=> drop view mw3_3
=> drop view w3_3
=> drop view mw3_2
=> drop view w3_2
=> drop view mw3_1
=> drop view w3_1
=> drop view mw3_0
=> drop view w3_0
=> drop view mw2_6
=> drop view w2_6
=> drop view mw2_5
=> drop view w2_5
=> drop view mw2_4
=> drop view w2_4
=> drop view mw2_3
=> drop view w2_3
=> drop view mw2_2
=> drop view w2_2
=> drop view mw2_1
=> drop view w2_1
=> drop view mw2_0
=> drop view w2_0
=> drop view mw1_6
=> drop view w1_6
=> drop view mw1_5
=> drop view w1_5
=> drop view mw1_4
=> drop view w1_4
=> drop view mw1_3
=> drop view w1_3
=> drop view mw1_2
=> drop view w1_2
=> drop view mw1_1
=> drop view w1_1
=> drop view mw1_0
=> drop view w1_0
=> drop view mw0_6
=> drop view w0_6
=> drop view mw0_5
=> drop view w0_5
=> drop view mw0_4
=> drop view w0_4
=> drop view mw0_3
=> drop view w0_3
=> drop view mw0_2
=> drop view w0_2
=> drop view mw0_1
=> drop view w0_1
=> drop view mw0_0
=> drop view w0_0
=> drop view b6
=> drop view b5
=> drop view b4
=> drop view b3
=> drop view b2
=> drop view b1
=> drop table t
