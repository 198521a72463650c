=> create table t (a int, b bit(9), c varchar(10))
=> create view w1 as select a from t where b <=> b'111001011' and c = x'ab' and a between 0xfb and 0xFB and c <> b'1'
=> show create view w1
=> create view w2 as select x'ab' a, b'10101011' b, 0xab c, X'AB' d, b'0' e, hex(b'11') f
=> show create view w2
=> set sql_mode=ansi
=> create view w3 as select a from t where b <=> b'111001011' and c = x'ab'
=> show create view w3
=> create table t2 (a int default b'101', b varchar(3) default x'41', c int default 0xab, d int as (a + b'10101011'), check (a <> b'10101011' and c <> x'ab'))
=> show create table t2
=> create view v1 as select * from t where a in (b'10101011', 1)
=> show create view v1
=> set sql_mode='oracle'
=> show create view w1
=> set sql_mode='no_table_options'
=> show create view w1
=> set sql_mode=default
=> drop view w1, w2, w3, v1
=> drop table t, t2
