# SELECT INTO variables of routines in strict mode; names are looked at when a change is prepared.
create table t(s varchar(5), a int);
insert into t values ('a',1),('1',2);
=> create procedure p1() begin declare v int; select '1x'+1 into v; select v; end
call p1();
=> create procedure p2() begin select '1x'+1 into @b; select @b; end
call p2();
=> create procedure p3() begin declare v int; select a into v from t where s = 0 limit 1; select v; end
call p3();
=> create procedure p4() begin declare v int; select a into v from t where a+0 = '1x' limit 1; select v; end
call p4();
=> create procedure p5() begin declare v int; select a into v from t order by s+0 limit 1; select v; end
call p5();
=> create procedure p6() begin declare v int; select max(s+0) into v from t; select v; end
call p6();
=> create procedure p8() begin declare v int; select 1/0 into v; select v; end
call p8();
=> create procedure p9() begin declare v int; select 5 into v from t where s+0 = 1; select v; end
call p9();
=> create function f3() returns int begin declare v int; select '1x'+1 into v; return v; end
select f3();
=> create procedure q1() begin declare v int; declare continue handler for sqlexception set v = 99; select '1x'+1 into v; select v; end
call q1();
=> create procedure q2() begin declare v int; declare c cursor for select s+0 from t; open c; fetch c into v; select v; close c; end
call q2();
=> create procedure q3() begin declare v int; if '1x'+1 then select 'yes'; end if; end
call q3();
=> create procedure q4() begin declare v varchar(3); select concat('abc','def') into v; select v; end
call q4();
=> create procedure q5() begin declare v date; select '2020-13-01' into v; select v; end
call q5();
=> create procedure q6() begin declare v int; select cast('x' as signed) into v; select v; end
call q6();
=> create procedure q7() begin declare v int; select s into v from t where a=1; select v; end
call q7();
=> create procedure q8() begin declare v int; select count(*) into v from t where s+0=1; select v; end
call q8();
select '1x'+1 into @b;
select @b;
drop table t;
create table t(a int, b varchar(5));
create table s(x int not null);
create view zv as select a from t;
prepare ps from 'insert into nosuch(a) values (?)';
prepare ps from 'insert into t(zz) values (?)';
prepare ps from 'insert into t(a) values (1,2)';
prepare ps from 'insert into t(a) values (1),(2,3)';
prepare ps from 'insert into t select * from nosuch';
prepare ps from 'insert into t(a) values (?) on duplicate key update zz=1';
prepare ps from 'insert into t(a) values (zz)';
prepare ps from 'insert into t(a) values (?) returning zz';
prepare ps from 'replace into nosuch values (1)';
prepare ps from 'update t set zz=1';
prepare ps from 'update nosuch set a=1';
prepare ps from 'delete from nosuch';
prepare ps from 'delete from t where zz=1';
prepare ps from 'delete t from t,nosuch';
prepare ps from 'delete from t limit ?';
prepare ps from 'insert into zv(a) values (?)';
prepare ps from 'insert into zv(zz) values (?)';
prepare ps from 'insert into t values (?,?)';
prepare ps from 'insert into t values (?,?,?)';
prepare ps from 'insert into t set a=?, zz=?';
prepare ps from 'update t set a=? where b=? limit ?';
prepare ps from 'insert into t(a,b) select a, ? from t where b like ? limit ?';
prepare ps from 'insert into nodb.t values (?)';
prepare ps from 'update zv set zz=1';
prepare ps from 'insert into t(a) values (?) on duplicate key update a=values(zz)';
prepare ps from 'insert into t(a) values (?)';
drop table t;
set @a = 1;
execute ps using @a;
prepare ps from 'insert into t(a) values (?)';
create table t(a date, b int, c int not null);
prepare ps from 'insert into t(a) values (?)';
prepare ps from 'insert into t(a,c) values (?,1)';
set @a = 'x';
execute ps using @a;
prepare ps from 'update t set a=? where b=?';
lock tables s read;
prepare ps from 'insert into t(a) values (?)';
prepare ps from 'update t set a=1';
unlock tables;
