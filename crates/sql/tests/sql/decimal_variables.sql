=> drop table if exists lg
=> create table lg(v varchar(200) character set utf8mb4)
=> create or replace function f10() returns int begin set @n=ifnull(@n,0)+1; insert into lg values (left(@n,100)); return 1; end
=> create or replace function f11() returns int begin insert into lg values (left(@n,100)); return 1; end
=> create or replace function f12() returns int begin set @n=ifnull(@n,0)+1; return 1; end
=> create or replace procedure p10() begin set @n=ifnull(@n,0)+1; insert into lg values (left(@n,100)); end
=> set @n=null
=> select f10()
=> set @n=1
=> select f10()
=> set @n=1.5
=> select f10()
=> set @n=1e0
=> select f10()
=> set @n='a'
=> select f10()
=> select * from lg
=> delete from lg
=> set @n=null
=> select f12()
=> select @n, left(@n,100)
=> set @n=1
=> select f12()
=> select @n, left(@n,100)
=> set @n=1
=> select f11()
=> set @n=1.5
=> select f11()
=> set @n=1
=> select f11()
=> select * from lg
=> delete from lg
=> set @n=null
=> call p10()
=> set @n=1
=> call p10()
=> set @n=1.5
=> call p10()
=> set @n='a'
=> call p10()
=> select * from lg
=> set @n=1
=> select f10()
=> select f10()
=> select * from lg
=> set @n=1.5
=> set @n=ifnull(@n,0)+1
=> select @n, left(@n,100), concat(@n), @n+0, @n*1.50
=> set @n=@n+1
=> select @n, left(@n,100), concat(@n)
=> set @n=@n/3
=> select @n, left(@n,100), concat(@n)
=> select @m:=@n*1.0, left(@m,100)
=> set @n=1.50
=> select @n, left(@n,100), concat(@n)
=> set @n=round(2.345,1)
=> select @n, left(@n,100), concat(@n)
=> set @n=cast(2.5 as decimal(10,4))
=> select @n, left(@n,100), concat(@n)
=> set @n=if(1,@n,2)
=> select @n, left(@n,100), concat(@n)
=> set @n=coalesce(@n,2.55555)
=> select @n, left(@n,100), concat(@n)
=> create or replace table t1 (d decimal(20,10))
=> insert into t1 values (1.5),(2.25)
=> set @n=(select d from t1 limit 1)
=> select @n, left(@n,100), concat(@n)
=> set @n=(select sum(d) from t1)
=> select @n, left(@n,100), concat(@n)
=> set @n=ifnull(@n,0)+1
=> select @n, left(@n,100), concat(@n)
=> select @n:=ifnull(@n,0)+d from t1
=> select @n, left(@n,100), concat(@n)
=> create or replace procedure p1() begin set @n=ifnull(@n,0)+1; select @n, left(@n,100), concat(@n), length(@n); end
=> create or replace procedure p2() begin set @n=@n*2; select @n, left(@n,100), concat(@n), length(@n); end
=> create or replace procedure p3() begin select @n:=@n*2; select @n, left(@n,100), concat(@n), length(@n); end
=> create or replace procedure p4() begin select 1.5 into @n; select @n, left(@n,100), concat(@n), length(@n); end
=> create or replace procedure p5() begin declare x decimal(10,3) default 1.5; set @n=x; select @n, left(@n,100), concat(@n), length(@n); end
=> set @n=1.5
=> call p1()
=> call p1()
=> call p2()
=> call p3()
=> call p4()
=> call p5()
=> drop table if exists t1, lg
