select length(sformat('{:.70000e}', 1.5)), right(sformat('{:.1200f}', 0.1), 8);
select compress(repeat('aaaaaaaaaa', if('', 10, 3))) is null, repeat('1', if('', 2, 3));
select rpad('1', if('', 2, 3), 'x'); select lpad('1', if('', 2, 3), 'x'); select left('1', if('', 2, 3)); select right('1', if('', 2, 3)); select space(if('', 2, 3));
select substr('1', if('', 2, 1)); select substr('1', 1, if('', 2, 1)); select round(1.11, if('', 2, 1)); select truncate(1.11, if('', 2, 1));
select updatexml('', truncate('', 1), 0); select extractvalue('<a/>', truncate('', 1)); select updatexml('<a/>', round('', 1), 0);
create table s1 (s varchar(100), c char(5)); insert into s1 values ('2001-01-01 10:10:10', '1');
select time(s), timestamp(s), timestamp(s, '1'), time(lower(s)), time_to_sec(s) from s1; select timediff(s, s) from s1; create table s2 as select time(s) a, timestamp(s) b from s1; describe s2; drop table s1, s2;
create table v1 as select last_value(@l1 := 1, @l2 := 'hello') a, last_value(1, 'a') b, last_value(1, null) c; describe v1; drop table v1;
create table n1 (a int, b varchar(10)); insert into n1 values (1, 'a'), (2, 'b');
explain extended select not not strcmp('a','b'), not not 5, not not (1+1), not not a, not not null, not not (a = b), not not isnull(a), not not length(b), not not not a, not not not length(b), not length(b) from n1;
explain extended select not (a in (1,2)), not not (a in (1,2)), not not (a like 'x'), not not (b regexp 'a'), not not case when a then 1 else 0 end, not not if(a,1,2), not not a between 1 and 2, not not coalesce(a,1), not not -a, not not ~a, not not concat(b), not not true, not not 'a', not not @a, not not sum(a) from n1;
create view v1 as select not not length(b) x, not not not length(b) z, not (length(b) or a+1) q from n1; show create view v1; select * from v1; drop view v1;
select * from n1 where exists (select * union select * from n1); select exists(select *); select 1 where exists(select * from dual); select * from n1 where exists (select *);
select * from n1 where exists (select * having 1); select * from n1 where exists (select *, 1); select exists(select n1.*); select * from n1 where exists (select 1 union select *);
select * from n1 where exists ((select * union select 2) union select 1); select (select * union select 1); select * from n1 where 1 in (select *); select * from n1 where exists (select * from n1 union select *);
drop table n1;
insert mysql.global_priv select 'bar', concat('u', v, '_', a), concat('{"access":', a, ',"version_id":', v, ',"plugin":"mysql_native_password","authentication_string":""}') from (select 0 v union select 100399 union select 100400 union select 100501 union select 100502 union select 100508 union select 100509 union select 101009 union select 101100) v, (select (1<<38)-1 a union select (1<<38)-2 union select 1<<15 union select 1<<19 union select 1<<20 union select 1<<15|1<<19 union select 1<<15|1<<20 union select 1<<34 union select 1<<40 union select (1<<30)-1 union select (1<<29)-1) b;
flush privileges;
show grants for u0_1073741823@bar; show grants for u0_32768@bar; show grants for u100399_32768@bar; show grants for u100400_32768@bar; show grants for u100501_557056@bar; show grants for u100501_1081344@bar; show grants for u100400_524288@bar; show grants for u100400_536870911@bar;
show grants for u100502_274877906943@bar; show grants for u100508_274877906943@bar; show grants for u100509_274877906943@bar; show grants for u100508_17179869184@bar; show grants for u100509_17179869184@bar; show grants for u101009_32768@bar; show grants for u101100_32768@bar; show grants for u101009_1099511627776@bar; show grants for u100501_274877906942@bar; show grants for u100508_274877906942@bar; show grants for u100508_524288@bar;
delete from mysql.global_priv where host = 'bar'; flush privileges;
create table d1 (id int primary key);
create definer=unknownuser@'%' sql security definer view d2 as select d1.id from d1 group by d1.id;
create definer=unknownuser@'%' sql security definer view d3 as select d1.id from d1; create definer=unknownuser@'%' sql security invoker view d4 as select d1.id from d1;
select table_name, table_comment from information_schema.tables where table_schema = 'test' and table_name like 'd_' order by 1; show columns from d2; show columns from d3; show columns from d4; select * from d2; select * from d4;
drop view d2, d3, d4; drop table d1;
select {d'2001-01-01'}, {d '2001-01-01 10:10:10'}, {t'10:10:10.5'}, {t'2001-01-01'}, {ts'2001-01-01'}, {ts '2001-01-01 10:10:00'}, {d'abc'}, {t'abc'}, {ts'abc'}, {d'2001-13-01'}, {d'2001-00-00'}, {d concat('2001-01-01')}, {abc 'x'};
create table o1 as select {d'2001-01-01 10:10:10'} a, {d'2001-01-01'} b, {t'10:10'} c, {t'2001-01-01'} d, {ts'2001-01-01'} e, {ts'2001-01-01 10:10'} f, {d'x'} g, {t '10:10:10.1234567'} h, {ts'2001-01-01 10:10:10.1234567'} i, {d'20010101'} j, {t'10'} l, {ts'20010101101010'} m, {d'0000-00-00'} n, {t'838:59:59'} o, {t'839:00:00'} p, {ts'2001-00-00 10:10:10'} q, date'2001-00-01' r; show create table o1; select * from o1; drop table o1;
create view o2 as select {d'2001-01-01'} a, {t'10:10:10'} b, {ts'2001-01-01 10:10:10'} c; show create view o2; select * from o2; drop view o2;
select timestamp'2001-00-00 00:00:00.9999999'; select timestamp'2001-01-01 00:00:00.1234560'; select time'10:10:10.1234567'; select time'10:10:10.123456'; select time'10:10:10.9999999';
=> create function f1() returns int begin declare continue handler for sqlstate '42000' set @aux=1; return f_not_exists(); end
=> create function f2() returns int begin declare continue handler for sqlexception set @aux=1; return (select 1 from nosuch); end
=> create function f3() returns int begin declare continue handler for sqlexception set @aux=1; return (select 1 from nosuch); return 7; end
=> create function f5(a int) returns int begin declare continue handler for sqlexception set @aux=1; if a then return (select 1 union select 2); end if; end
=> create function f7() returns int begin declare exit handler for 1242 begin end; return (select 1 union select 2); end
select f1(); select f2(); select f3(); select f5(1); select f5(0); select f7(); select @aux;
create function TESTF_a() returns int return 1; show create function testf_A; drop function TESTf_a; drop function f1; drop function f2; drop function f3; drop function f5; drop function f7;
create procedure TestP() select 1; show create procedure TESTP; drop procedure testp;
create table r1 (dt datetime(6) default row(1, 2) = some(select 1) = all(select 1)); create table r1 (dt int default row(1, 2)); create table r1 (dt int default 1=2);
=> create procedure p1() begin declare exit handler for sqlexception begin resignal set message_text='a1'; end; call p2(); end
=> create procedure p2() begin declare exit handler for sqlexception begin resignal set message_text='a2'; end; call p3(); end
=> create procedure p3() begin declare exit handler for sqlexception begin resignal set message_text='a3'; end; drop table nosuch; end
=> create procedure p4() begin declare exit handler for sqlexception begin resignal sqlstate '45000' set message_text='b4'; end; call p5(); end
=> create procedure p5() begin declare exit handler for sqlexception begin resignal sqlstate '45000' set message_text='b5'; end; drop table nosuch; end
call p1(); show warnings; call p4(); show warnings; set max_error_count=3; call p1(); show warnings; call p4(); show warnings; set max_error_count=2; call p1(); show warnings; call p4(); show warnings; set max_error_count=default;
drop procedure p1; drop procedure p2; drop procedure p3; drop procedure p4; drop procedure p5;
set @a = 'x'; create function f1() returns varchar(20) return 'select 1';
signal sqlstate '01000' set message_text = concat('a', 'b'); signal sqlstate '01000' set message_text = -1; signal sqlstate '01000' set mysql_errno = +1; signal sqlstate '01000' set message_text = @a; signal sqlstate '01000' set message_text = a; signal sqlstate '01000' set message_text = null; signal sqlstate '01000' set message_text = true; signal sqlstate '01000' set message_text = date'2001-01-01'; signal sqlstate '01000' set message_text = _latin1'x'; signal sqlstate '01000' set message_text = x'41'; signal sqlstate '01000' set message_text = 1.5; signal sqlstate '01000' set message_text = 'a' 'b'; signal sqlstate '01000' set message_text = ('a'); signal sqlstate '01000' set message_text = 'a' || 'b'; signal sqlstate '01000' set message_text = current_user; signal sqlstate '01000' set message_text = now(); signal sqlstate '01000' set message_text = 'a' collate latin1_bin; signal sqlstate '01000' set message_text = f1(); signal sqlstate '01000' set message_text = default;
get diagnostics condition 1 @b = message_text; get diagnostics condition -1 @b = message_text; get diagnostics condition (1) @b = message_text; get diagnostics condition 1+1 @b = message_text; get diagnostics condition a @b = message_text; get diagnostics condition concat(1) @b = message_text;
execute immediate f1(); execute immediate concat(f1()); prepare s from f1(); prepare s from concat('select ', f1()); execute immediate 'select ?' using (select 1); prepare s from 'select ?'; execute s using f1(); execute s using (select 1); execute s using exists(select 1); execute immediate (select 'select 1'); execute s using concat('a', 'b'); execute immediate 1;
purge binary logs before (1 in (select 1)); purge binary logs before exists (select 1); drop function f1;
create table e1 (a int) engine=memory; set enforce_storage_engine=MyISAM; create table e2 (a int) engine=memory; create table e2 (a int) engine=nosuch;
set sql_mode=''; create table e3 (a int) engine=memory; show create table e3; create table e4 (a int); create table e5 like e1; show create table e5; alter table e1 add b int; show create table e1; alter table e1 engine=memory; show create table e1; create table e8 engine=memory select 1 a; show create table e8; create temporary table e9 (a int) engine=memory; show create table e9;
set enforce_storage_engine=MEMORY; create table e11 (a int); show create table e11; alter table e3 engine=myisam; show create table e3; set sql_mode=default; create table e12 (a int); create table e13 (a int) engine=memory; alter table e3 add c int; set enforce_storage_engine=default; drop table e1, e3, e4, e5, e8, e9, e11, e13;
create table q1 (a int) partition by list(a) (partition p0 values in (1,2), partition p1 values in (3)); insert into q1 values (1), (3); alter table q1 partition by list(a) (partition p0 values in (1)); insert into q1 values (7); drop table q1;
set sql_mode='EMPTY_STRING_IS_NULL'; set @a=''; select @a is null; set sql_mode=''; select @@sql_mode; set sql_mode='EMPTY_STRING_IS_NULL'; set sql_mode=concat(''); select @@sql_mode; set sql_mode='EMPTY_STRING_IS_NULL'; set sql_mode=null; select @@sql_mode; set sql_mode=default; set sql_mode=null;
create table a1 (a int primary key auto_increment, b varchar(3)); set sql_mode=ansi; show create table a1; set sql_mode=default; show create table a1; drop table a1;
=> begin not atomic foo bar; end
=> begin not atomic select 1; `foo` bar; end
=> begin not atomic foo; end
create table x1 (a int); set sql_mode=''; create table x1 (id int) engine=nonexistent2; create table if not exists x1 (id int) engine=nonexistent2; set sql_mode=default; create table x1 (id int) engine=nonexistent2; create table if not exists x1 (id int) engine=nonexistent2; drop table x1;
create table w1 (a char(10), b varchar(10), c int); insert into w1 values ('1', '1', 1), ('2', '2', 2); explain extended select 1 from w1 where a = '1' and trim(a) = b; explain extended select 1 from w1 where a = '1' and b = trim(a); explain extended select 1 from w1 where 1 = c and '1' = b; select 1 from w1 where a = '1' and trim(a) = b; drop table w1;
select '\t\n\0x', '\x01a', '\Z b', '  c '; create table z1 as select '\0002'; show create table z1; drop table z1;
create table u1 (a varchar(10) character set ucs2, b varchar(10) character set ujis, c varchar(10) character set utf16, e varchar(10) character set utf8mb4); insert into u1 values (x'20142041', '', '', ''), ('', '', x'20142041', ''), ('', '', '', x'e2809441'); update ignore u1 set b=a; show warnings; update ignore u1 set b=c; show warnings; update ignore u1 set b=e; show warnings; drop table u1;
kill query id 0; kill query id -1; kill query id user 'foo'; create user n1@localhost; delete from mysql.user where user='n1'; flush privileges; select user from mysql.user where user='n1'; create user n1@localhost; drop user n1@localhost;
