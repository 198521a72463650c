=> create table l (a varchar(99))
=> create procedure p(a smallint unsigned) begin insert into l values (concat('p',ifnull(a,'-'))); select a; end
=> create function f(a smallint unsigned) returns int begin insert into l values (concat('f',ifnull(a,'-'))); return a; end
=> create procedure q(inout a smallint unsigned) begin set a = a + 1; end
=> create procedure r(out a tinyint) begin set a = 100; end
=> set @t=-42.33, @s='abc', @d=1e10, @n=70000
=> call p(@t)
=> call p(@s)
=> call p(@d)
=> call p(@n)
=> call q(@t)
=> call q(@s)
=> select @t,@s
=> prepare s from 'call p(?)'
=> set sql_mode=''
=> call p(@t)
=> call p(@s)
=> call p(@d)
=> execute s using @t
=> call q(@t)
=> select @t
=> select * from l order by a
