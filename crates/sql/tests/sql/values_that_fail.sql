=> create function f() returns int begin signal sqlstate '45000'; return 3; end
=> create procedure p1() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x=9223372036854775807+1; select x; end
=> create procedure p2() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x=(select 1 union select 2); select x; end
=> create procedure p3() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x=f(); select x; end
=> create procedure p4() begin declare x varchar(10) default 7; declare continue handler for sqlexception set @e=1; set x=concat('a',exp(1000)); select x; end
=> create procedure p5() begin declare x varchar(10) default 7; declare continue handler for sqlexception set @e=1; set x=concat('a',f()); select x; end
=> create procedure p6() begin declare x varchar(10) default 7; declare continue handler for sqlexception set @e=1; set @x=exp(1000); select @x; set @x=concat('a',exp(1000)); select @x; set @x=f(); select @x; set @x=(select 1 union select 2); select @x; end
=> create procedure p8() begin declare x decimal(5,2) default 7; declare continue handler for sqlexception set @e=1; set x='x'; select x; set x=exp(1000); select x; set x=99999; select x;end
=> create procedure p9() begin declare x int default exp(1000);  declare y int default f(); select x,y; end
=> set @x=5
=> call p1()
=> call p2()
=> call p3()
=> call p4()
=> call p5()
=> call p6()
=> call p8()
=> call p9()
=> drop table if exists t
=> create table t (id int, c int, d int)
=> create table u (id int, n int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception get diagnostics condition 1 @m = message_text; set new.c=(select n from u limit 1); set new.d=9; end
=> alter table t drop column c
=> insert into t (id) values (1)
=> select @m
=> insert into t (id) values (1)
=> select @m
=> drop table u
=> insert into t (id) values (1)
=> select @m
=> create table u (id int)
=> insert into t (id) values (1)
=> select @m
=> drop trigger g
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception get diagnostics condition 1 @m = message_text; set new.c=nosuch(); set new.d=9; end
=> create or replace trigger g before insert on t for each row begin declare continue handler for sqlexception get diagnostics condition 1 @m = message_text; set new.c=nosuch; set new.d=9; end
=> insert into t (id) values (1)
=> select @m
=> select * from t
