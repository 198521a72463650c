# SELECT ... INTO variables that finds several rows: the first one's values are assigned before error 1172.
create table w (a int, b int); insert into w values (1, 2), (3, 4); set @a = 9, @b = 9; select a, b from w order by a into @a, @b; select @a, @b; set @a = 9, @b = 9; select a, b into @a, @b from w where a > 5; select @a, @b; select a, b into @a from w; select @a, @b;
=> create procedure p1() begin declare x, y int default 7; declare continue handler for sqlexception select 'h', x, y; select a, b into x, y from w order by a; select x, y; end
=> create procedure p2() begin declare x tinyint default 7; declare y int default 7; declare continue handler for sqlexception select 'h', x, y; select 1000, b into x, y from w order by a; select x, y; end
=> create procedure p3() begin declare r row(a int, b int); declare continue handler for sqlexception select 'h', r.a, r.b; select a, b into r from w order by a; select r.a, r.b; end
=> create procedure p4() begin declare x tinyint default 7; declare y int default 7; declare continue handler for sqlexception begin get diagnostics @n = number; get diagnostics condition 1 @m = message_text; select 'h', x, y, @n, @m; end; set sql_mode = ''; select 1000, b into x, y from w order by a; show warnings; select x, y; end
=> create procedure p5() begin declare x tinyint default 7; declare y int default 7; set sql_mode = ''; select 1000, b into x, y from w order by a; end
=> create procedure p6() begin declare x tinyint default 7; declare y int default 7; set sql_mode = ''; select 1000, b into x, y from w where a = 1; show warnings; end
call p1(); call p2(); call p3(); call p4(); show warnings; call p5(); show warnings; call p6(); show warnings;
set @a = 9; select a from w union select b from w order by 1 into @a; select @a; select a from w where a < 2 into @a; select row_count(); select a from w order by a into @a; select row_count(), @a;
set @a = 9; select 1 from w where a = 1 or (select a from w) = 1 order by a into @a; select @a; set @a = 9, @b = 1; select a, @b := @b + 1 from w into @a, @b; select @a, @b;
drop procedure p1; drop procedure p2; drop procedure p3; drop procedure p4; drop procedure p5; drop procedure p6; drop table w;
