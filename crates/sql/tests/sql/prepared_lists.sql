=> create table t1 (a int, d date, t time, f double)
=> insert into t1 values (1,'2020-01-01','10:00:00',1.5),(2,'2020-01-02','11:00:00',2.5)
=> update t1 set f = 3 where a in ('x', 'y')
=> update t1 set f = 3 where a not in ('x', 'y')
=> update t1 set f = 3 where a = 'x'
=> update t1 set f = 3 where d in ('2018', '2020-01-01')
=> update t1 set f = 3 where t in ('a', '10:00:00')
=> update t1 set f = 3 where d not in (current_date(), 'a')
=> insert into t1 select 3, null, null, 4 from t1 where a in ('x', '1y')
=> insert into t1 (a) values (1 in ('x', 2))
=> insert into t1 (a) values (1 in ('x', 'z'))
=> select * from t2
=> create table t4 (a int check (a not in (1, 'y')), b int)
=> insert into t4 values (2,1)
=> create table t5 (a varchar(10) check (a not in (1, 2)), b int)
=> insert into t5 values ('x',1)
=> insert into t5 values ('5',1)
=> delete from t1 where a in ('x','y')
=> select * from t1
=> update t1 set f = 3 where a in ('x')
=> update t1 set f = 3 where a in ('x', null)
=> update t1 set f = 3 where a in (f, 'x')
=> update t1 set f = 3 where a between 'x' and 'y'
=> update t1 set f = 3 where case a when 'x' then 1 when 'y' then 1 end
=> delete from t1 where d in ('', '2020-01-01')
=> insert into t1 select 3, null, null, 4 from t1 where d in (20200101, 5)
=> prepare s from 'update t1 set f = 4 where a in (?, ?)'
=> set @a = 'x', @b = 'y'
=> execute s using @a, @b
=> update t1 set f = field(a, 'x', 'y')
=> update t1 set f = f + (a in ('x','z')) where a not in ('r','s')
