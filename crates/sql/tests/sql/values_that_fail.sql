=> create function f() returns int begin signal sqlstate '45000'; return 3; end
=> create procedure p1() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x=9223372036854775807+1; select x; end
=> create procedure p2() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x=(select 1 union select 2); select x; end
=> create procedure p3() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x=f(); select x; end
=> create procedure p4() begin declare x varchar(10) default 7; declare continue handler for sqlexception set @e=1; set x=concat('a',exp(1000)); select x; end
=> create procedure p5() begin declare x varchar(10) default 7; declare continue handler for sqlexception set @e=1; set x=concat('a',f()); select x; end
=> create procedure p6() begin declare x varchar(10) default 7; declare continue handler for sqlexception set @e=1; set @x=exp(1000); select @x; set @x=concat('a',exp(1000)); select @x; set @x=f(); select @x; set @x=(select 1 union select 2); select @x; end
=> create procedure p8() begin declare x decimal(5,2) default 7; declare continue handler for sqlexception set @e=1; set x='x'; select x; set x=exp(1000); select x; set x=99999; select x;end
=> create procedure p9() begin declare x int default exp(1000);  declare y int default f(); select x,y; end
=> set @x=5
=> call p1()
=> call p2()
=> call p3()
=> call p4()
=> call p5()
=> call p6()
=> call p8()
=> call p9()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c datetime null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c enum('a','b') null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 9223372036854775807+1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = exp(1000); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 1 union select 2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 1+f(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = (select 9223372036854775807+1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = if(1,9223372036854775807+1,3); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = 'hello'; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) not null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare continue handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c bit(9) null, d int)
=> create trigger g before insert on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,0)
=> drop trigger g
=> create trigger g before update on t for each row begin declare exit handler for sqlexception, 1265, 1366 set @e=1; set new.c = null; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
