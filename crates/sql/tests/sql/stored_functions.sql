# Stored functions: where they may stand, what they warn of, what is refused.
=> set sql_mode=''
=> create table t1 (a int primary key)
=> insert into t1 values (1)
=> create procedure a1(v tinyint) begin select count(*) from t1; end
=> call a1('12x')
=> create procedure a2(v tinyint) begin declare x tinyint; set x = 'a'; select count(*) from t1; end
=> call a2(1)
=> create procedure a3(v tinyint) begin declare x tinyint; set x = 'a'; set x = 300; end
=> call a3(1)
=> create procedure a4(v tinyint) begin declare x tinyint; set x = 'a'; select count(*) into x from t1; show warnings; set x = 2; show warnings; end
=> call a4(1)
=> create procedure a5(v tinyint) begin declare x tinyint; select cast('1x' as signed); select cast('2x' as signed) from t1; show warnings; insert into t1 values (2); show warnings; end
=> call a5(1)
=> create procedure a6() begin declare x tinyint; set x='a'; call a2(1); show warnings; end
=> call a6()
=> create procedure a7(v tinyint) begin declare x tinyint default v; show warnings; end
=> call a7('zz')
=> create procedure a8(v tinyint) begin declare x tinyint; if v = 1 then set x = 'a'; end if; if (select count(*) from t1) then begin end; end if; show warnings; end
=> call a8('1z')
=> create function g(v tinyint) returns int begin declare x tinyint; set x = 'q'; return 5; end
=> select g('y')
=> select g('y') from t1
=> create function g2() returns int begin declare x int; select a into x from t1 where a=77; return 1; end
=> select g2()
=> create function g3() returns int begin insert into t1 values (1); return 1; end
=> select g3()
=> create function g4() returns int begin declare continue handler for sqlexception begin end; insert into t1 values (1); return 1; end
=> select g4()
=> create function g5() returns int begin end
=> create function g5() returns int begin if 0 then return 1; end if; end
=> select g5()
=> create function g6() returns tinyint return 1000
=> select g6()
=> create function g7(a int) returns int return g7(a-1)
=> select g7(1)
=> create function g8() returns int begin update t1 set a = 9 where a = 2; return 3; end
=> select g8() from t1
=> select g8()
=> insert into t1 values (g8())
=> select g8(1)
=> select test.g6()
=> select g_nosuch(1)
=> create function g9() returns varchar(5) return 'abcdefghij'
=> select g9()
=> set sql_mode=default
=> create function g10() returns varchar(5) return 'abcdefghij'
=> select g10()
=> select concat(g9(), 1), g9() + 0, length(g9())
=> create table t5 engine=myisam as select g9() as x, g6() as y
=> show create table t5
=> create table t9 (k int primary key, v int)
=> insert into t9 values (1,10),(2,20),(3,30)
=> create function total() returns int reads sql data return (select sum(v) from t9)
=> create function val(n int) returns int begin declare r int; select v into r from t9 where k = n; return r; end
=> select total(), val(2), val(9)
=> select k, val(k) + 1 as w from t9 where val(k) > 10 order by val(k) desc
=> select k from t9 group by val(k) having max(val(k)) < 30 order by 1
=> select sum(val(k)), max(val(k)) from t9
=> update t9 set v = v + 1 where k = 2
=> select val(2)
=> create table t10 (a int, b varchar(20))
=> insert into t10 values (total(), val(1)), (val(3), concat('x', val(2)))
=> select * from t10
=> create function twice(x int) returns int return x * 2
=> create function four(x int) returns int return twice(twice(x))
=> select four(3), twice(four(1)), test.four(2)
=> create function looped(n int) returns int begin declare s int default 0; for i in 1..n do set s = s + i; end for; return s; end
=> select looped(10), looped(0)
=> create function noted(x int) returns int begin insert into t10 values (x, 'noted'); return x; end
=> select noted(k) from t9
=> select * from t10 order by a, b
=> select noted(1), noted(2)
=> select count(*) from t10
=> create function dyn() returns int begin prepare s from 'select 1'; return 1; end
=> create function rs() returns int begin select 1; return 1; end
=> create function ddl() returns int begin create table zz (a int); return 1; end
=> create function cm() returns int begin commit; return 1; end
=> create function fl() returns int begin flush tables; return 1; end
=> create procedure uses(x int) begin declare y int default twice(x); set y = y + twice(y); select y, twice(y), val(x); end
=> call uses(1)
=> create function handled() returns varchar(30) begin declare exit handler for not found return 'none'; declare exit handler for sqlexception return 'error'; signal sqlstate '45000'; return 'no'; end
=> select handled()
=> create function up(s varchar(10)) returns varchar(10) charset utf8mb4 return upper(s)
=> select up('abc'), collation(up('abc'))
=> select upper(up('x')), concat(up('q'), 'r'), up(123)
=> drop function twice
=> select four(1)
=> drop function if exists twice
=> drop function nosuch
=> create function twice(x int) returns int return x * 3
=> select four(1)
=> create or replace function twice(x int) returns bigint return x * 4
=> select four(1)
=> show create function twice
=> select routine_name, routine_type, data_type, dtd_identifier, character_maximum_length, numeric_precision, is_deterministic, sql_data_access, security_type, definer from information_schema.routines where routine_schema = 'test' order by 1
=> select specific_name, ordinal_position, parameter_mode, parameter_name, data_type, dtd_identifier, character_set_name from information_schema.parameters where specific_schema = 'test' order by 1, 2
=> drop database test
=> create database test
=> use test
=> select four(1)
=> select count(*) from information_schema.routines where routine_schema = 'test'
