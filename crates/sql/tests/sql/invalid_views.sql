=> drop table if exists t1,t2,t9
=> drop view if exists v1,v2,v3,v4,v5,v9
=> create table t1(a int, b int)
=> create table t2(a int, b int)
=> create or replace function f1(a int) returns int return a
=> create or replace view v1 as select a,b from t1 where a>1
=> create or replace view v2 as select a,b from v1
=> create or replace view v3 as select a,f1(b) c from t1
=> create or replace algorithm=temptable view v4 as select a,b from t1 where a>1
=> create or replace view v5 as select a,count(b) from t1 group by a having sum(b)>1 order by b
=> alter table t1 drop column b
=> select * from v1
=> select a from v1
=> select * from v2
=> select * from v4
=> select * from v5
=> select * from t2 join v1 on t2.a=v1.a
=> select * from t2 where a in (select a from v1)
=> describe v1
=> show columns from v1
=> explain select * from v1
=> create view v9 as select * from v1
=> create table t9 select * from v1
=> check table v1
=> check table v2
=> lock tables v1 read
=> unlock tables
=> prepare s from 'select * from v1'
=> call nope()
=> begin not atomic declare continue handler for sqlexception get diagnostics condition 1 @c=returned_sqlstate, @e=mysql_errno, @m=message_text; select * from v1; end
=> select @c,@e,@m
=> begin not atomic declare continue handler for 1054 get diagnostics condition 1 @c=returned_sqlstate, @e=mysql_errno, @m=message_text; select * from v1; end
=> select @c,@e,@m
=> drop table t1
=> select * from v1
=> select * from v2
=> select * from v4
=> update v2 set a=1
=> check table v1
=> create table t1(a int, b int)
=> drop function f1
=> select * from v3
=> select a from v3
=> drop view v1
=> select * from v2
=> create view v1 as select a from t2
=> select * from v2
=> handler v2 open
=> select * from v2 join v3
=> select 1 union select a from v2
=> drop view v1,v2,v3,v4,v5
