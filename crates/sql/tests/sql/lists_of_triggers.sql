=> set sql_mode=''
=> create table tr (id int, c3 time, v int)
=> create trigger g after insert on tr for each row begin declare continue handler for sqlexception get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; resignal; end
=> set @c=0, @m=0, @e=0
=> insert into tr values (1,'x',3)
=> select @c,@m,@e
=> set @c=0, @m=0, @e=0
=> insert into tr values (1,'12:00:00',3)
=> select @c,@m,@e
=> set @c=0, @m=0, @e=0
=> insert into tr values (1,'12:00:00',3), (1,'x', 2), (1,'12:00:00', 2)
=> select @c,@m,@e
=> drop trigger g
=> create trigger g after insert on tr for each row begin declare continue handler for sqlexception get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; set @z = cast('x' as signed); resignal; end
=> set @c=0, @m=0, @e=0
=> insert into tr values (1,'x',3)
=> select @c,@m,@e
=> drop trigger g
=> create trigger g after insert on tr for each row begin declare continue handler for sqlexception begin get diagnostics @n = number; get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; end; signal sqlstate '45000'; end
=> set @c=0, @m=0, @e=0, @n=0
=> insert into tr values (1,'x',3)
=> select @c,@m,@e,@n
=> drop trigger g
=> create trigger g after insert on tr for each row begin declare continue handler for sqlexception begin get diagnostics @n = number; get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; end; resignal; end
=> set @c=0, @m=0, @e=0, @n=0
=> insert into tr values (1,'x',3)
=> select @c,@m,@e,@n
=> create procedure p() begin declare continue handler for sqlexception begin get diagnostics @n = number; get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; end; set @z = cast('x' as signed); resignal; end
=> set @c=0, @m=0, @e=0, @n=0
=> call p()
=> select @c,@m,@e,@n
=> set @z = cast('x' as signed)
=> call p()
=> select @c,@m,@e,@n
=> create function f() returns int begin declare continue handler for sqlexception begin get diagnostics @n = number; get diagnostics condition 1 @c = returned_sqlstate, @m = message_text, @e = mysql_errno; end; resignal; return 1; end
=> select cast('x' as signed), f()
=> select @c,@m,@e,@n
=> select @c,@m,@e,@n
=> drop procedure p
=> drop function f
=> drop table tr
=> set sql_mode=default
=> create table tw (id int, c int)
=> insert into tw values (1,1),(2,2),(3,3)
=> create function fw(x int) returns decimal(5,2) return concat('A', x)
=> create function fv(x varchar(5)) returns int begin declare y int; set y = x; return y; end
=> select id, fw(1) from tw
=> select id, fv('x') from tw
=> select id, fv('x'), fw(id), fv('x') from tw
=> create trigger gw after insert on tw for each row begin declare y int; set y = 'x'; end
=> insert into tw values ('4x', 2), (1, '4x')
=> insert into tw values ('4x', fv('x')), (fw(2), '4x')
=> create procedure pw() begin declare y int; set y = 'x'; select fv('x') from tw; end
=> call pw()
=> drop table tw
=> drop function fw
=> drop function fv
=> drop procedure pw
