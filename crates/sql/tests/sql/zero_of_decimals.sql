=> create database if not exists test
=> drop table if exists t,q,u
=> create table t (a smallint unsigned, b decimal(10,2), x text, v varchar(30))
=> insert into t (a,b) values (0,0),(7,7)
=> update t set x=a/7, v=b/7
=> select * from t
=> insert into t (x,v) values (0/7, 0.0/7),(0*1.5, 0.00*1.50),(0%7,0.00),(0.00 mod 7, 0.5-0.5),(round(0.00,1),truncate(0.00,1)),(-0.00, abs(0.00)),(sum(0), ifnull(0/7,1)),(case when 1 then 0/7 end, least(0/7,1)),(if(1,0/7,1),coalesce(0/7))
=> insert into t (x,v) values (0/7, 0.0/7),(0*1.5, 0.00*1.50),(0%7,0.00),(0.00 mod 7, 0.5-0.5),(round(0.00,1),truncate(0.00,1)),(-0.00, abs(0.00)),(cast(0 as decimal(10,3)), ifnull(0/7,1)),(case when 1 then 0/7 end, least(0/7,1)),(if(1,0/7,1),coalesce(0/7))
=> select * from t
=> create table q as select concat(a/7) c, ifnull(a/7,'x') d, a/7 e from t
=> select * from q
=> set @a=(select a/7 from t limit 1)
=> select @a
=> set @b=0/7
=> select @b, concat(@b)
=> create function f1(a int) returns text return a/7
=> create function f2(a int) returns text begin declare s text; declare d decimal(10,5); set s=a/7; set d = a/7; return concat(s,' ',d); end
=> create function f3(a int) returns varchar(20) begin declare s varchar(20) default a/7; return s; end
=> create function f4(a text) returns text return a
=> select f1(0),f1(7),f2(0),f3(0), f4(0/7), f4(f1(0)), f4(7/7)
=> insert into t (x) values (0/3+0/7), (-(0/7)),(0/7-0/7),(7/7-7/7),(0/7 div 1), (1/7-1/7)
=> insert into t(x) values (0 mod 0.7),(0.7 mod 0.7),(1.4 mod 0.7)
=> create database if not exists test
=> drop table if exists t,q,u
=> create table t (x text, v varchar(40))
=> insert into t values (0.50+-0.5, 0.00-0.00),(0.00+0.0,-0.0+0.00),(0.5-0.50, -0.5+0.5),(0.00 - 0.0, 0-0.00),(0.0+0.00, 0.0*0.0),(-0.50+0.5, (1.5-0.5)-1)
=> select * from t
=> set @a=0/7, @b=0.5-0.5
=> select * from (select 0/7 a) q
=> select distinct 0/7
=> select 0/7 union select 0.5-0.5
=> select sum(0/7), avg(0/7), sum(0.5-0.5)
=> create table u as select 0/7 a, concat(0/7) b, ifnull(0/7,'x') c, 0.5-0.5 d
=> select * from u
=> do 0/7
=> select 0/7 in (0.0), 0/7 = 0, 0/7 between 0.0 and 0
=> prepare s from 'select ?, concat(?)'
=> execute s using @a, @a
=> select regexp_replace(0/7,'0','x'), elt(1,0/7), field('0.0000',0/7), concat_ws(',',0/7,0.5-0.5), make_set(1,0/7), char(0/7), insert('abc',1,1,0/7), replace('abc','a',0/7), reverse(0/7), rpad(0/7,9,'.'), trim(0/7), substr(0/7,1,9), soundex(0/7), to_base64(0/7), weight_string(0/7), inet_aton(0/7), date_format('2020-01-01',0/7), str_to_date(0/7,'%Y'), least(0/7,1.5), json_quote(0/7), json_value(json_array(0/7),'$[0]'), crc32(0/7), sha1(0/7), uuid() <> 0/7, concat(cast(0/7 as decimal(10,2))), any_value(1)
