=> create table o (id int primary key, x int)
=> insert into o values (1,1),(2,2),(3,3)
=> set sql_mode=''
=> set timestamp=1700000000
=> create or replace table t (id int primary key, c int not null, d int)
=> insert into t (id,c,d) values (1,1,1),(2,1,2),(3,1,3)
=> update o a left join t b on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update o a left join t b on a.x=b.d set b.c=null where b.d=2
=> select id,hex(c),d from t
=> update o a join t b on a.x=b.d set b.c=null where a.x=3
=> select id,hex(c),d from t
=> update o a left join (t b join o c on b.d=c.x) on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update t b right join o a on a.x=b.d set b.c=null where a.x=2
=> select id,hex(c),d from t
=> update t set c=null where id=2
=> select id,hex(c),d from t
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> insert into t (id,c,d) values (1,1,1),(2,1,2),(3,1,3)
=> update o a left join t b on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update o a left join t b on a.x=b.d set b.c=null where b.d=2
=> select id,hex(c),d from t
=> update o a join t b on a.x=b.d set b.c=null where a.x=3
=> select id,hex(c),d from t
=> update o a left join (t b join o c on b.d=c.x) on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update t b right join o a on a.x=b.d set b.c=null where a.x=2
=> select id,hex(c),d from t
=> update t set c=null where id=2
=> select id,hex(c),d from t
=> create or replace table t (id int primary key, c varchar(3) not null, d int)
=> insert into t (id,c,d) values (1,1,1),(2,1,2),(3,1,3)
=> update o a left join t b on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update o a left join t b on a.x=b.d set b.c=null where b.d=2
=> select id,hex(c),d from t
=> update o a join t b on a.x=b.d set b.c=null where a.x=3
=> select id,hex(c),d from t
=> update o a left join (t b join o c on b.d=c.x) on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update t b right join o a on a.x=b.d set b.c=null where a.x=2
=> select id,hex(c),d from t
=> update t set c=null where id=2
=> select id,hex(c),d from t
=> create or replace table t (id int primary key, c timestamp not null, d int)
=> insert into t (id,c,d) values (1,1,1),(2,1,2),(3,1,3)
=> update o a left join t b on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update o a left join t b on a.x=b.d set b.c=null where b.d=2
=> select id,hex(c),d from t
=> update o a join t b on a.x=b.d set b.c=null where a.x=3
=> select id,hex(c),d from t
=> update o a left join (t b join o c on b.d=c.x) on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update t b right join o a on a.x=b.d set b.c=null where a.x=2
=> select id,hex(c),d from t
=> update t set c=null where id=2
=> select id,hex(c),d from t
=> create or replace table t (id int primary key, c decimal(4,1) not null, d int)
=> insert into t (id,c,d) values (1,1,1),(2,1,2),(3,1,3)
=> update o a left join t b on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update o a left join t b on a.x=b.d set b.c=null where b.d=2
=> select id,hex(c),d from t
=> update o a join t b on a.x=b.d set b.c=null where a.x=3
=> select id,hex(c),d from t
=> update o a left join (t b join o c on b.d=c.x) on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update t b right join o a on a.x=b.d set b.c=null where a.x=2
=> select id,hex(c),d from t
=> update t set c=null where id=2
=> select id,hex(c),d from t
=> create or replace table t (id int primary key, c bit(4) not null, d int)
=> insert into t (id,c,d) values (1,1,1),(2,1,2),(3,1,3)
=> update o a left join t b on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update o a left join t b on a.x=b.d set b.c=null where b.d=2
=> select id,hex(c),d from t
=> update o a join t b on a.x=b.d set b.c=null where a.x=3
=> select id,hex(c),d from t
=> update o a left join (t b join o c on b.d=c.x) on a.x=b.d set b.c=null where a.x=1
=> select id,hex(c),d from t
=> update t b right join o a on a.x=b.d set b.c=null where a.x=2
=> select id,hex(c),d from t
=> update t set c=null where id=2
=> select id,hex(c),d from t
=> drop table t
=> drop table o
