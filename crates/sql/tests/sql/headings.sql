create table t (a int, `B c` int, c int); insert into t values (1,2,3);
select +5; select + 5; select -5; select - 5; select +-5; select -+5; select +a from t; select + a from t; select -a from t; select (a) from t; select ((a)) from t; select (5); select ( 5 ); select (a)+1 from t; select a + 1 from t; select a+1 from t; select a  +  1 from t; 
+1 from t;
select true, false, TRUE, False, tRue; select not true; select null, NULL, Null; select unknown; select null is null;
select 'a''b'; select "a""b"; select 'a"b'; select "a'b";
select 1 /*!32301 +1 */; select 1 /*!99999 +1 */ + 2; select /*!32301 1 */ + 1; select /*! 1 */; select 1 /*M! +1 */; select /* c */ 1; select 1 /* c */;
select 1 as 'x y'; select 1 x; select 1 'x'; select 1 "x"; select 1 as `x`; select 1 as ' x'; select 1 as 'x '; select 1 as ''; select a as 'A' from t; select 1 as é;
select `a`, `B c`, t.`B c`, T.a from t; select t.a from t; select t . a from t; select t.* from t; select A from t; select `A`+1 from t; select test.t.a from t; select .t.a from t;
select count(*), COUNT( * ), count(a) from t; select Concat( 'a' , 'b' ); select now()-now(); select (select 1); select (select a from t); select ( select 1 ); select exists(select 1); select 1 in (1,2); select a in ( 1 , 2 ) from t; select case when 1 then 2 end; select cast(1 as char); select @x; select @`x y`; select @'x'; select @@version_comment is null; select @@session.sql_mode is null; select @y:=1; select @y := 1; select if(1,2,3); select 1 and 2; select 1 && 2; select 1 or 2; select 1 || 2; select !1; select not 1; select ~1; select 1 between 0 and 2; select 1 is true; select 1<>2; select 1 != 2; select 1 div 2; select 5 mod 3; select 5 % 3; select 1 like 2; select interval(1,2); select date_add('2020-01-01', interval 1 day); select row(1,2)=row(1,2); select (1,2)=(1,2); select default(a) from t; select current_user is null; select current_timestamp is null; select current_date() is null; select utc_date is null; select database(); select user() is null; select last_insert_id(); select char(65); select left('a',1); select trim(' a '); select trim(both 'x' from 'xax'); select substring('abc' from 2); select position('a' in 'ba'); select extract(year from '2020-01-01'); select group_concat(a order by a separator ';') from t; select sum(distinct a) from t; select a=1 from t; select a:=1;
select 1,2;
,3;
select  1  ,  2; select 1;
select * from (select 1) x; select * from (select +5) x; select * from (select true) x; select * from (select 1+1, 'x', null) x; select `1+1` from (select 1+1) x; select x.`a + 1` from (select a + 1 from t) x; select 1 union select +5; select +5 union select 1; select true union select 1; (select +5); (select 'x') union (select 'y'); values (+5, true, 'x'); with q as (select +5, true) select * from q; with q(a) as (select +5) select * from q;

prepare s from 'select ?, ?+1, +?, 1+?'; set @p=5; execute immediate 'select +5, true, ''x'''; prepare s from 'select a, +a, ? from t where a=?'; execute s using @p,@p;
drop table if exists t, u, u2;
