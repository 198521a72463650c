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
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = (select n from nowhere); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = (select nocolumn from t where id<0); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = nofunction(); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = nocolumn; select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = new.nothing; select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = (select id,d from t limit 1); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = (1,2); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = st_x('x'); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x int default 7; declare continue handler for sqlexception set @e=1; set x = json_value('x','$.'); select x; end
=> call p()
=> create or replace table t (id int primary key, c int not null, d int)
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c int null, d int)
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = (select n from nowhere); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = (select nocolumn from t where id<0); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = nofunction(); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = nocolumn; select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = new.nothing; select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = (select id,d from t limit 1); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = (1,2); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = st_x('x'); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x varchar(30) default 7; declare continue handler for sqlexception set @e=1; set x = json_value('x','$.'); select x; end
=> call p()
=> create or replace table t (id int primary key, c varchar(30) not null, d int)
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c varchar(30) null, d int)
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select n from nowhere); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = (select n from nowhere); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select nocolumn from t where id<0); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = (select nocolumn from t where id<0); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nofunction(); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = nofunction(); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = nocolumn; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = nocolumn; select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = new.nothing; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = new.nothing; select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (select id,d from t limit 1); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = (select id,d from t limit 1); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = (1,2); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = (1,2); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = concat(_latin1'a' collate latin1_bin, _latin1'b' collate latin1_swedish_ci)=1; select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = st_x('x'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = st_x('x'); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); set new.d=2; end
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> create or replace trigger g before update on t for each row begin declare continue handler for sqlexception set @e=1; set new.c = json_value('x','$.'); end
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace procedure p() begin declare x decimal(30,2) default 7; declare continue handler for sqlexception set @e=1; set x = json_value('x','$.'); select x; end
=> call p()
=> create or replace table t (id int primary key, c decimal(30,2) not null, d int)
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> create or replace table t (id int primary key, c decimal(30,2) null, d int)
=> insert into t (id) values (1)
=> insert into t (id,c) values (3,null)
=> insert ignore into t (id,c) values (4,null)
=> insert into t (id,c) values (5,7)
=> update t set d=3
=> update t set c=null
=> select id, c+0, d from t order by id
=> call p()
=> drop table if exists t
=> create or replace table lg (what text, v text)
=> create or replace function f1(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f1(5)
=> create or replace procedure p1(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p1(5)
=> create or replace function f2(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f2(5)
=> create or replace procedure p2(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p2(5)
=> create or replace function f3(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f3(5)
=> create or replace procedure p3(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p3(5)
=> create or replace function f4(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f4(5)
=> create or replace procedure p4(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p4(5)
=> create or replace function f5(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f5(5)
=> create or replace procedure p5(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p5(5)
=> create or replace function f6(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f6(5)
=> create or replace procedure p6(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p6(5)
=> create or replace function f7(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f7(5)
=> create or replace procedure p7(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p7(5)
=> create or replace function f8(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f8(5)
=> create or replace procedure p8(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p8(5)
=> create or replace function f9(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f9(5)
=> create or replace procedure p9(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p9(5)
=> create or replace function f10(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f10(5)
=> create or replace procedure p10(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p10(5)
=> create or replace function f11(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f11(5)
=> create or replace procedure p11(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p11(5)
=> create or replace function f12(a1 decimal(10,2)) returns smallint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f12(5)
=> create or replace procedure p12(a1 decimal(10,2)) begin declare x smallint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p12(5)
=> create or replace function f13(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f13(5)
=> create or replace procedure p13(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p13(5)
=> create or replace function f14(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f14(5)
=> create or replace procedure p14(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p14(5)
=> create or replace function f15(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f15(5)
=> create or replace procedure p15(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p15(5)
=> create or replace function f16(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f16(5)
=> create or replace procedure p16(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p16(5)
=> create or replace function f17(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f17(5)
=> create or replace procedure p17(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p17(5)
=> create or replace function f18(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f18(5)
=> create or replace procedure p18(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p18(5)
=> create or replace function f19(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f19(5)
=> create or replace procedure p19(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p19(5)
=> create or replace function f20(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f20(5)
=> create or replace procedure p20(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p20(5)
=> create or replace function f21(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f21(5)
=> create or replace procedure p21(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p21(5)
=> create or replace function f22(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f22(5)
=> create or replace procedure p22(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p22(5)
=> create or replace function f23(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f23(5)
=> create or replace procedure p23(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p23(5)
=> create or replace function f24(a1 decimal(10,2)) returns int unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f24(5)
=> create or replace procedure p24(a1 decimal(10,2)) begin declare x int unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p24(5)
=> create or replace function f25(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f25(5)
=> create or replace procedure p25(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p25(5)
=> create or replace function f26(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f26(5)
=> create or replace procedure p26(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p26(5)
=> create or replace function f27(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f27(5)
=> create or replace procedure p27(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p27(5)
=> create or replace function f28(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f28(5)
=> create or replace procedure p28(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p28(5)
=> create or replace function f29(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f29(5)
=> create or replace procedure p29(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p29(5)
=> create or replace function f30(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f30(5)
=> create or replace procedure p30(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p30(5)
=> create or replace function f31(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f31(5)
=> create or replace procedure p31(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p31(5)
=> create or replace function f32(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f32(5)
=> create or replace procedure p32(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p32(5)
=> create or replace function f33(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f33(5)
=> create or replace procedure p33(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p33(5)
=> create or replace function f34(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f34(5)
=> create or replace procedure p34(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p34(5)
=> create or replace function f35(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f35(5)
=> create or replace procedure p35(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p35(5)
=> create or replace function f36(a1 decimal(10,2)) returns smallint begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f36(5)
=> create or replace procedure p36(a1 decimal(10,2)) begin declare x smallint default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p36(5)
=> create or replace function f37(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f37(5)
=> create or replace procedure p37(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p37(5)
=> create or replace function f38(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f38(5)
=> create or replace procedure p38(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p38(5)
=> create or replace function f39(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f39(5)
=> create or replace procedure p39(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p39(5)
=> create or replace function f40(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f40(5)
=> create or replace procedure p40(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p40(5)
=> create or replace function f41(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f41(5)
=> create or replace procedure p41(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p41(5)
=> create or replace function f42(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f42(5)
=> create or replace procedure p42(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p42(5)
=> create or replace function f43(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f43(5)
=> create or replace procedure p43(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p43(5)
=> create or replace function f44(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f44(5)
=> create or replace procedure p44(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p44(5)
=> create or replace function f45(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f45(5)
=> create or replace procedure p45(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p45(5)
=> create or replace function f46(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f46(5)
=> create or replace procedure p46(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p46(5)
=> create or replace function f47(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f47(5)
=> create or replace procedure p47(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p47(5)
=> create or replace function f48(a1 decimal(10,2)) returns tinyint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f48(5)
=> create or replace procedure p48(a1 decimal(10,2)) begin declare x tinyint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p48(5)
=> create or replace function f49(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f49(5)
=> create or replace procedure p49(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p49(5)
=> create or replace function f50(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f50(5)
=> create or replace procedure p50(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p50(5)
=> create or replace function f51(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f51(5)
=> create or replace procedure p51(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p51(5)
=> create or replace function f52(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f52(5)
=> create or replace procedure p52(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p52(5)
=> create or replace function f53(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f53(5)
=> create or replace procedure p53(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p53(5)
=> create or replace function f54(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f54(5)
=> create or replace procedure p54(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p54(5)
=> create or replace function f55(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f55(5)
=> create or replace procedure p55(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p55(5)
=> create or replace function f56(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f56(5)
=> create or replace procedure p56(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p56(5)
=> create or replace function f57(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f57(5)
=> create or replace procedure p57(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p57(5)
=> create or replace function f58(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f58(5)
=> create or replace procedure p58(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p58(5)
=> create or replace function f59(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f59(5)
=> create or replace procedure p59(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p59(5)
=> create or replace function f60(a1 decimal(10,2)) returns bigint unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f60(5)
=> create or replace procedure p60(a1 decimal(10,2)) begin declare x bigint unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p60(5)
=> create or replace function f61(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f61(5)
=> create or replace procedure p61(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p61(5)
=> create or replace function f62(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f62(5)
=> create or replace procedure p62(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p62(5)
=> create or replace function f63(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f63(5)
=> create or replace procedure p63(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p63(5)
=> create or replace function f64(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f64(5)
=> create or replace procedure p64(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p64(5)
=> create or replace function f65(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f65(5)
=> create or replace procedure p65(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p65(5)
=> create or replace function f66(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f66(5)
=> create or replace procedure p66(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p66(5)
=> create or replace function f67(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f67(5)
=> create or replace procedure p67(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p67(5)
=> create or replace function f68(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f68(5)
=> create or replace procedure p68(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p68(5)
=> create or replace function f69(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f69(5)
=> create or replace procedure p69(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p69(5)
=> create or replace function f70(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f70(5)
=> create or replace procedure p70(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p70(5)
=> create or replace function f71(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f71(5)
=> create or replace procedure p71(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p71(5)
=> create or replace function f72(a1 decimal(10,2)) returns decimal(3,1) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f72(5)
=> create or replace procedure p72(a1 decimal(10,2)) begin declare x decimal(3,1) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p72(5)
=> create or replace function f73(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f73(5)
=> create or replace procedure p73(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p73(5)
=> create or replace function f74(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f74(5)
=> create or replace procedure p74(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p74(5)
=> create or replace function f75(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f75(5)
=> create or replace procedure p75(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p75(5)
=> create or replace function f76(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f76(5)
=> create or replace procedure p76(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p76(5)
=> create or replace function f77(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f77(5)
=> create or replace procedure p77(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p77(5)
=> create or replace function f78(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f78(5)
=> create or replace procedure p78(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p78(5)
=> create or replace function f79(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f79(5)
=> create or replace procedure p79(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p79(5)
=> create or replace function f80(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f80(5)
=> create or replace procedure p80(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p80(5)
=> create or replace function f81(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f81(5)
=> create or replace procedure p81(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p81(5)
=> create or replace function f82(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f82(5)
=> create or replace procedure p82(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p82(5)
=> create or replace function f83(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f83(5)
=> create or replace procedure p83(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p83(5)
=> create or replace function f84(a1 decimal(10,2)) returns decimal(3,1) unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f84(5)
=> create or replace procedure p84(a1 decimal(10,2)) begin declare x decimal(3,1) unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p84(5)
=> create or replace function f85(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f85(5)
=> create or replace procedure p85(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p85(5)
=> create or replace function f86(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f86(5)
=> create or replace procedure p86(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p86(5)
=> create or replace function f87(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f87(5)
=> create or replace procedure p87(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p87(5)
=> create or replace function f88(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f88(5)
=> create or replace procedure p88(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p88(5)
=> create or replace function f89(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f89(5)
=> create or replace procedure p89(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p89(5)
=> create or replace function f90(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f90(5)
=> create or replace procedure p90(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p90(5)
=> create or replace function f91(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f91(5)
=> create or replace procedure p91(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p91(5)
=> create or replace function f92(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f92(5)
=> create or replace procedure p92(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p92(5)
=> create or replace function f93(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f93(5)
=> create or replace procedure p93(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p93(5)
=> create or replace function f94(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f94(5)
=> create or replace procedure p94(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p94(5)
=> create or replace function f95(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f95(5)
=> create or replace procedure p95(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p95(5)
=> create or replace function f96(a1 decimal(10,2)) returns double unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f96(5)
=> create or replace procedure p96(a1 decimal(10,2)) begin declare x double unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p96(5)
=> create or replace function f97(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f97(5)
=> create or replace procedure p97(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p97(5)
=> create or replace function f98(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f98(5)
=> create or replace procedure p98(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p98(5)
=> create or replace function f99(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f99(5)
=> create or replace procedure p99(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p99(5)
=> create or replace function f100(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f100(5)
=> create or replace procedure p100(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p100(5)
=> create or replace function f101(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f101(5)
=> create or replace procedure p101(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p101(5)
=> create or replace function f102(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f102(5)
=> create or replace procedure p102(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p102(5)
=> create or replace function f103(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f103(5)
=> create or replace procedure p103(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p103(5)
=> create or replace function f104(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f104(5)
=> create or replace procedure p104(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p104(5)
=> create or replace function f105(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f105(5)
=> create or replace procedure p105(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p105(5)
=> create or replace function f106(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f106(5)
=> create or replace procedure p106(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p106(5)
=> create or replace function f107(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f107(5)
=> create or replace procedure p107(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p107(5)
=> create or replace function f108(a1 decimal(10,2)) returns varchar(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f108(5)
=> create or replace procedure p108(a1 decimal(10,2)) begin declare x varchar(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p108(5)
=> create or replace function f109(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f109(5)
=> create or replace procedure p109(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p109(5)
=> create or replace function f110(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f110(5)
=> create or replace procedure p110(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p110(5)
=> create or replace function f111(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f111(5)
=> create or replace procedure p111(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p111(5)
=> create or replace function f112(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f112(5)
=> create or replace procedure p112(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p112(5)
=> create or replace function f113(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f113(5)
=> create or replace procedure p113(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p113(5)
=> create or replace function f114(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f114(5)
=> create or replace procedure p114(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p114(5)
=> create or replace function f115(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f115(5)
=> create or replace procedure p115(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p115(5)
=> create or replace function f116(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f116(5)
=> create or replace procedure p116(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p116(5)
=> create or replace function f117(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f117(5)
=> create or replace procedure p117(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p117(5)
=> create or replace function f118(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f118(5)
=> create or replace procedure p118(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p118(5)
=> create or replace function f119(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f119(5)
=> create or replace procedure p119(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p119(5)
=> create or replace function f120(a1 decimal(10,2)) returns year begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f120(5)
=> create or replace procedure p120(a1 decimal(10,2)) begin declare x year default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p120(5)
=> create or replace function f121(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f121(5)
=> create or replace procedure p121(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p121(5)
=> create or replace function f122(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f122(5)
=> create or replace procedure p122(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p122(5)
=> create or replace function f123(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f123(5)
=> create or replace procedure p123(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p123(5)
=> create or replace function f124(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f124(5)
=> create or replace procedure p124(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p124(5)
=> create or replace function f125(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f125(5)
=> create or replace procedure p125(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p125(5)
=> create or replace function f126(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f126(5)
=> create or replace procedure p126(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p126(5)
=> create or replace function f127(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f127(5)
=> create or replace procedure p127(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p127(5)
=> create or replace function f128(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f128(5)
=> create or replace procedure p128(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p128(5)
=> create or replace function f129(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f129(5)
=> create or replace procedure p129(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p129(5)
=> create or replace function f130(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f130(5)
=> create or replace procedure p130(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p130(5)
=> create or replace function f131(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f131(5)
=> create or replace procedure p131(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p131(5)
=> create or replace function f132(a1 decimal(10,2)) returns date begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f132(5)
=> create or replace procedure p132(a1 decimal(10,2)) begin declare x date default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p132(5)
=> create or replace function f133(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f133(5)
=> create or replace procedure p133(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p133(5)
=> create or replace function f134(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f134(5)
=> create or replace procedure p134(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p134(5)
=> create or replace function f135(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f135(5)
=> create or replace procedure p135(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p135(5)
=> create or replace function f136(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f136(5)
=> create or replace procedure p136(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p136(5)
=> create or replace function f137(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f137(5)
=> create or replace procedure p137(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p137(5)
=> create or replace function f138(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f138(5)
=> create or replace procedure p138(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p138(5)
=> create or replace function f139(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f139(5)
=> create or replace procedure p139(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p139(5)
=> create or replace function f140(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f140(5)
=> create or replace procedure p140(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p140(5)
=> create or replace function f141(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f141(5)
=> create or replace procedure p141(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p141(5)
=> create or replace function f142(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f142(5)
=> create or replace procedure p142(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p142(5)
=> create or replace function f143(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f143(5)
=> create or replace procedure p143(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p143(5)
=> create or replace function f144(a1 decimal(10,2)) returns enum('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f144(5)
=> create or replace procedure p144(a1 decimal(10,2)) begin declare x enum('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p144(5)
=> create or replace function f145(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f145(5)
=> create or replace procedure p145(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p145(5)
=> create or replace function f146(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f146(5)
=> create or replace procedure p146(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p146(5)
=> create or replace function f147(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f147(5)
=> create or replace procedure p147(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p147(5)
=> create or replace function f148(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f148(5)
=> create or replace procedure p148(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p148(5)
=> create or replace function f149(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f149(5)
=> create or replace procedure p149(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p149(5)
=> create or replace function f150(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f150(5)
=> create or replace procedure p150(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p150(5)
=> create or replace function f151(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f151(5)
=> create or replace procedure p151(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p151(5)
=> create or replace function f152(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f152(5)
=> create or replace procedure p152(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p152(5)
=> create or replace function f153(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f153(5)
=> create or replace procedure p153(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p153(5)
=> create or replace function f154(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f154(5)
=> create or replace procedure p154(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p154(5)
=> create or replace function f155(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f155(5)
=> create or replace procedure p155(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p155(5)
=> create or replace function f156(a1 decimal(10,2)) returns bit(3) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f156(5)
=> create or replace procedure p156(a1 decimal(10,2)) begin declare x bit(3) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p156(5)
=> create or replace function f157(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f157(5)
=> create or replace procedure p157(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p157(5)
=> create or replace function f158(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f158(5)
=> create or replace procedure p158(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p158(5)
=> create or replace function f159(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f159(5)
=> create or replace procedure p159(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p159(5)
=> create or replace function f160(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f160(5)
=> create or replace procedure p160(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p160(5)
=> create or replace function f161(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f161(5)
=> create or replace procedure p161(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p161(5)
=> create or replace function f162(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f162(5)
=> create or replace procedure p162(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p162(5)
=> create or replace function f163(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f163(5)
=> create or replace procedure p163(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p163(5)
=> create or replace function f164(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f164(5)
=> create or replace procedure p164(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p164(5)
=> create or replace function f165(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f165(5)
=> create or replace procedure p165(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p165(5)
=> create or replace function f166(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f166(5)
=> create or replace procedure p166(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p166(5)
=> create or replace function f167(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f167(5)
=> create or replace procedure p167(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p167(5)
=> create or replace function f168(a1 decimal(10,2)) returns float unsigned begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f168(5)
=> create or replace procedure p168(a1 decimal(10,2)) begin declare x float unsigned default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p168(5)
=> create or replace function f169(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f169(5)
=> create or replace procedure p169(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p169(5)
=> create or replace function f170(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f170(5)
=> create or replace procedure p170(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p170(5)
=> create or replace function f171(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f171(5)
=> create or replace procedure p171(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p171(5)
=> create or replace function f172(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f172(5)
=> create or replace procedure p172(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p172(5)
=> create or replace function f173(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f173(5)
=> create or replace procedure p173(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p173(5)
=> create or replace function f174(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f174(5)
=> create or replace procedure p174(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p174(5)
=> create or replace function f175(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f175(5)
=> create or replace procedure p175(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p175(5)
=> create or replace function f176(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f176(5)
=> create or replace procedure p176(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p176(5)
=> create or replace function f177(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f177(5)
=> create or replace procedure p177(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p177(5)
=> create or replace function f178(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f178(5)
=> create or replace procedure p178(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p178(5)
=> create or replace function f179(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f179(5)
=> create or replace procedure p179(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p179(5)
=> create or replace function f180(a1 decimal(10,2)) returns char(2) begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f180(5)
=> create or replace procedure p180(a1 decimal(10,2)) begin declare x char(2) default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p180(5)
=> create or replace function f181(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f181(5)
=> create or replace procedure p181(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p181(5)
=> create or replace function f182(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f182(5)
=> create or replace procedure p182(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p182(5)
=> create or replace function f183(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f183(5)
=> create or replace procedure p183(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p183(5)
=> create or replace function f184(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f184(5)
=> create or replace procedure p184(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p184(5)
=> create or replace function f185(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f185(5)
=> create or replace procedure p185(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p185(5)
=> create or replace function f186(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f186(5)
=> create or replace procedure p186(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p186(5)
=> create or replace function f187(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f187(5)
=> create or replace procedure p187(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p187(5)
=> create or replace function f188(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f188(5)
=> create or replace procedure p188(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p188(5)
=> create or replace function f189(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f189(5)
=> create or replace procedure p189(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p189(5)
=> create or replace function f190(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f190(5)
=> create or replace procedure p190(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p190(5)
=> create or replace function f191(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f191(5)
=> create or replace procedure p191(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p191(5)
=> create or replace function f192(a1 decimal(10,2)) returns datetime begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f192(5)
=> create or replace procedure p192(a1 decimal(10,2)) begin declare x datetime default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p192(5)
=> create or replace function f193(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f193(5)
=> create or replace procedure p193(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p193(5)
=> create or replace function f194(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f194(5)
=> create or replace procedure p194(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p194(5)
=> create or replace function f195(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f195(5)
=> create or replace procedure p195(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p195(5)
=> create or replace function f196(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f196(5)
=> create or replace procedure p196(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p196(5)
=> create or replace function f197(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f197(5)
=> create or replace procedure p197(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p197(5)
=> create or replace function f198(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f198(5)
=> create or replace procedure p198(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p198(5)
=> create or replace function f199(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f199(5)
=> create or replace procedure p199(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p199(5)
=> create or replace function f200(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f200(5)
=> create or replace procedure p200(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p200(5)
=> create or replace function f201(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f201(5)
=> create or replace procedure p201(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p201(5)
=> create or replace function f202(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f202(5)
=> create or replace procedure p202(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p202(5)
=> create or replace function f203(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f203(5)
=> create or replace procedure p203(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p203(5)
=> create or replace function f204(a1 decimal(10,2)) returns time begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f204(5)
=> create or replace procedure p204(a1 decimal(10,2)) begin declare x time default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p204(5)
=> create or replace function f205(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -a1; end
=> select f205(5)
=> create or replace procedure p205(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-a1; select x; end
=> call p205(5)
=> create or replace function f206(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5; end
=> select f206(5)
=> create or replace procedure p206(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5; select x; end
=> call p206(5)
=> create or replace function f207(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5.00; end
=> select f207(5)
=> create or replace procedure p207(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5.00; select x; end
=> call p207(5)
=> create or replace function f208(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return -5e0; end
=> select f208(5)
=> create or replace procedure p208(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=-5e0; select x; end
=> call p208(5)
=> create or replace function f209(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999; end
=> select f209(5)
=> create or replace procedure p209(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999; select x; end
=> call p209(5)
=> create or replace function f210(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 99999999.5; end
=> select f210(5)
=> create or replace procedure p210(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=99999999.5; select x; end
=> call p210(5)
=> create or replace function f211(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 1e12; end
=> select f211(5)
=> create or replace procedure p211(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=1e12; select x; end
=> call p211(5)
=> create or replace function f212(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return '-5'; end
=> select f212(5)
=> create or replace procedure p212(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='-5'; select x; end
=> call p212(5)
=> create or replace function f213(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return 'x'; end
=> select f213(5)
=> create or replace procedure p213(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='x'; select x; end
=> call p213(5)
=> create or replace function f214(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return '999999999999'; end
=> select f214(5)
=> create or replace procedure p214(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x='999999999999'; select x; end
=> call p214(5)
=> create or replace function f215(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast(-5 as signed); end
=> select f215(5)
=> create or replace procedure p215(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast(-5 as signed); select x; end
=> call p215(5)
=> create or replace function f216(a1 decimal(10,2)) returns set('a','b') begin declare exit handler for sqlexception insert into lg values ('a','b'); return cast('2020-01-01' as date); end
=> select f216(5)
=> create or replace procedure p216(a1 decimal(10,2)) begin declare x set('a','b') default null; declare continue handler for sqlexception insert into lg values ('a','b'); set x=cast('2020-01-01' as date); select x; end
=> call p216(5)
=> select count(*) from lg
=> drop table if exists t
=> create table t (id int, c int, d int)
=> create table u (id int, n int)
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception get diagnostics condition 1 @m = message_text; set new.c=(select n from u limit 1); set new.d=9; end
=> alter table t drop column c
=> insert into t (id) values (1)
=> select @m
=> insert into t (id) values (1)
=> select @m
=> drop table u
=> insert into t (id) values (1)
=> select @m
=> create table u (id int)
=> insert into t (id) values (1)
=> select @m
=> drop trigger g
=> create trigger g before insert on t for each row begin declare continue handler for sqlexception get diagnostics condition 1 @m = message_text; set new.c=nosuch(); set new.d=9; end
=> create or replace trigger g before insert on t for each row begin declare continue handler for sqlexception get diagnostics condition 1 @m = message_text; set new.c=nosuch; set new.d=9; end
=> insert into t (id) values (1)
=> select @m
=> select * from t
