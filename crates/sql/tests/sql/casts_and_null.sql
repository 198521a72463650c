=> create table t1 (id int not null, c char(3) not null, x varchar(5) not null, b varbinary(5) not null, n int)
=> create view v as select id, cast(id as char(40)) e, cast(c as char(2)) f, cast(x as binary(10)) g, cast(id as binary(3)) h, cast(b as char(3)) i, cast(b as binary) j, cast('a' as char(3)) k, cast(n as char(3)) l, convert(id, char(50)) m, cast('abc' as char(2)) o, cast(1 as binary(1)) p from t1
=> set sql_mode=''
=> create table z as select * from v
=> show create table z
=> set sql_mode='strict_all_tables'
=> create table z2 as select * from v
=> show create table z2
=> drop view v
=> drop table t1, z, z2
=> set sql_mode=default
