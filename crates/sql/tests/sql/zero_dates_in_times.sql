=> set sql_mode=''
=> create table t (a time(3), b time, c time(6))
=> create table s (d datetime, e date)
=> insert into s values ('0000-00-00 01:02:03', '0000-00-00'), ('0000-00-05 01:02:03', '0000-00-05'), ('0000-01-00 01:02:03', '0000-01-00'), ('2001-02-03 01:02:03', '2001-02-03')
=> insert into t (a) select d from s order by d
=> insert into t (b) select e from s order by e
=> insert into t (a) values ('0000-00-00 00:00:00')
=> insert into t (b) values ('0000-00-00 00:00:00.123')
=> insert into t (c) values ('0000-00-00 00:00:00')
=> insert into t (a) values (cast('0000-00-00 00:00:00' as datetime))
=> insert into t (a) values ('0000-00-00 01:00:00')
=> insert into t (a) values ('0000-00-01 01:00:00')
=> insert into t (a) values ('0000-01-00 01:00:00')
=> insert into t (a) values ('2001-01-00 01:00:00')
=> insert into t (a) values ('0000-00-00')
=> insert into t (a) values ('00000000000000')
=> insert into t (a) values (timestamp'2001-01-01 00:00:00.123456')
=> select * from t order by a, b, c
=> create procedure p(a1 time(3)) select a1
=> set @t = '0000-00-00 00:00:00'
=> call p(@t)
=> call p('0000-00-02 00:00:00')
=> set sql_mode = 'strict_all_tables,no_zero_date'
=> insert into t (a) values ('0000-00-00 01:00:00')
=> insert into t (a) values (cast('0000-00-02 01:00:00' as datetime))
=> drop procedure p
=> drop table s, t
