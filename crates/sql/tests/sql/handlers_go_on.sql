=> drop table if exists t1
=> create table t1(id int, a int)
=> insert into t1 values(1,1),(2,2),(3,3)
=> create or replace procedure p1() begin declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; if @c > 20 then signal sqlstate '70100'; end if; end; for r in (select id, nope from t1) do set @n=ifnull(@n,0)+1; end for; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d
=> create or replace procedure p1() begin declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; get diagnostics condition 1 @m=message_text; if @c > 20 then signal sqlstate '70100'; end if; end; for i in 1..(select count(*) from nope) do set @n=ifnull(@n,0)+1; end for; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d,@m
=> create or replace procedure p1() begin declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; if @c > 20 then signal sqlstate '70100'; end if; end; while (select 1 from nope) do set @n=ifnull(@n,0)+1; end while; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d,@m
=> create or replace procedure p1() begin declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; if @c > 20 then signal sqlstate '70100'; end if; end; repeat set @n=ifnull(@n,0)+1; until (select 1 from nope) end repeat; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d,@m
=> create or replace procedure p1() begin declare c cursor for select id from nope; declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; if @c > 20 then signal sqlstate '70100'; end if; end; for r in c do set @n=ifnull(@n,0)+1; end for; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d,@m
=> create or replace procedure p1() begin declare c cursor for select id from t1; declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; if @c > 20 then signal sqlstate '70100'; end if; end; for r in c do set @n=ifnull(@n,0)+1; close c; end for; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d,@m
=> create or replace procedure p1() begin declare continue handler for sqlexception begin set @c=ifnull(@c,0)+1; if @c > 20 then signal sqlstate '70100'; end if; end; case (select 1 from nope) when 1 then set @n=4; else set @n=5; end case; set @d=1; end
=> set @c=0,@n=0,@d=0
=> call p1()
=> select @c,@n,@d,@m
=> drop table if exists t1
=> create table t1(id int, b bit(9), c float, y year, s set('x','y'))
=> insert into t1 values(1,b'1110',1.5,2001,'x'),(2,b'11111',2.5,2002,'y'),(3,b'1',3.5,2003,'x,y')
=> select id, lag(b,2) over (order by id) from t1
=> select id, lag(b,2) over (order by id), max(id) over (order by id range between 2 preceding and current row) from t1
=> select id, max(id) over (order by id range between 2 preceding and current row), lag(b,2) over (partition by id%3 order by id) from t1
=> select id, lag(b,1) over (partition by id%2 order by id, c, s) from t1
=> select id, first_value(b) over (order by id), nth_value(b,1) over (order by id), lead(b) over (order by id) from t1
=> select lag(y) over (order by id), lag(s) over (order by id), lag(c) over (order by id) from t1
=> create or replace function f1() returns int begin declare x varbinary(16) default 'A'; declare continue handler for sqlexception set @h=1; begin declare y int default x; set @z=y; end; return 5; end
=> create or replace function f2() returns int begin declare x varbinary(16) default 'A'; declare continue handler for sqlexception set @h=1; begin declare y int default 7; set y=x; set @z=y; end; return 5; end
=> create or replace function f3() returns int begin declare x varbinary(16) default 'A'; declare y int default 7; declare continue handler for sqlexception set @h=1;  set y=x; set @z=y; return 5; end
=> create or replace function f4() returns int begin declare x varbinary(16) default 'A'; declare y int default 7; declare continue handler for sqlexception begin GET DIAGNOSTICS CONDITION 1 @c = RETURNED_SQLSTATE, @m = MESSAGE_TEXT, @e = MYSQL_ERRNO; end;  set y=x; set @z=y; return 5; end
=> create or replace function f5() returns int begin declare x varbinary(16) default 'A'; declare y int default 7; declare continue handler for sqlexception GET DIAGNOSTICS CONDITION 1 @c = RETURNED_SQLSTATE, @m = MESSAGE_TEXT, @e = MYSQL_ERRNO;  set y=x; set @z=y; return 5; end
=> create or replace procedure p5() begin declare x varbinary(16) default 'A'; declare y int default 7; declare continue handler for sqlexception GET DIAGNOSTICS CONDITION 1 @c = RETURNED_SQLSTATE, @m = MESSAGE_TEXT, @e = MYSQL_ERRNO;  set y=x; set @z=y; end
=> create or replace procedure p6() begin declare x varbinary(16) default 'A'; declare continue handler for sqlexception GET DIAGNOSTICS CONDITION 1 @c = RETURNED_SQLSTATE, @m = MESSAGE_TEXT, @e = MYSQL_ERRNO; begin declare y int default x; declare exit handler for sqlexception set @hh=1; set @z=y; end; set @w=1; end
=> create or replace function f6() returns int begin declare x varbinary(16) default 'A'; declare continue handler for sqlexception GET DIAGNOSTICS CONDITION 1 @c = RETURNED_SQLSTATE, @m = MESSAGE_TEXT, @e = MYSQL_ERRNO; begin declare y int default x; declare exit handler for sqlexception set @hh=1; set @z=y; end; set @w=1; return 5; end
=> create or replace procedure p7(inout a set('x','y','z')) begin set @z=a; end
=> create or replace procedure p8() begin declare d date default '2020-01-02'; declare i int default 5; declare s varchar(2) default 'ab'; declare f float default 1.5; declare e enum('a','b') default 'b'; declare continue handler for sqlexception set @h=ifnull(@h,0)+1; set d='nope'; set i='abc', i=99999999999; set s='abcdef'; set f='big'; set e='zz'; select d,i,s,f,e; end
=> set @h=null,@z=null
=> select f1()
=> select @h,@z
=> set @h=null,@z=null
=> select f2()
=> select @h,@z
=> set @h=null,@z=null
=> select f3()
=> select @h,@z
=> select f4()
=> select @h,@z,@c,@m,@e
=> set @h=null,@z=null,@c=null
=> select f5()
=> select @h,@z,@c,@m,@e
=> set @h=null,@z=null,@c=null
=> call p5()
=> select @h,@z,@c,@m,@e
=> set @h=null,@z=null,@c=null
=> call p6()
=> select @h,@z,@c,@m,@e,@hh,@w
=> set @h=null,@z=null,@c=null
=> select f6()
=> select @h,@z,@c,@m,@e,@hh,@w
=> set @o=1
=> call p7(@o)
=> select @o,@z
=> set @o='1'
=> call p7(@o)
=> select @o,@z
=> set @o=1.0
=> call p7(@o)
=> select @o,@z
=> set @o=null
=> call p7(@o)
=> select @o,@z
=> set @h=null
=> call p8()
=> select @h
=> drop table if exists t1
