drop sequence if exists s, s2, sx, ts; drop table if exists l, t; create table l (a int);
create sequence s engine = myisam;
show create sequence s; show create table s; select * from s; describe s;
select table_name, table_type, engine, row_format, table_rows, avg_row_length, data_length, auto_increment, table_comment from information_schema.tables where table_name = 's';
select table_name, table_type from information_schema.tables where table_schema = 'test' and table_name in ('s', 'l') order by 1;
show full tables;
select table_name, column_name, column_type, column_default, is_nullable, column_comment from information_schema.columns where table_name = 's';
select nextval(s), nextval(s), lastval(s), next value for s, previous value for s; select * from s;
create sequence s2 start with 100 increment by -10 minvalue 5 maxvalue 200 cache 3 cycle comment = 'hey';
show create sequence s2; select * from s2; select nextval(s2) from seq_1_to_15; select * from s2;
select setval(s2, 50), nextval(s2); select setval(s2, 50, 0), nextval(s2), setval(s2, 50, 1, 7); select * from s2; drop sequence s2;
update s set start_value = 2; delete from s; truncate s;
alter sequence s restart; select * from s; alter sequence s restart 50; select * from s; alter sequence s increment 5 maxvalue 1000 nocycle nocache; select * from s;
alter sequence s start 3 restart with 7; select * from s; select nextval(s), nextval(s); select * from s;
drop table s; drop sequence if exists s; drop sequence s; drop sequence l; drop sequence if exists l;
create sequence s maxvalue 3; select nextval(s) from seq_1_to_5; select lastval(s); drop sequence s;
# options
create sequence s increment 2 increment 3; create sequence s minvalue 1 nominvalue; create sequence s cache 1 nocache; create sequence s cycle nocycle; create sequence s cycle no cycle; create sequence s maxvalue = 5 maxvalue 6;
create sequence s start = 5; show create sequence s; drop sequence s;
create sequence s start 5 with; create sequence s increment by 1.5; create sequence s start 'a'; create sequence s start 99999999999999999999; create sequence s minvalue -9223372036854775808; create sequence s no cache; create sequence s as tinyint;
create sequence s start with -5 minvalue = -10 increment = 2 maxvalue = 10; show create sequence s; drop sequence s;
create sequence s minvalue -9223372036854775807; show create sequence s; drop sequence s;
create sequence s cache 0; show create sequence s; select nextval(s), nextval(s); select * from s; drop sequence s;
create sequence s increment -1; show create sequence s; select nextval(s); select nextval(s); drop sequence s;
create sequence s increment -1 maxvalue 5; show create sequence s; drop sequence s;
create sequence s nominvalue no maxvalue; show create sequence s; drop sequence s;
create sequence s maxvalue -5; create sequence s increment -1 minvalue 5; create sequence s start 0; create sequence s minvalue 5 maxvalue 4; create sequence s cache -1; create sequence s maxvalue 9223372036854775807; create sequence s maxvalue 9223372036854775806; drop sequence s;
create sequence s maxvalue 5 increment 10; select nextval(s); select nextval(s); drop sequence s;
create sequence s engine = memory; create sequence s row_format = dynamic comment 'x'; show create sequence s; drop sequence s;
# ALTER
create sequence s; alter sequence s; alter sequence if exists nope increment 5; alter sequence s minvalue 5; alter sequence s start 10; alter sequence s minvalue 5 start 10; alter sequence s minvalue 5 start 10 restart; select * from s;
alter sequence s maxvalue 3; alter sequence s no maxvalue; alter sequence s restart 2; alter sequence s comment 'x'; alter sequence s engine = myisam; alter sequence s increment -1; select * from s;
select nextval(s); alter sequence s increment 1; select nextval(s), nextval(s); alter sequence s cache 5; select nextval(s); select * from s; drop sequence s;
# SETVAL
create sequence s; select setval(s, 100), nextval(s); select setval(s, 90), nextval(s); select setval(s, 200, 0), nextval(s); select setval(s, 1000, 1, 0), nextval(s); select setval(s, 1000), setval(s, 999), setval(s, 1001); select * from s;
select setval(s, null); select setval(s, '5x'); select setval(s, 1.7); select setval(s, 99999999999999999999); select setval(s, -5), nextval(s); drop sequence s;
create sequence s maxvalue 10 cycle cache 2; select setval(s, 10), nextval(s), nextval(s); select setval(s, 5, 1, 0), setval(s, 3, 1, 1), nextval(s); select * from s; select setval(s, 8), lastval(s);
flush tables; select lastval(s); select nextval(s);
# in expressions
select nextval(s) + nextval(s) from dual where nextval(s) > 0; select nextval(`s`), nextval(test.s), next value for test.s; select (select nextval(s)); set @x = nextval(s); select @x; do nextval(s); select if(0, nextval(s), 5);
prepare p from 'select nextval(s)'; execute p; execute p; prepare p from 'select setval(s, ?)';
create function sf() returns int return nextval(s); select sf(); drop function sf;
create table t (a int primary key default nextval(s), b int); show create table t; insert into t (b) values (1), (2); insert into t values (default, 3), (nextval(s), 4); select * from t; update t set b = nextval(s) order by a; select * from t; drop table t;
create table t as select nextval(s) a, lastval(s) b; show create table t; drop table t;
create table t (a int, b int default (next value for s)); insert into t (a) select 1 from seq_1_to_3; select * from t order by b; show create table t; drop table t;
create view v as select nextval(s); show create view v; select count(*) from v; drop view v;
explain select nextval(s);
# names and other statements
select nextval(l); select lastval(l); select setval(l, 5); select nextval(nope); show create sequence nope; show create sequence l;
create or replace sequence s start 7; select nextval(s); create sequence if not exists s; create sequence s; create table s (a int); create table if not exists s (a int);
rename table s to s9; select nextval(s9); alter table s9 rename to s; flush tables; select nextval(s);
create table sx like s; select * from sx; select nextval(sx); drop table sx;
create table t select * from s; show create table t; drop table t;
create temporary sequence ts; select nextval(ts), nextval(ts), lastval(ts); drop temporary sequence ts; select nextval(ts);
lock tables s read; select * from s; unlock tables;
drop table l; drop sequence s;
=> drop sequence if exists q1, q2, q3
=> CREATE SEQUENCE q1 START WITH 1 INCREMENT BY 2 MINVALUE -40 MAXVALUE 40 CYCLE
=> alter sequence q1 restart 42
=> select nextval(q1)
=> select nextval(q1)
=> alter sequence q1 restart 41
=> alter sequence q1 restart 43
=> alter sequence q1 restart 44
=> select nextval(q1)
=> alter sequence q1 restart -42
=> alter sequence q1 restart -41
=> alter sequence q1 restart 40
=> select nextval(q1)
=> select nextval(q1)
=> create sequence q2 maxvalue 40 nocycle
=> alter sequence q2 restart 42
=> alter sequence q2 restart 41
=> select nextval(q2)
=> alter sequence q2 restart 40
=> select nextval(q2)
=> select nextval(q2)
=> create sequence q3 increment -1 minvalue -40 maxvalue -1
=> alter sequence q3 restart -42
=> alter sequence q3 restart -41
=> select nextval(q3)
=> alter sequence q3 restart 5
=> drop sequence q1, q2, q3
=> create sequence q1 maxvalue 40 minvalue -40
=> alter sequence q1 maxvalue 20
=> select nextval(q1)
=> alter sequence q1 restart 30
=> select nextval(q1)
=> alter sequence q1 maxvalue 10 restart 1000
=> select nextval(q1)
=> alter sequence q1 restart 9223372036854775807
=> alter sequence q1 restart 9223372036854775806
=> alter sequence q1 cycle
=> select nextval(q1)
=> alter sequence q1 restart 15
=> alter sequence q1 minvalue 5
=> alter sequence q1 minvalue 5 start 5
=> alter sequence q1 minvalue 5 start 5 restart 4
=> alter sequence q1 increment -1 restart 11
=> alter sequence q1 increment -1 restart 10
=> select nextval(q1)
=> alter sequence q1 restart -100
=> select nextval(q1)
=> drop sequence q1
