=> create procedure p2(a bigint unsigned) begin declare x text; set x = -a; select x; end
=> call p2(18446744073709551615)
=> call p2(5)
=> call p2(9223372036854775808)
=> call p2(9223372036854775809)
=> create procedure p3(a bigint unsigned) begin select -a, -a + 0; end
=> call p3(18446744073709551615)
=> call p3(9223372036854775808)
=> call p3(5)
=> create table t (c bigint unsigned)
=> insert into t values (18446744073709551615),(5)
=> create table l (x text)
=> create trigger tr before delete on t for each row insert into l values (-old.c)
=> delete from t
=> select * from l
=> create procedure p4(a bigint unsigned) begin declare i int default 0; while i < 2 do select -a; set a = 5; set i = i + 1; end while; end
=> call p4(18446744073709551615)
=> create procedure p5(a bigint unsigned) begin declare i int default 0; while i < 2 do select -a; set a = 18446744073709551615; set i = i + 1; end while; end
=> call p5(5)
=> create function g1(a bigint unsigned) returns text return a + 1
=> select g1(18446744073709551615)
=> create function g3(a bigint unsigned) returns bigint begin declare v bigint unsigned default a; return v * 2; end
=> select g3(18446744073709551615)
=> create function g4(a bigint) returns text return -a
=> select g4(-9223372036854775808)
=> prepare s from 'select -?'
=> set @a=18446744073709551615
=> execute s using @a
=> set @a=7
=> execute s using @a
=> create procedure a4(in a1 int) begin declare continue handler for sqlwarning get diagnostics condition 1 @m = message_text; begin declare x varchar(10); end; end
=> set sql_mode=''
=> call a4(3000000000)
=> select @m
