=> create table t1 (i int primary key auto_increment, b bigint)
=> insert into t1 (b) values (1),(-9223372036854775808),(9223372036854775807),(5)
=> set sql_mode=''
=> create table t2 (i int, k tinyint)
=> insert into t2 select b,b from t1 where b in (-9223372036854775808,9223372036854775807)
=> insert into t2 select b,b from t1 where b in (-9223372036854775808,9223372036854775807) order by i desc
=> create table t3 (i int, b bigint)
=> insert into t3 (b) values (1),(-9223372036854775808),(9223372036854775807),(5)
=> insert into t3 (i) select b from t3 where b in (-9223372036854775808,9223372036854775807,18446744073709551615)
=> insert into t3 (i) select b from t3 where b in (-9223372036854775808,9223372036854775807)
=> insert into t3 (i) select b from t3
=> insert into t3 (i) select b from t1
=> drop table t1
=> drop table t2
=> drop table t3
