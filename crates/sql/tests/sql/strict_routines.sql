=> drop table if exists t1
=> create table t1(id int, c2 datetime not null, c0 time, n int)
=> set sql_mode=''
=> insert into t1 values(1,0,null,1),(2,'2020-01-01',null,2)
=> set sql_mode=default
=> create or replace procedure p1(d datetime) begin declare x datetime; set x = d + interval 3 day; select x; end
=> create or replace procedure p2(d datetime) begin declare x int; set x = cast('abc' as signed); select x; end
=> create or replace procedure p3(d datetime) begin declare x int; set x = 1/0; select x; end
=> create or replace procedure p4(d datetime) begin declare x int default cast('12abc' as signed); select x; end
=> create or replace procedure p5(d varchar(20)) begin declare x datetime; set x = d + interval 3 day; select x; end
=> create or replace procedure p6(d varchar(20)) begin if d + interval 3 day then select 1; else select 2; end if; end
=> create or replace procedure p7(d varchar(20)) begin set @x= d + interval 3 day; select @x; end
=> create or replace function f8(d varchar(20)) returns date return d + interval 3 day
=> create or replace function f9(d varchar(20)) returns int return cast(d as signed)
=> call p1(0)
=> call p1('2020-01-01')
=> call p2(null)
=> call p3(null)
=> call p4(null)
=> call p5('0000-00-00')
=> create trigger g18 before update on t1 for each row SET NEW.c0 = OLD.c2 + interval 3 day
=> update t1 set id=id+10
=> drop trigger g18
=> create trigger g18 before update on t1 for each row SET NEW.n = cast('abc' as signed)
=> update t1 set id=id+10
=> drop trigger g18
=> create trigger g18 before update on t1 for each row SET NEW.n = 1/0
=> update t1 set id=id+10
=> drop trigger g18
=> create trigger g18 before update on t1 for each row SET NEW.n = old.c2 + interval 3 day + 0
=> update t1 set id=id+10
=> drop trigger g18
=> create trigger g18 before update on t1 for each row SET NEW.c0 = cast('0000-00-00' as datetime) + interval 3 day
=> update t1 set id=id+10
=> drop trigger g18
=> create trigger g18 before update on t1 for each row SET @x = OLD.c2 + interval 3 day
=> update t1 set id=id+10
=> select c2 + interval 3 day from t1
=> update t1 set c0=c2+interval 3 day
=> update t1 set c0=cast('abc' as signed)
=> drop table if exists t1,lg
=> create table lg(v varchar(200) character set utf8mb4)
=> create or replace function f8(a1 varchar(10)) RETURNS int RETURN a1
=> create or replace function f9(a1 varchar(10)) RETURNS int begin declare exit handler for sqlexception set @h=1; RETURN a1; end
=> create or replace function f10(a1 varchar(10)) RETURNS int begin declare continue handler for sqlexception set @h=1; RETURN a1; end
=> create or replace function f11(a1 varchar(10)) RETURNS int begin declare continue handler for sqlexception set @h=1; RETURN a1; return 7; end
=> create or replace function f12(a1 varchar(10)) RETURNS varchar(3) begin declare exit handler for sqlexception set @h=1; RETURN concat(a1,a1,a1); end
=> create or replace procedure p1(a int) begin declare x decimal(30,12) default 6; insert into lg values (left(x/3,100)),(left(x div 3,100)),(left(coalesce(x,7),100)),(left(a/3,100)),(left(abs(x),100)),(left(if(x>5,'big',x),100)),(left(@n,100)),(left(-a,100)); end
=> select f8('x_y')
=> select f9('x_y')
=> select f10('x_y')
=> select f11('x_y')
=> select f12('x_y')
=> call p1(6)
=> set @n=2
=> delete from lg
=> set @n=ifnull(@n,0)+1
=> call p1(6)
=> begin not atomic declare i int; for i in 1..3 do set @n=i; insert into lg values (left(@n,100)); set @n=@n/7; insert into lg values (left(@n,100));end for; end
=> create table t1(id int, b bit(9), s varchar(12) character set latin1, u bigint unsigned, c varchar(12) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci)
=> insert into t1 values (1,b'1110','ß',5,'a'),(2,5,'x',6,'A'),(3,null,null,null,null),(4,9,'b',9223372036854775808,''),(5,10,'b',9,' '),(6,11,'b',10,'b')
=> select json_arrayagg(b) from t1
=> select json_arrayagg(b order by id) from t1
=> select json_arrayagg(distinct b order by b) from t1
=> select json_arrayagg(u order by c, id) from t1
=> select json_arrayagg(c order by c, id) from t1
=> select json_objectagg(id,b) from t1
=> select json_array(b) from t1
=> select group_concat(u order by c, id) from t1
=> select u from t1 order by c,id
=> create or replace sequence q2 start with -5 increment by 3 minvalue -40 maxvalue 40 cycle
=> select setval(q2,46)
=> select setval(q2,36)
=> select setval(q2,-36)
=> select nextval(q2)
=> create or replace sequence q2 start with -5 increment by -3 minvalue -40 maxvalue 40 cycle
=> select setval(q2,46)
=> select setval(q2,36)
=> select nextval(q2)
=> select setval(q2,-50)
=> select setval(q2,-20)
=> select nextval(q2)
=> create or replace sequence q2 nocache
=> select setval(q2,46)
=> select setval(q2,36)
=> select setval(q2,-36)
=> select nextval(q2)
=> alter sequence q2 restart 40
=> select setval(q2,46)
=> select nextval(q2)
=> drop table t1
=> create table t1(id int, c2 datetime not null, c0 time)
=> set sql_mode=''
=> insert into t1 values(1,0,null),(2,'2020-01-01',null)
=> set sql_mode=default
=> create trigger g18 before update on t1 for each row SET NEW.c0 = OLD.c2 + interval 3 day
=> update t1 set id=id+10
=> set sql_mode=traditional
=> update t1 set id=id+10
=> drop trigger g18
=> create trigger g18 before update on t1 for each row SET NEW.c0 = OLD.c2 + interval 3 day
=> update t1 set id=id+10
=> select * from t1
=> set sql_mode=default
=> drop table if exists t1, lg
=> drop table if exists t, s
=> set sql_mode=''
=> create table t (id int primary key, d date, dt datetime, ts timestamp null, d2 date, tt time)
=> create table s (v varchar(40))
=> set sql_mode='traditional'
=> create trigger g before insert on t for each row begin declare x date; set NEW.d2 = NEW.d; set x = NEW.d; set NEW.dt = NEW.dt; insert into s values (concat('t',ifnull(x,'-'))); end
=> create procedure p(a date) begin declare x date; declare y datetime; declare continue handler for sqlexception insert into s values ('error'); set x = a; set y = x; set x = y; set x = '0000-00-00'; insert into s values (concat('p', ifnull(x,'-'), ifnull(y,'-'))); end
=> set sql_mode=''
=> insert into t values (1,'0000-00-00','0000-00-00','0000-00-00',null,'10:00:00')
=> insert into t values (2,'2001-00-00','2001-01-00','0000-00-00',null,'10:00:00')
=> insert into t values (3,'2001-01-01','2001-01-01','2001-01-01',null,'10:00:00')
=> call p('0000-00-00')
=> call p('2001-01-01')
=> select id,d,dt,d2 from t order by id
=> select * from s order by v
=> drop table t, s
=> drop procedure p
=> create table tv (id int, c3 set('x','y'), b bigint)
=> set sql_mode='STRICT_TRANS_TABLES'
=> create trigger g before insert on tv for each row begin declare x bigint default new.c3; declare continue handler for sqlexception set @r = concat(@r, 'e'); set @r = concat(@r, ' ', ifnull(x, 'N')); set x = x'4142'; set @r = concat(@r, ' ', ifnull(x,'N')); set new.b = 'q'; set @r = concat(@r, ' ', ifnull(new.b,'N')); end
=> set @r = ''
=> insert into tv values (1,'x',3)
=> select @r
=> select * from tv
=> drop table tv
=> create table tv (id int, a decimal(10,2), b int)
=> set sql_mode='strict_all_tables'
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.a = 'a'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.b = 'a'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.a = ''; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.b = ''; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.a = '12x'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.b = '12x'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.a = x'4142'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.b = x'4142'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.a = '99999999999999999999'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> create trigger g before update on tv for each row begin declare exit handler for sqlexception begin end; set new.b = '99999999999999999999'; end
=> insert into tv values (1,7.25,7)
=> update tv set id=2
=> select * from tv
=> truncate tv
=> drop trigger g
=> drop table tv
=> set sql_mode=default
