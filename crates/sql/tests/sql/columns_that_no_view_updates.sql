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
