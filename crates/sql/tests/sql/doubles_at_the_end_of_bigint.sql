-- The double next to the largest BIGINT is that number, one step further is out of range.
create table t (a bigint, b bigint unsigned, c double, i int);
insert into t (a) values (9223372036854775808e0); insert into t (a) values (9223372036854777856e0); insert into t (b) values (18446744073709551616e0); insert into t (b) values (18446744073709555712e0); insert into t (a) values (-9223372036854775808e0); insert into t (a) values (-9223372036854777856e0); insert into t (i) values (9223372036854775808e0); insert into t (b) values (9223372036854775808e0);
insert into t (c) values (9223372036854775808e0), (18446744073709551616e0), (-9223372036854775808e0); insert into t (a) select c from t where c > 0 limit 1;
select * from t order by a, b, c;
select cast(c as signed), cast(c as unsigned) from t where c > 0 order by c;
select cast(9223372036854775808e0 as signed), cast(18446744073709551616e0 as unsigned), cast(-9223372036854775808e0 as signed), cast(9223372036854777856e0 as signed);
select count(*) from t where a = 9223372036854775808e0; update t set c = 9223372036854775808e0 where c is not null; alter table t modify c bigint; select c from t where c is not null;
update t set a = c + 0e0 where c is not null; select cast(min(c + 0e0) as signed), cast(avg(c) as signed) from t; drop table t;
