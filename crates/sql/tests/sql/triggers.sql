=> create table log (id int auto_increment primary key, m varchar(200))
=> create table t1 (a int primary key auto_increment, b varchar(10) not null, c int default 7, g int as (c+1), s int as (c*2) stored, u int unique)
=> create trigger bi before insert on t1 for each row insert into log(m) values (concat_ws(',','bi',ifnull(new.a,'N'),ifnull(new.b,'N'),ifnull(new.c,'N'),ifnull(new.g,'N'),ifnull(new.s,'N'),ifnull(new.u,'N')))
=> create trigger ai after insert on t1 for each row insert into log(m) values (concat_ws(',','ai',ifnull(new.a,'N'),ifnull(new.b,'N'),ifnull(new.c,'N'),ifnull(new.g,'N'),ifnull(new.s,'N'),ifnull(new.u,'N')))
=> create trigger bu before update on t1 for each row insert into log(m) values (concat_ws(',','bu',ifnull(old.a,'N'),ifnull(old.b,'N'),ifnull(old.c,'N'),ifnull(old.g,'N'),ifnull(old.s,'N'),ifnull(old.u,'N'),'->',ifnull(new.a,'N'),ifnull(new.b,'N'),ifnull(new.c,'N'),ifnull(new.g,'N'),ifnull(new.s,'N'),ifnull(new.u,'N')))
=> create trigger au after update on t1 for each row insert into log(m) values (concat_ws(',','au',ifnull(old.a,'N'),ifnull(old.b,'N'),ifnull(old.c,'N'),ifnull(old.g,'N'),ifnull(old.s,'N'),ifnull(old.u,'N'),'->',ifnull(new.a,'N'),ifnull(new.b,'N'),ifnull(new.c,'N'),ifnull(new.g,'N'),ifnull(new.s,'N'),ifnull(new.u,'N')))
=> create trigger bd before delete on t1 for each row insert into log(m) values (concat_ws(',','bd',ifnull(old.a,'N'),ifnull(old.b,'N'),ifnull(old.c,'N'),ifnull(old.g,'N'),ifnull(old.s,'N'),ifnull(old.u,'N')))
=> create trigger ad after delete on t1 for each row insert into log(m) values (concat_ws(',','ad',ifnull(old.a,'N'),ifnull(old.b,'N'),ifnull(old.c,'N'),ifnull(old.g,'N'),ifnull(old.s,'N'),ifnull(old.u,'N')))
=> insert into t1(b,u) values ('x',1)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b) values (null)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b) values ('p'),(null)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert ignore into t1(b) values (null)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(u) values (5)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1 values (null,'n',1,default,default,8),(0,'z',1,default,default,9),(default,'d',1,default,default,10),(77,'s',1,default,default,11)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('d',1)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert ignore into t1(b,u) values ('d',1)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('d',1) on duplicate key update b='upd'
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('d',1) on duplicate key update b='upd'
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('d',1),('e',50) on duplicate key update b=concat(values(b),'+'), c=c+1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> replace into t1(b,u) values ('r',1)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> replace into t1(b,u) values ('r',1),('q',99)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 set c=9 where u=1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 set c=9 where u=1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 set b=null where u=1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update ignore t1 set u=1 where u>8 order by a
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 set b='lim' order by a limit 2
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> delete from t1 where u=1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) select concat('s',seq),seq+100 from seq_1_to_3
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) select concat(b,'2'),u+1000 from t1 where u>100 order by a
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 join (select 3 z) q set c=z where u>102
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 x join t1 y on x.u+1000=y.u set x.c=11, y.c=12
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> delete t1 from t1, (select 3 z) q where u>1102
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> delete from t1 where u>100 order by u desc limit 1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1 set b='set', u=200
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> replace into t1 set b='set2', u=200
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('ret',201) returning a,b
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> delete from t1 where u=201 returning a,b
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> create view v as select a,b,u from t1 where u<1000 with check option
=> insert into v(b,u) values ('v',30)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into v(b,u) values ('v',3000)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update v set b='vv' where u=30
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> delete from v where u=30
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> replace into v(b,u) values ('w',200)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> set @a=1
=> prepare p from 'insert into t1(b,u) values (?,?)'
=> create temporary table tt as select a,b,u from t1 order by a limit 2
=> update t1, tt set t1.c=21 where t1.a=tt.a
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('z',901),('y',902)
=> truncate log
=> delete from t1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b,u) values ('z',901),('y',902)
=> truncate log
=> truncate t1
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> set sql_mode=''
=> insert into t1(b) values ('p'),(null)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(b) values (null)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1(u) values (6)
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> insert into t1() values ()
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> update t1 set b=null
=> select row_count(), last_insert_id()
=> select m from log order by id
=> truncate log
=> set sql_mode=default
=> drop trigger bi
=> drop trigger ai
=> drop trigger bu
=> drop trigger au
=> drop trigger bd
=> drop trigger ad
=> create trigger bi before insert on t1 for each row set new.b=ifnull(new.b,'dflt'), new.c=new.u*2, new.a=100+new.u
=> insert into t1(u) values (1)
=> insert into t1(b,u) values (null,2),(null,3)
=> insert into t1 values (null,null,null,default,default,4)
=> insert into t1 values (default,default,default,default,default,5)
=> insert into t1(b,u) values ('q',1) on duplicate key update b=values(b), c=values(c)+1
=> select * from t1 order by a
=> select last_insert_id()
=> drop trigger bi
=> delete from t1
=> create trigger bi before insert on t1 for each row begin if new.u=3 then signal sqlstate '45000' set message_text='no threes'; end if; if new.u=4 then signal sqlstate '01000' set message_text='warn'; end if; set new.b = if(new.u=5,null,new.b); end
=> insert into t1(b,u) values ('q',1),('q',2),('q',3),('q',4)
=> show warnings
=> select b,c,u from t1 order by u
=> insert into t1(b,u) values ('q',4)
=> show warnings
=> select b,c,u from t1 order by u
=> insert into t1(b,u) values ('q',5)
=> show warnings
=> select b,c,u from t1 order by u
=> insert into t1(b,u) values ('q',6),('q',5)
=> show warnings
=> select b,c,u from t1 order by u
=> insert ignore into t1(b,u) values ('q',3),('q',5),('q',7)
=> show warnings
=> select b,c,u from t1 order by u
=> insert into t1(b,u) select 'x', 5
=> show warnings
=> select b,c,u from t1 order by u
=> insert into t1(b,u) values ('1st',5),('2nd',1)
=> show warnings
=> select b,c,u from t1 order by u
=> create trigger bu before update on t1 for each row set new.b=null
=> update t1 set c=1
=> show warnings
=> update ignore t1 set c=1
=> show warnings
=> set sql_mode=''
=> update t1 set c=3
=> show warnings
=> set sql_mode=default
=> drop trigger bu
=> drop trigger bi
=> create table o (x int, y varchar(40))
=> create trigger o2 before insert on o for each row set new.y=concat(new.y,'2')
=> create trigger o3 before insert on o for each row follows o2 set new.y=concat(new.y,'3')
=> create trigger o1 before insert on o for each row precedes o2 set new.y=concat(new.y,'1')
=> create trigger o4 after insert on o for each row set @y=new.y
=> insert into o values (1,'')
=> select *, @y from o
=> select trigger_name, event_manipulation, event_object_table, action_order, action_statement, action_timing, definer, character_set_client, collation_connection, sql_mode from information_schema.triggers where trigger_schema='test'
=> show create table o
=> create or replace trigger o2 before insert on o for each row set new.y=concat(new.y,'two')
=> insert into o values (2,'')
=> select * from o
=> drop trigger o1
=> rename table o to o9
=> insert into o9 values (3,'')
=> alter table o9 add z int, rename to o
=> insert into o values (4,'',4)
=> select * from o
=> alter table o drop y
=> insert into o values (5,5)
=> select action_statement, event_object_table from information_schema.triggers where trigger_schema='test'
=> create table o8 like o
=> show triggers like 'o8'
=> drop table o
=> show triggers
=> drop trigger o2
=> create table w1 (x int)
=> create table w2 (x int)
=> insert into w2 values (1),(2)
=> create trigger wi before insert on w1 for each row insert into w2 values (new.x)
=> create trigger wd before delete on w1 for each row delete from w2 where x=old.x
=> create trigger wu before update on w1 for each row delete from w1
=> create function f() returns int begin insert into w1 values (7); return 1; end
=> insert into w1 values (1)
=> insert into w1 select x from w2 limit 1
=> insert into w2 select f()
=> update w1 set x=2
=> delete from w1 where x in (select x from w2)
=> insert into w1 values ((select max(x) from w2))
=> insert into w1 values (f())
=> select f()
=> select * from w1 order by x
=> select * from w2 order by x
=> create table n (a int)
=> create table nn (w varchar(10), c int)
=> create trigger nbi before insert on n for each row insert into nn select 'bi', count(*) from n
=> create trigger nai after insert on n for each row insert into nn select 'ai', count(*) from n
=> create trigger nbu before update on n for each row insert into nn select 'bu', count(*) from n
=> create trigger nau after update on n for each row insert into nn select 'au', count(*) from n
=> create trigger nbd before delete on n for each row insert into nn select 'bd', count(*) from n
=> create trigger nad after delete on n for each row insert into nn select 'ad', count(*) from n
=> insert into n values (1),(2),(3)
=> select * from nn
=> truncate nn
=> update n set a=a+1
=> select * from nn
=> truncate nn
=> delete from n where a>2
=> select * from nn
=> truncate nn
=> insert into n select seq from seq_1_to_3
=> select * from nn
=> truncate nn
=> delete from n
=> select * from nn
=> truncate nn
=> drop trigger wu
=> drop trigger wd
=> lock tables w1 write
=> insert into w1 values (5)
=> select count(*) from w1
=> insert into w2 values (9)
=> select count(*) from w2
=> unlock tables
=> lock tables w1 read
=> drop trigger wi
=> create trigger wi2 after insert on w1 for each row set @z=1
=> unlock tables
=> lock tables w2 write
=> drop trigger wi
=> insert into w1 values (5)
=> unlock tables
=> create table e1 (a int, g int as (a+1))
=> create temporary table etmp (a int)
=> create view ev as select * from e1
=> create trigger x before insert on etmp for each row set @a=1
=> create trigger x before insert on ev for each row set @a=1
=> create trigger x before insert on mysql.user for each row set @a=1
=> create trigger x before insert on information_schema.tables for each row set @a=1
=> create trigger x before insert on nope for each row set @a=1
=> create trigger x before insert on nodb.t for each row set @a=1
=> create trigger mysql.x before insert on e1 for each row set @a=1
=> create trigger x before insert on e1 for each row set old.a=1
=> create trigger x after insert on e1 for each row set new.a=1
=> create trigger x after insert on e1 for each row set @a=old.a
=> create trigger x before delete on e1 for each row set @a=new.a
=> create trigger x before delete on e1 for each row set new.a=1
=> create trigger x before update on e1 for each row set old.a=1
=> create trigger x before insert on e1 for each row set new.zz=1
=> create trigger x before insert on e1 for each row set @a=new.zz
=> create trigger x before insert on e1 for each row select 1
=> create trigger x before insert on e1 for each row commit
=> create trigger x before insert on e1 for each row create table q(a int)
=> create trigger x before insert on e1 for each row return 1
=> create trigger x before insert on e1 for each row follows zz set @a=1
=> create trigger `` before insert on e1 for each row set @a=1
=> create trigger ` x` before insert on e1 for each row set @a=1
=> create trigger `x ` before insert on e1 for each row set @a=1
=> create trigger x before insert on e1 for each row
=> create trigger x on e1 for each row set @a=1
=> create trigger x before truncate on e1 for each row set @a=1
=> create trigger x before insert on e1 for each row set new.g=1
=> insert into e1(a) values (1)
=> select * from e1
=> create trigger x before update on w1 for each row set @a=1
=> create trigger if not exists x before update on w1 for each row set @a=1
=> show warnings
=> create or replace trigger x before update on w1 for each row set @a=1
=> create or replace trigger if not exists x before update on e1 for each row set @a=1
=> create or replace trigger x after update on e1 for each row precedes x set @a=1
=> create definer=nobody@nowhere trigger ndef after update on e1 for each row set @a=2
=> show warnings
=> update e1 set a=3
=> drop trigger ndef
=> drop trigger nope
=> drop trigger if exists nope
=> show warnings
=> drop trigger nodb.x
=> show create trigger nope
=> show triggers from nodb
=> rename table e1 to mysql.e1
=> create trigger x2 before insert on e1 for each row set @x=(select count(*) from missing)
=> insert into e1(a) values (2)
=> drop trigger x2
=> create trigger x2 before insert on e1 for each row set @x=missing()
=> insert into e1(a) values (2)
=> drop trigger x2
=> create trigger x2 before insert on e1 for each row set @x=undef
=> insert into e1(a) values (2)
=> drop trigger x2
=> drop trigger x
=> create procedure pr() select 1
=> create trigger x before insert on e1 for each row call pr()
=> insert into e1(a) values (2)
=> drop trigger x
=> create procedure pc() commit
=> create trigger x before insert on e1 for each row call pc()
=> insert into e1(a) values (2)
=> drop trigger x
=> create procedure po(out p int) set p=99
=> create trigger x before insert on e1 for each row call po(new.a)
=> insert into e1(a) values (2)
=> select * from e1
=> drop trigger x
=> create trigger x before insert on e1 for each row begin declare c cursor for select 5; open c; fetch c into new.a; close c; end
=> create trigger x before insert on e1 for each row begin declare n int default 10; while n > new.a do set n = n - 1, new.a = new.a + 1; end while; end
=> insert into e1(a) values (2)
=> select * from e1
=> drop trigger x
=> create trigger x before insert on e1 for each row set new.a='abc'
=> insert into e1(a) values (2)
=> show warnings
=> set sql_mode=''
=> create or replace trigger x before insert on e1 for each row set new.a='abc'
=> insert into e1(a) values (2)
=> show warnings
=> set sql_mode=default
=> insert into e1(a) values (2),(3)
=> drop trigger x
=> create trigger x before insert on e1 for each row begin declare exit handler for sqlexception set new.a=-1; insert into nope2 values (1); end
=> insert into e1(a) values (2)
=> select * from e1
=> drop trigger x
create table rn1 (a int);
create table rn2 (a int);
create trigger rn_tr after insert on rn1 for each row set @rn = 1;
rename table rn1 to rn3, rn_missing to rn4;
select trigger_name, action_statement from information_schema.triggers where trigger_name = 'rn_tr';
insert into rn1 values (1);
rename table rn1 to rn2, rn2 to rn3;
rename table rn2 to rn3, rn1 to rn3;
show tables like 'rn%';
drop table rn1, rn2;
