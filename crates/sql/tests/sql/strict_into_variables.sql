create table t(s varchar(5));
create table e(s varchar(5));
create table m(s varchar(5), n int);
insert into t values ('a');
insert into m values ('a',1),('1x',2),('3',3);
=> create procedure a1() begin declare v int; select '1x'+1, s into v, @b from t limit 1; select v; end
call a1();
=> create procedure a2() begin declare v int; select '1x'+1, s into v, @b from m limit 1; select v; end
call a2();
=> create procedure a3() begin declare v int; select s+1 into v from m where n=1; select v; end
call a3();
=> create procedure a4() begin declare v int; select s+1 into v from t; select v; end
call a4();
=> create procedure a5() begin declare v int; select n into v from m where s=1; select v; end
call a5();
=> create procedure a6() begin declare v int; select n into v from m where s=3; select v; end
call a6();
=> create procedure a7() begin declare v int; select 1 into v from t where s=0; select v; end
call a7();
=> create procedure a8() begin declare v int; select sum(s) into v from m; select v; end
call a8();
=> create procedure a9() begin declare v int; select sum(s) into v from t; select v; end
call a9();
=> create procedure b1() begin declare v int; select max(s+0) into v from m group by n limit 1; select v; end
call b1();
=> create procedure b2() begin declare v int; select s+0 into v from m order by n limit 1; select v; end
call b2();
=> create procedure b3() begin declare v int; select n into v from m order by s+0 limit 1; select v; end
call b3();
=> create procedure b4() begin declare v int; select '1x'+1 into v from e; select v; end
call b4();
=> create procedure b6() begin declare v int; select n/0 into v from m where n=1; select v; end
call b6();
=> create procedure b7() begin declare v int; select (select '1x'+1) into v from m where n=1; select v; end
call b7();
=> create procedure b8() begin declare v int; select (select s+1 from t) into v; select v; end
call b8();
=> create procedure b9() begin declare v int; select x into v from (select s+1 x from m where n=1) q; select v; end
call b9();
=> create procedure c1() begin declare v int; select '1x'+1 into @v; select @v; end
call c1();
=> create procedure c2() begin declare v int; select '1x'+1 into @v from m where n=1; select @v; end
call c2();
=> create procedure c3() begin declare v int; declare c cursor for select s+1 from m where n=1; open c; fetch c into v; select v; end
call c3();
=> create procedure c4() begin declare v int; select s+1 into v from m where n=1 union select 7 limit 1; select v; end
call c4();
=> create procedure c5() begin declare v int; set v=(select s+1 from m where n=1); select v; end
call c5();
=> create procedure c6() begin declare v int; select '1x'+1 into v from m where n=77; select v; end
call c6();
=> create procedure c7() begin declare v int default 5; select cast(s as int) into v from m where n=1; select v; end
call c7();
=> create procedure c8() begin declare v date default '2020-01-01'; select cast(s as date) into v from m where n=1; select v; end
call c8();
=> create function f2() returns int begin declare v int; select '1x'+1 into v; return v; end
select f2();
=> create procedure d1(out v int) begin select s+1 into v from m where n=1; end
call d1(@z);
=> create procedure d2() begin declare v int; select s+1 into v from m where n in (select n from t where s+1=1); select v; end
call d2();
=> create procedure d3() begin declare v int; select count(*) into v from m where s<5; select v; end
call d3();
=> create procedure d6() begin declare v int; select count(*) into v from m having max(s+1)>0; select v; end
call d6();
=> create procedure d7() begin declare v, w int; select n,s+1 into v,w from m order by n limit 2; select v; end
call d7();
=> create procedure d8() begin declare r row(a int, b int); select n,s+1 into r from m order by n limit 1; select r.a; end
call d8();
=> create procedure second_a1() begin declare v int; select s+1, n into @b, v from m where n=1; select v; end
call second_a1();
=> create procedure second_a2() begin declare v int; select n, s+1 into v, @b from m where n=1; select v; end
call second_a2();
=> create procedure second_a3() begin declare v int; select s+1 into v from m order by n desc; select v; end
call second_a3();
=> create procedure second_a4() begin declare v int; select s+1 into v from m order by n desc limit 1; select v; end
call second_a4();
=> create procedure second_a5() begin declare v int; select distinct s+1 into v from m where n=1; select v; end
call second_a5();
=> create procedure second_a6() begin declare v int; select s+1 into v from m where n=1 group by n; select v; end
call second_a6();
=> create procedure second_a7() begin declare v int; select s+1 into v from m where n=1 group by s; select v; end
call second_a7();
=> create procedure second_a8() begin declare v int; select row_number() over () + s into v from m where n=1; select v; end
call second_a8();
=> create procedure second_a9() begin declare v int; select sum(n)/0 into v from m; select v; end
call second_a9();
=> create procedure second_b3() begin declare v int; select 1 into v where 'x'>0; select v; end
call second_b3();
=> create procedure second_b5() begin declare v int; select (select count(*) from m where s>0) into v; select v; end
call second_b5();
=> create procedure second_b6() begin declare v int; select 1+(select count(*) from m where s>0) into v from m where n=1; select v; end
call second_b6();
=> create procedure second_b7() begin declare v int; select x.s+y.n into v from m x join m y on x.n=y.n where x.n=1; select v; end
call second_b7();
=> create procedure second_b8() begin declare v int; select x.s+y.n into v from m x join m y where x.n=1 and y.n<2 order by y.n+0, x.n+y.n limit 1; select v; end
call second_b8();
=> create procedure second_b9() begin declare v int; select s+1 into v from m where n=1 limit 0; select v; end
call second_b9();
=> create procedure second_c2() begin declare v int; select n div 0 into v from m where n=1; select v; end
call second_c2();
=> create procedure second_c3() begin declare v varchar(9); select date_add(s, interval 1 day) into v from m where n=1; select v; end
call second_c3();
=> create function f1() returns int begin declare v int; select s+1 into v from m where n=1; return v; end
select f1(); select s+f1() from m where n=3;
set sql_mode='';
=> create procedure lenient() begin declare v int; select s+1 into v from m where n=1; select v; end
call lenient(); set sql_mode=default;
drop procedure a1; drop procedure a2; drop procedure a3; drop procedure a4; drop procedure a5; drop procedure a6; drop procedure a7; drop procedure a8; drop procedure a9; drop procedure b1; drop procedure b2; drop procedure b3; drop procedure b4; drop procedure b6; drop procedure b7; drop procedure b8; drop procedure b9; drop procedure c1; drop procedure c2; drop procedure c3; drop procedure c4; drop procedure c5; drop procedure c6; drop procedure c7; drop procedure c8; drop function f2; drop procedure d1; drop procedure d2; drop procedure d3; drop procedure d6; drop procedure d7; drop procedure d8; drop procedure second_a1; drop procedure second_a2; drop procedure second_a3; drop procedure second_a4; drop procedure second_a5; drop procedure second_a6; drop procedure second_a7; drop procedure second_a8; drop procedure second_a9; drop procedure second_b3; drop procedure second_b5; drop procedure second_b6; drop procedure second_b7; drop procedure second_b8; drop procedure second_b9; drop procedure second_c2; drop procedure second_c3; drop function f1; drop procedure lenient;
drop table t, e, m;
