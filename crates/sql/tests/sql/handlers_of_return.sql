=> set sql_mode=''
=> create function f1(a0 text) returns decimal(30,12) begin declare continue handler for sqlwarning get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; return a0; end
=> select f1('zz')
=> select @c, @m, @e
=> create function f3(a0 text) returns decimal(30,12) begin declare exit handler for sqlwarning return 7; return a0; end
=> select f3('zz'), f3('1')
=> create function f4(a0 text) returns decimal(30,12) begin declare continue handler for sqlwarning set @h=5; set @k=0; l: loop set @k=@k+1; if @k > 3 then leave l; end if; end loop; return a0; end
=> select f4('zz'), @h
=> create function f8(a0 text) returns datetime(6) begin declare continue handler for sqlwarning get diagnostics condition 1 @m = message_text; return left(a0,2); end
=> select f8('zz')
=> select @m
=> create function f9(a0 text) returns tinyint begin declare continue handler for sqlwarning begin end; return a0; end
=> select f9('300'), f9('zz')
=> create procedure p1() begin declare continue handler for sqlwarning get diagnostics condition 1 @m2 = message_text; select f9('300'); select 1; end
=> call p1()
=> select @m2
=> create function g3(a0 text) returns tinyint begin declare exit handler for sqlwarning begin set @x = 1; end; return a0; end
=> select g3('300'), @x
=> create table t (id int, c1 int)
=> create procedure p2() begin declare x int; declare continue handler for not found select id into x from t where c1 = 7; select id into x from t where id = 3; end
=> call p2()
=> show warnings
=> create procedure p3() begin declare x int; declare continue handler for not found begin end; select id into x from t where id = 3; end
=> call p3()
=> show warnings
=> create table ai (a tinyint auto_increment primary key)
=> create procedure p4() begin declare continue handler for sqlexception get diagnostics condition 1 @s = returned_sqlstate, @e = mysql_errno; insert into ai values (127); insert into ai values (null); end
=> call p4()
=> select @s, @e
=> create table tz (id int, c datetime not null, d date, n tinyint)
=> create trigger tr before insert on tz for each row set new.c=new.c, new.d=new.d
=> insert into tz values (1,'0000-00-00','0000-00-00',1)
=> set sql_mode='STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE'
=> insert into tz values (2,now(),'2020-01-01',1),(3,x'4142',x'4142',2)
=> insert ignore into tz values (2,now(),'2020-01-01',1),(3,x'4142',x'4142',2)
=> drop trigger tr
=> set sql_mode=''
=> create trigger tr before update on tz for each row set new.c=new.c
=> set sql_mode='TRADITIONAL'
=> update tz set id=id+1
=> drop trigger tr
=> create trigger tr before update on tz for each row set new.c=old.c
=> update tz set id=id+1
=> select id, year(c) > 2000, d, n from tz order by id, d
=> create table w (a varchar(5) character set ucs2, d decimal(10,2))
=> insert into w values ('2',2)
=> set @n = convert('2' using ucs2)
=> select @n=2, @n in (1,2), case @n when 2 then 1 end, cast(@n as decimal(5,2))
=> select a+0, a=2, a=d, a+d from w
