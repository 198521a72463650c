=> create table tt (a int)
=> insert into tt values (1),(2),(3)
=> create table lg (v int)
=> create function f() returns int begin return row_count(); end
=> create function f2() returns int begin declare x int; set x = row_count(); insert into lg values (x); set x = row_count(); insert into lg values (x); return row_count(); end
=> create function f3(a int) returns int begin if row_count() >= 0 then insert into lg values (a),(a); end if; return row_count(); end
=> select f(), row_count()
=> select f2(), row_count()
=> select f3(a) from tt
=> select row_count()
=> insert into tt values (4),(5)
=> select f3(1), row_count()
=> select row_count()
=> insert into tt values (4),(5)
=> set @y = f3(2)
=> select row_count()
=> update tt set a = 2 where f()>=0
=> insert into tt values (f())
=> select row_count()
=> insert into tt values (4),(5)
=> do f2()
=> select * from lg
=> select * from tt
=> insert into tt values (4),(5)
=> select f() from tt
=> select f() from tt
=> delete from lg
=> insert into tt values (4),(5)
=> select 1
=> select f3(a) from tt
=> insert into tt values (4),(5)
=> do 1
=> select f3(a), row_count() from tt
=> drop table tt, lg
=> drop function f
=> drop procedure p
=> create table tt (a int)
=> create table lg (v int)
=> create function g(x int) returns int begin declare r int default row_count(); insert into lg values (x),(x); set @a = concat(ifnull(@a,''), ',', r); return r; end
=> create function h(x int) returns int begin declare r int default row_count(); set @a = concat(ifnull(@a,''), ',', r); return r; end
=> create function k(x int) returns int begin set @a = concat(ifnull(@a,''), ',', row_count()); delete from lg where v=-1; set @a = concat(ifnull(@a,''), ';', row_count()); return 1; end
=> create trigger g1 before insert on tt for each row begin set @a = concat(ifnull(@a,''), ',', row_count()); insert into lg values (1),(2); end
=> create trigger g2 after insert on tt for each row begin set @a = concat(ifnull(@a,''), ';', row_count()); end
=> insert into tt values (1),(2),(3)
=> set @a=''
=> select g(a), row_count(), h(a) from tt
=> set @a=''
=> insert into tt values (1)
=> select g(a), row_count(), h(a), found_rows(), last_insert_id() from tt
=> select @a
=> set @a=''
=> insert into tt select g(a) from tt
=> select row_count()
=> select @a
=> set @a=''
=> update tt set a = g(a)
=> select row_count()
=> select @a
=> set @a=''
=> update tt set a = k(a)+1 where k(a)
=> select row_count()
=> select @a
=> set @a=''
=> do k(1), k(2), k(3)
=> select row_count()
=> set @a=''
=> set @x = k(1), @y = k(2), @z = row_count()
=> select row_count()
=> select @a,@z
=> set @a=''
=> delete from tt where g(a) > 100
=> select row_count()
=> select @a
=> set @a=''
=> select @a
=> create procedure p2(x int) begin set @a = concat(@a,'?',row_count()); end
=> drop table if exists t7
=> create table t7 (id int, a int)
=> create trigger g7 before insert on t7 for each row begin declare x int; if row_count() >= 0 then set x = 1; end if; end
=> create trigger g8 before insert on t7 for each row set @r = row_count()
=> select 1
=> insert into t7 values (1, 1)
=> select @r
=> update t7 set a = 2
=> insert into t7 values (1, 1), (2, 2)
=> select @r
=> drop table t7
=> begin not atomic declare a text character set utf8mb4; declare b bit(9) default b'110101000'; set a = b; select hex(a); end
=> begin not atomic declare a text character set latin1; declare b bit(9) default b'110101000'; set a = b; select hex(a); end
