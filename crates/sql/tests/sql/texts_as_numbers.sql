# Texts of variables, NEW and OLD, functions and subqueries as numbers: with every digit that is written.
create table t(v varchar(10), c char(5), b text, e enum('1.5','2.5'), s set('1.5','2'), n int);
insert into t values ('2.55','1.25','3.75','2.5','1.5',1);
select ifnull(v,'0')*1, coalesce(v)*1, if(1,v,c)*1, max(v)*1, min(b)+0, (select v)*1, case when 1 then v end *1, nullif(v,'')*1, greatest(v,c)*1, least(b,v)+0, concat(v)*1, trim(v)*1, left(v,10)*1, v*1, c*1, b*1 from t;
select lag(v,0) over (order by n)*1, first_value(v) over (order by n)*1, max(v) over ()*1 from t;
select x*1, x+0, x/1, x-0, x%2, -x, abs(x), round(x,1) from (select max(v) x from t) q;
select x*1 from (select ifnull(v,'') x from t) q;
select (v)*1, (select max(v) from t)*1 from t;
select elt(1,v)*1, substring(v,1)*1, replace(v,'x','')*1, upper(v)*1, reverse(v)*1, lpad(v,5,'0')*1, convert(v using utf8mb4)*1, cast(v as char)*1, binary v*1, v collate latin1_bin*1, repeat(v,1)*1, json_unquote(v)*1, json_value('{"a":"2.5"}','$.a')*1, json_extract('{"a":2.5}','$.a')*1, substring_index(v,',',1)*1, concat_ws('',v)*1, group_concat(v)*1, export_set(1,v,c,'',1)*1, make_set(1,v)*1, quote(v)*1, hex(v)*1, insert(v,1,0,'')*1, regexp_replace(v,'x','')*1, regexp_substr(v,'.*')*1, uncompress(compress(v))*1, space(0)*1, char(50)*1, md5(v)*0, date_format('2020-01-01','%Y.5')*1, format(2.5,1)*1, e*1, s*1 from t;
set @v='2.55'; select @v*1, @v+0, @v/1, (@x:='2.55')*1, @x*1, ifnull(@v,0)*1;
execute immediate 'select ?*1, ?+0, ?/1, ifnull(?,0)*1, concat(?)*1' using '2.55','2.55','2.55','2.55','2.55';
select 1.5*v, v*0.5, v+0.25, v-1, v/3, 7 mod v, v div 1, pow(v,2), v*n, n*v from t;
select sum(v), avg(v), sum(v*1), sum(ifnull(v,0)), std(v), sum(x) from t, (select max(v) x from t) q;
create view w as select v, ifnull(v,'0') i, max(v) m from t group by v;
select v*1, i*1, m*1, i+m from w;
with q as (select v from t union select c from t) select v*1 from q;
with recursive q as (select v, 1 k from t union all select v, k+1 from q where k<2) select v*1 from q;
=> create trigger tr before insert on t for each row set new.n = new.v * 100, new.b = new.v * 1.5, new.c = new.v + 0
insert into t(v) values ('1.25');
select * from t where v='1.25';
=> create trigger tu before update on t for each row set new.n = old.v * 1000, new.b = old.v / 3
update t set c='x' where v='1.25';
select * from t where v='1.25';
=> create function fv(a varchar(10)) returns varchar(10) return a
=> create function ft(a text) returns text return a
=> create function fm(a varchar(10)) returns double return a*1.5
=> create function fd(a varchar(10)) returns decimal(10,4) return a*1.5
select fv('2.55')*1, fv(v)+0, ft('2.55')*1, fm('2.55'), fd('2.55'), fv('2.55')/3, -fv('2.55'), sum(fv(v)) from t;
=> create procedure pv(a varchar(10), b char(5), c text) begin declare r double; declare d decimal(10,4); set r=a*1.5, d=a*1.5; select a*1, b*1, c*1, r, d, a*b, a+0, a/3, -a, a%2, ifnull(a,0)*1, concat(a)*1; if a*1 > 2.5 then select 'more'; end if; while a*1 < 3.5 do set a = a + 0.25; end while; select a; end
call pv('2.55','1.25','3.75');
