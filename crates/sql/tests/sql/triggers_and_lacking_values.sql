=> drop table if exists t1,t2,l
=> create table t1(id int not null primary key, b int not null, c int)
=> create table t2(id int)
=> create table l(a int)
=> insert into t2 values(1),(2)
=> create trigger g before update on t1 for each row set @a=1
=> insert into t1(id) values(5)
=> insert into t1(id,b) values(5,default)
=> insert into t1(id,b) values(5,default),(6,default)
=> insert into t1(id) select id from t2
=> insert ignore into t1(id) select id from t2
=> replace into t1(id) select id from t2
=> insert into t1(id) select id from t2 on duplicate key update c=1
=> set sql_mode=''
=> insert into t1(id) values(5)
=> insert into t1(id,b) values(6,default)
=> insert into t1(id,b) values(7,default),(8,default)
=> insert into t1(id) select id+10 from t2
=> insert into t1(c) select id+10 from t2
=> insert into t1(id,b) values(9,null)
=> insert into t1(id,b) values(19,null),(20,null)
=> set sql_mode=default
=> drop trigger g
=> delete from t1
=> create trigger g before insert on t1 for each row insert into l values(1)
=> insert into t1(id) values(5)
=> insert into t1(id,b) values(5,default)
=> insert into t1(id,b) values(5,default),(6,default)
=> insert into t1(id) select id from t2
=> insert ignore into t1(id) select id from t2
=> replace into t1(id) select id from t2
=> insert into t1(id) select id from t2 on duplicate key update c=1
=> select * from l
=> insert into t1(id,b) values(5,null)
=> insert into t1(id,b) select 55,null
=> set sql_mode=''
=> insert into t1(id) values(5)
=> insert into t1(id,b) values(6,default)
=> insert into t1(id,b) values(7,default),(8,default)
=> insert into t1(id) select id+10 from t2
=> insert into t1(c) select id+10 from t2
=> set sql_mode=default
=> drop trigger g
=> delete from t1
=> create trigger g before insert on t1 for each row set new.b=ifnull(new.b,3)
=> insert into t1(id) values(5)
=> insert into t1(id,b) values(6,default)
=> insert into t1(id,b) values(7,default),(8,default)
=> insert into t1(id) select id from t2
=> insert ignore into t1(id) select id from t2
=> replace into t1(id) select id from t2
=> insert into t1(id) select id from t2 on duplicate key update c=1
=> insert into t1(id,b) values(25,null)
=> insert into t1(id,b) select 55,null
=> select * from t1
=> set sql_mode=default
=> drop table if exists t1,t2
=> create table t1(id int, e enum('red','green','blue') not null, t timestamp not null, d date not null)
=> create trigger g before insert on t1 for each row set @a=1
=> insert into t1(id,d,t) values (1,'2020-01-01',now())
=> insert into t1(id,d,e) values (1,'2020-01-01','red')
=> select id,e,t=0,d from t1
=> set sql_mode=''
=> insert into t1(id,d,t) values (1,'2020-01-01','2020-01-01')
=> insert into t1(id,d,e) values (1,'2020-01-01','red')
=> insert into t1(id,d,e,t) values (1,'2020-01-01','red',default),(1,'2020-01-01',default,default)
=> insert into t1(id,d,t) values (1,'2020-01-01',0),(2,'2020-01-01',0)
=> select id,e,t=0,d from t1
=> set sql_mode=default
=> create or replace function f1(a char(10)) returns int return length(a)
=> create or replace function f2(a char(10)) returns varchar(20) return concat('<',a,'>')
=> create or replace function f3(a varchar(10)) returns varchar(20) return concat('<',a,'>')
=> create or replace function f4() returns varchar(20) begin declare a char(10) default 'abc '; set a='x  '; return concat('<',a,'>'); end
=> create or replace function f5(a varchar(20)) returns char(10) return a
=> create or replace function f6(a binary(5)) returns varchar(20) return concat('<',hex(a),'>')
=> create or replace function f7(a char(10) charset utf8mb4) returns int return length(a)
=> create or replace function f8(a char(10) charset binary) returns int return length(a)
=> create or replace procedure p1(inout a char(10)) begin set @z=concat('<',a,'>'); set a=concat(a,'  '); end
=> select f1('ABC '), f2('ABC '),f3('ABC '),f4(),concat('<',f5('abc  '),'>'),f6('ab '),f7('x '),f8('x ')
=> select f1('ABC '), f2('ABC '),f3('ABC '),f4(),concat('<',f5('abc  '),'>'),f6('ab '),f7('x '),f8('x ')
=> set sql_mode=default
=> set @v='q  '
=> call p1(@v)
=> select concat(@v,'|'),@z
=> create table t2(id int, e enum('red','green','blue'), b bit(9), s set('x','y'))
=> insert into t2 values (1,'red',b'11001011','x'),(2,'blue',b'11000001','y'),(3,'green',5,'x,y'),(4,'blue',203,'x')
=> select id, lead(e) over (order by id) x from t2 order by x, id
=> select id, lead(e) over (order by id) x from t2 order by x desc, id limit 2
=> select id, max(e) over (order by id) x from t2 order by x, id
=> select id, first_value(s) over (order by id) x from t2 order by x desc, id
=> select x, count(*) from (select lag(e) over (order by id) x from t2) d group by x order by x
=> select id from t2 where b <> b'11001011'
=> set @b=b'11001011'
=> select id from t2 where id<x'03'
=> create table ln (id int, a int not null)
=> create table ll (w varchar(9))
=> create table lg1 (w varchar(9), gone int)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into lg1 (w) values (new.id); end
=> insert into ln (id) values (1), (2)
=> drop table lg1
=> insert into ln (id) values (3), (4)
=> create table lg1 (w varchar(9) not null)
=> insert into ln (id) values (5), (6)
=> drop trigger tn
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into lg1 (w) values (null); end
=> insert into ln (id) values (7), (8)
=> drop trigger tn
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into lg1 (nope) values (null); end
=> insert into ln (id) values (9), (10)
=> drop trigger tn
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update lg1 set w = 'a' where false; end
=> insert into ln (id) values (11), (12)
=> select * from ln order by id
=> select * from lg1 order by w
=> drop table ln, ll, lg1
