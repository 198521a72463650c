# Flow, variables, cursors, handlers, conditions, and what is refused.
=> create table t1 (a int primary key, b varchar(20))
=> insert into t1 values (1,'one'),(2,'two'),(3,'three')
=> create procedure w(n int) begin declare i int default 0; declare s varchar(100) default ''; while i < n do set i = i + 1; if i = 3 then set s = concat(s, '[three]'); elseif i = 5 then set s = concat(s,'[five]'); else set s = concat(s, i); end if; end while; select s, i; end
=> call w(7)
=> call w(0)
=> call w(null)
=> create procedure rp(n int) begin declare i int default 0; repeat set i = i + 2; until i >= n end repeat; select i; end
=> call rp(5)
=> create procedure lp() begin declare i int default 0; a: loop set i = i + 1; if i < 4 then iterate a; end if; if i > 6 then leave a; end if; select i; end loop a; select 'end', i; end
=> call lp()
=> create procedure cs(x int) begin case x when 1 then select 'one'; when 2 then select 'two'; else begin end; end case; case when x > 5 then select 'big'; when x is null then select 'null'; else select 'small'; end case; end
=> call cs(1)
=> call cs(2)
=> call cs(9)
=> call cs(null)
=> create procedure cs2(x varchar(10)) begin case x when 'a' then select 1; end case; end
=> call cs2('a')
=> call cs2('b')
=> show warnings
=> create procedure cur() begin declare done int default 0; declare x int; declare y varchar(20); declare c cursor for select a, b from t1 order by a; declare continue handler for not found set done = 1; open c; l: loop fetch c into x, y; if done then leave l; end if; select x, y; end loop; close c; end
=> call cur()
=> show warnings
=> create procedure cur2() begin declare x int; declare c cursor for select a, b from t1; open c; fetch c into x; end
=> call cur2()
=> create procedure cur3() begin declare x int; declare c cursor for select a from t1; open c; open c; end
=> call cur3()
=> create procedure cur4() begin declare x int; declare c cursor for select a from t1; close c; end
=> call cur4()
=> create procedure cur5() begin declare x int; declare c cursor(p int, q varchar(10)) for select a from t1 where a > p and b <> q; open c(1, 'three'); fetch c into x; select x; close c; open c(0, 'one'); fetch c into x; select x; end
=> call cur5()
=> create procedure fc() begin for r in (select a, b from t1 order by a desc) do select r.a, r.b; end for; for i in 2..4 do select i; end for; for i in reverse 1..2 do select i; end for; x: for i in 1..10 do if i = 3 then leave x; end if; if i = 1 then iterate x; end if; select i; end for x; end
=> call fc()
=> create procedure dml() begin declare v int default 10; insert into t1 values (v, 'ten'); update t1 set b = concat(b, v) where a = v; select * from t1 where a = v; delete from t1 where a >= v; select row_count(), v; select count(*) into v from t1; select v; select a, b into v, @z from t1 where a = 2; select v, @z; end
=> call dml()
=> call dml()
=> create procedure h1() begin declare continue handler for 1062 select 'dup'; declare exit handler for sqlexception select 'other'; insert into t1 values (1, 'x'); select 'went on'; insert into nosuch values (1); select 'not here'; end
=> call h1()
=> show warnings
=> create procedure h2() begin declare continue handler for sqlstate '23000' select 'state'; declare continue handler for 1062 select 'code'; declare continue handler for sqlexception select 'exception'; insert into t1 values (1, 'x'); begin declare continue handler for sqlexception select 'inner'; insert into t1 values (1, 'x'); end; end
=> call h2()
=> create procedure h3() begin declare exit handler for sqlexception begin select 'outer'; end; begin declare exit handler for sqlexception begin select 'inner'; insert into nosuch values (2); select 'no'; end; insert into nosuch values (1); end; select 'no'; end
=> call h3()
=> create procedure h4() begin declare exit handler for sqlexception begin resignal set message_text = 'changed'; end; insert into t1 values (1, 'x'); end
=> call h4()
=> show warnings
=> create procedure h5() begin declare exit handler for sqlexception begin resignal sqlstate '45001' set message_text = 'new one', mysql_errno = 5000; end; insert into t1 values (1, 'x'); end
=> call h5()
=> show warnings
=> create procedure h6() begin declare c1 condition for sqlstate '45000'; declare continue handler for c1 begin get diagnostics @n = number, @r = row_count; get diagnostics condition 1 @s = returned_sqlstate, @m = message_text, @e = mysql_errno, @t = table_name; select @n, @r, @s, @m, @e, @t; end; signal c1 set message_text = 'mine', table_name = 'tt'; select 'after'; end
=> call h6()
=> show warnings
=> signal sqlstate '45000'
=> signal sqlstate '01000' set message_text = 'warn'
=> show warnings
=> signal sqlstate '02000'
=> signal sqlstate '00000'
=> signal sqlstate '4500'
=> resignal
=> get diagnostics @x = number
=> select @x
=> get diagnostics condition 5 @x = message_text
=> show warnings
=> begin not atomic declare a, b int default 3; declare c varchar(5) default concat('x', a); select a, b, c; set a = 1, b = a + 1; select a, b; end
=> begin not atomic declare exit handler for not found select 'nf'; select a into @q from t1 where a = 99; select 'no'; end
=> begin not atomic declare a int; declare a int; end
=> begin not atomic select nosuchvar; end
=> begin not atomic set nosuchvar = 1; end
=> begin not atomic leave x; end
=> begin not atomic return 1; end
=> begin not atomic declare c cursor for select 1; declare x int; end
=> begin not atomic declare continue handler for sqlexception begin end; declare c cursor for select 1; end
=> begin not atomic declare continue handler for 1062, 1062 begin end; end
=> begin not atomic a: begin b: begin leave a; end b; end a; end
=> begin not atomic a: begin a: begin end; end; end
=> begin not atomic a: begin end b; end
=> if 1 then select 'yes'; else select 'no'; end if
=> case 3 when 3 then select 'three'; end case
=> while 0 do select 1; end while
=> create procedure rec(n int) begin select n; if n > 0 then call rec(n - 1); end if; end
=> call rec(1)
=> set max_sp_recursion_depth = 10
=> call rec(3)
=> call rec(20)
=> create procedure io(in a int, out b int, inout c int) begin set b = a + 1; set c = c + b; end
=> create procedure io2() begin declare x, y int default 5; call io(1, x, y); select x, y; end
=> call io2()
=> set @c = 7
=> call io(10, @b, @c)
=> select @b, @c
=> call io(1, @b)
=> call io(1, 2, @c)
=> drop procedure nosuch
=> drop procedure if exists nosuch
=> show warnings
=> create procedure rec() select 1
=> create procedure if not exists rec() select 1
=> show warnings
=> create or replace procedure rec() comment 'x' sql security invoker no sql deterministic select 1
=> show create procedure rec
=> alter procedure rec comment 'new' reads sql data
=> show create procedure rec
=> alter procedure nosuch comment 'x'
=> create procedure bad() use test
=> create procedure bad() lock tables t1 read
=> create procedure bad(a int, a int) select 1
=> create procedure bad() create procedure bad2() select 1
=> create procedure bad() drop procedure rec
=> create procedure bad() return 1
=> create procedure nodb.bad() select 1
=> create procedure ps() begin prepare s from 'select ? + 1'; set @v = 4; execute s using @v; deallocate prepare s; execute immediate 'select 77'; end
=> call ps()
=> create procedure lim(n int, o int) select a from t1 order by a limit n offset o
=> call lim(2, 1)
=> call lim(1, 0)
=> create procedure uv() begin set @u = 5; select @u; set @u = @u + 1; select @u; end
=> call uv()
=> create procedure sm() begin declare x tinyint; set sql_mode = ''; set x = 1000; select x, @@sql_mode; end
=> call sm()
=> select @@sql_mode
=> create procedure ctas() begin declare v decimal(5,2) default 1.5; declare d date default '2020-01-02'; declare s varchar(10) default 'abc'; create or replace table t2 engine=MyISAM as select v, d, s, v + 1 as w; show create table t2; select * from t2; end
=> call ctas()
=> call p_nosuch(1)
=> call nodb.x()
