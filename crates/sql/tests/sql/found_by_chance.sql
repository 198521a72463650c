-- What random statements found.
SET NAMES utf8mb4;
SET sql_mode = '';
CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(10) CHARACTER SET utf8mb4, l VARCHAR(10) CHARACTER SET latin1, b BINARY(3), bl BLOB, n INT, d DATE, dt DATETIME, ts TIMESTAMP NULL, ti TIME);
INSERT INTO t VALUES (1, 'ß', 'ß', 'a', 'a', NULL, '0000-00-00', '2020-00-01', '0000-00-00', '10:11:12'), (2, 'äb', 'ä', 'b', '', 63, '2016-12-00', '2016-12-26 03:04:43', '2020-01-01', '-10:00:00');
-- a constant text as a condition is the number that it begins with
SELECT id FROM t WHERE '  ';
SELECT id FROM t WHERE 'a';
SELECT id FROM t WHERE '2a';
SELECT id FROM t WHERE space(2);
SELECT id FROM t WHERE '0.0' OR id = 7;
SELECT 1 FROM DUAL WHERE '';
SELECT count(*) FROM t HAVING '';
SELECT count(*) FROM t WHERE from_days(0);
SELECT id FROM t WHERE DATE'2020-01-01';
UPDATE t SET n = 5 WHERE '';
DELETE FROM t WHERE '0';
-- nobody asks for the replacement of what is not there, where bytes are compared
SELECT replace(b, 7, NULL), replace(bl, 'x', NULL), replace(c, 'x', NULL), replace('abc', 'x', NULL), replace(l, 'q', n) FROM t ORDER BY id;
SELECT replace('', 'q', NULL), replace('abc', '', NULL), replace(c, '', n), replace('abc' COLLATE utf8mb4_bin, 'z', NULL), replace('abc' COLLATE utf8mb4_bin, 'a', NULL), replace(b, NULL, 'x') FROM t ORDER BY id;
SELECT locate('', c, 2), locate('', c, 3), locate('', c, 4), locate('', l, 2), locate('', 'abc', 3), locate('', 'abc', 4), locate('', bl, 1), locate('', '', 1), locate('', ''), locate('b', c, 2) FROM t ORDER BY id;
SELECT soundex(c), soundex(l), soundex('éàb'), soundex('hello') FROM t ORDER BY id;
-- the text of a format gives the text made by it its derivation
SELECT coercibility(date_format('2020-01-02', '%U')), coercibility(date_format('2020-01-02', l)), coercibility(time_format('10:00:00', l)), coercibility(date_format('2020-01-02', '%U' COLLATE utf8mb4_bin)) FROM t ORDER BY id;
SELECT concat(l, date_format('2020-01-02', '%M')), concat(l, date_format('2020-01-02', c)), concat(l, time_format('10:00:00', '%H')) FROM t ORDER BY id;
-- digits of the fraction that ADDTIME gives numbers
SELECT addtime(1, '1.5'), addtime(1.5, '1'), addtime('1', '1.5'), addtime(1.25, 1), addtime(1.25e0, 1), subtime(1, '0:0:1.25'), addtime(1, TIME'1:1:1.25');
SELECT addtime('10:00:00', '1 2'), addtime('10:00:00', '2 x'), addtime('10:00:00', '1 2:'), addtime('10:00:00', '1a'), addtime('10:00:00', '112 2'), addtime('10:00:00', '1.5 2'), addtime('10:00:00', 'x');
SELECT timediff(d, d), timediff(d, dt), timediff(ts, ts), timediff('0000-00-00 00:00:00', '0000-00-00 00:00:00') FROM t ORDER BY id;
SELECT unix_timestamp(ts) FROM t ORDER BY id;
SELECT ti + INTERVAL 1 WEEK, ti + INTERVAL 0 WEEK, ti + INTERVAL 5 DAY, timestampadd(WEEK, 1, ti), ti + INTERVAL 1 MONTH FROM t ORDER BY id;
-- a fraction of more than six digits
SELECT ti + INTERVAL 3000000 DAY_MICROSECOND, dt + INTERVAL '1.12345678' SECOND_MICROSECOND, dt + INTERVAL '1:2.1234567' MINUTE_MICROSECOND, dt + INTERVAL 123456789 SECOND_MICROSECOND, dt + INTERVAL 99999 SECOND_MICROSECOND FROM t WHERE id = 2;
-- control characters in warnings
SELECT concat('1', char(0 USING utf8mb4), 'a') + 0, concat('1', char(9 USING utf8mb4), char(10 USING utf8mb4), char(13 USING utf8mb4), 'a') * 1.5, CAST(concat('1', char(26 USING utf8mb4)) AS SIGNED), concat('1', char(0), 'a') + 0;
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT date(d) IS NULL, date(dt) IS NULL FROM t ORDER BY id LIMIT 0;
SET sql_mode = '';
-- hours end at 23 here, and times have no dates
SELECT str_to_date('24:00:00', '%H:%i:%s'), str_to_date('24:00:00', '%T'), str_to_date('23:59:59', '%k:%i:%s'), time_format(ti, '%Y'), time_format(ti, '%H %d') FROM t ORDER BY id;
-- bytes become whole characters of a wide character set
SELECT hex(concat(_ucs2 x'0062' COLLATE ucs2_bin, x'41')), hex(concat(convert(c USING ucs2), x'414243')), hex(replace(convert('b' USING ucs2), x'62', x'41')) FROM t ORDER BY id;
DROP TABLE t;
-- ALTER TABLE gives BIT the number of a text, a date or a time
CREATE TABLE t (id INT, t TIME(3), t0 TIME, d DATE, dt DATETIME(2), c VARCHAR(20), u TIME(6));
INSERT INTO t VALUES (1, '00:00:00', '-00:00:01', '2020-01-02', '2020-01-02 03:04:05.67', '12', '00:05:11.6'), (2, '00:05:12', '00:05:11', '0000-00-00', '0000-00-00', 'ab', '-10:00:00'), (3, NULL, '00:00:01', NULL, NULL, '', '00:00:00.5');
ALTER TABLE t MODIFY t BIT(9), MODIFY t0 BIT(9), MODIFY d BIT(64), MODIFY dt BIT(64), MODIFY c BIT(9), MODIFY u BIT(64);
SELECT id, hex(t), hex(t0), hex(d), hex(dt), hex(c), hex(u) FROM t ORDER BY id;
DROP TABLE t;
CREATE TABLE t (id INT, d DATE NOT NULL, n INT);
INSERT INTO t VALUES (1, '0000-00-00', 1), (2, '2020-01-02', NULL), (3, '0000-00-00', NULL);
-- IS NULL finds zero dates, behind NOT, too
SELECT id FROM t WHERE NOT (n IS NULL OR d IS NOT NULL) ORDER BY id;
SELECT id FROM t WHERE NOT (n IS NOT NULL AND d IS NOT NULL) ORDER BY id;
SELECT id FROM t WHERE NOT (d IS NOT NULL) ORDER BY id;
SELECT id FROM t WHERE NOT (NOT (d IS NULL)) ORDER BY id;
SELECT find_in_set('abc', 'ABC ,abc'), find_in_set('a ', 'a,A '), find_in_set('', ' ,a'), find_in_set(_ucs2'b', _ucs2'b ,b');
DROP TABLE t;
SET sql_mode = DEFAULT;
CREATE TABLE t (c VARCHAR(5));
INSERT INTO t VALUES ('3'), ('A');
ALTER TABLE t MODIFY c BIT(8);
DELETE FROM t WHERE c = 'A';
ALTER TABLE t MODIFY c BIT(8);
SELECT hex(c) FROM t;
DROP TABLE t;
-- how long what REPLACE makes may be: each character may be replaced
CREATE TABLE u (a1 VARCHAR(1), a5 VARCHAR(5), a10 VARCHAR(10), b3 CHAR(3), b7 CHAR(7), c TEXT, n INT, mt MEDIUMTEXT, bi VARBINARY(6));
CREATE TABLE t AS SELECT REPLACE(a5, 'aa', 'bbb') x1, REPLACE(a5, 'aaaa', 'bbb') x2, REPLACE(a10, a5, b7) x3, REPLACE(a10, b7, a1) x4, REPLACE(b3, a5, c) x5, REPLACE(c, b3, b3) x6, REPLACE(n, b3, b7) x7, REPLACE(a10, n, n) x8, REPLACE(bi, a1, b7) x9, REPLACE(a10, 'a', '') x10, REPLACE(a10, NULL, 'x') x11, REPLACE(mt, b3, b7) x12 FROM u;
SHOW CREATE TABLE t;
DROP TABLE t, u;
CREATE TABLE t AS SELECT REPLACE('abc', 'b', '') a UNION SELECT REPLACE('aaa', 'a', 'bbbbbbbbbb');
SELECT * FROM t;
DROP TABLE t;
-- doubles beyond every integer
CREATE TABLE t (tu TINYINT UNSIGNED, su SMALLINT UNSIGNED, mu MEDIUMINT UNSIGNED, iu INT UNSIGNED, bu BIGINT UNSIGNED, y YEAR, i INT);
INSERT IGNORE INTO t VALUES (1e40, 1e40, 1e40, 1e40, 1e40, 1e40, 1e40), (-1e40, -1e40, -1e40, -1e40, -1e40, -1e40, -1e40);
INSERT INTO t (su) VALUES (1e40);
SELECT * FROM t;
DROP TABLE t;
-- BIT that is computed is told in digits, until a temporary table holds it
CREATE TABLE t (b bit(9), id int, d datetime not null, c bit(3) not null, key(id)); insert into t values (395,1,0,5),(65,2,'2020-01-01',3),(null,3,'2020-01-01',3);
select ifnull(b,null),case when 1 then b end, nullif(b,3), concat(ifnull(b,1)), hex(ifnull(b,null)), least(b,b), greatest(b,b), ifnull(b,c), if(id=1,b,c), coalesce(b,c), least(b,c) from t;
select max(b) from t;
select length(ifnull(b,null)), concat(ifnull(b,null),'x'), upper(ifnull(b,null)),ifnull(b,'x'), substr(ifnull(b,c),2) from t;
select distinct ifnull(b,null) from t;
select ifnull(b,null) from t union select 1;
select ifnull(b,null) from t union select b from t;
select ifnull(b,null) from t union all select b from t;
select ifnull(b,null) x from t order by x;
select ifnull(b,null) x from t order by x+1;
select x from (select distinct ifnull(b,null) x from t) d;
select x from (select ifnull(b,null) x from t limit 10) d;
select ifnull(b,null) x, count(*) from t group by b;
select ifnull(b,null) x, count(*) from t group by x;
select max(b), ifnull(max(b),null), min(c) from t;
select max(b) from t having max(b)>1;
select id+0,max(b) from t group by id+0;
select (select ifnull(b,null)) from t;
select (select ifnull(b,null) from t limit 1);
select (select max(b) from t);
select (select b from t limit 1);
select @a := ifnull(b,null) from t; select @a;
select ifnull(b,null) like 'A', ifnull(b,null)='65', ifnull(b,null) in ('65'), cast(ifnull(b,null) as char), convert(ifnull(b,null) using ucs2), cast(ifnull(b,c) as binary), hex(convert(ifnull(b,null) using ucs2)) from t;
select charset(ifnull(b,null)), charset(concat(ifnull(b,null),'x')), coercibility(ifnull(b,null)), charset(max(b)) from t;
select group_concat(ifnull(b,null)), group_concat(b) from t;
create table t2 as select ifnull(b,null) x, concat(ifnull(b,null)) y, nullif(b,1) z, if(1,b,c) w, greatest(b,c) v from t;
show create table t2; select hex(x), y from t2; select x from t2;
insert into t2 (y) select ifnull(b,null) from t; select y from t2;
drop table t, t2;
-- a new date that may not be NULL has no value for the rows there are
set sql_mode='STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE';
create table t (id int, n date); alter table t add e date not null; alter table t drop e; insert into t values (1,null);
alter table t add b date not null;
alter ignore table t add b1 date not null, add unique(id);
alter table t add c int, add s timestamp not null, add d datetime(6) not null, add f date not null;
set sql_mode='NO_ZERO_DATE';
alter table t add g date not null, add c datetime not null;
alter table t modify n date not null;
alter table t add gg date as ('2020-01-01') virtual;
alter table t drop n, add n date not null;
set sql_mode='STRICT_ALL_TABLES,NO_ZERO_IN_DATE'; alter table t add h date not null; select * from t; drop table t;
-- UNION takes the zero date of any date for what it is
set sql_mode=''; create table t (c5 datetime not null, d date); insert into t values (0,0),('2020-01-01','2020-01-01'),(0,null);
set sql_mode='TRADITIONAL';
select c5 from t union select d from t order by 1;
select c5 from t where c5=0 union all select d from t where d=0;
set sql_mode=DEFAULT; drop table t;
-- LOAD DATA: a line that ends early, and columns that it does not name
set timestamp=1600000000; set sql_mode='';
create table t (id int, k int default 5, kn int not null default 6, ko int not null, s varchar(4) default 'd', sn varchar(4) not null default 'dd', v datetime not null default current_timestamp, v2 datetime default current_timestamp, u timestamp default current_timestamp, u2 timestamp null default '2020-01-01', u3 timestamp not null default '2020-02-02', d date not null default '2020-03-03', x int not null default (3+4), xn int default (3+4), e enum('a','b') not null default 'b', st set('a','b') not null default 'b', f double not null default 1.5, tt text not null default 'abc', g int as (k) virtual);
load data local infile '$DATA/short-lines.txt' into table t fields terminated by ';';
select * from t; truncate table t;
load data local infile '$DATA/short-lines.txt' replace into table t fields terminated by ';' (id,k);
select * from t; truncate table t;
set sql_mode=default;
load data local infile '$DATA/short-lines.txt' into table t fields terminated by ';' (id);
load data local infile '$DATA/short-lines.txt' into table t fields terminated by ';' (@id) set x=2, ko=1;
select * from t; drop table t; set timestamp=default;
-- LEAST and GREATEST of dates and of what is none give no zero date that the mode forbids
create table t (id int, d date not null, e datetime, s varchar(20), k int); insert into t values (1,0,0,'0000-00-00',1),(2,'2020-01-02','2020-01-01','0000-00-00',0);
set sql_mode='no_zero_date';
select least(d,s), least(d,d,s), least(e,time'10:00:00'), least(d,null), least(d,true), greatest(d,1), least(d,20200101), least(d,d), greatest(e,e) from t;
set sql_mode=DEFAULT;
select least(d,s), least(d,1), greatest(d,1), least(d,d) from t; drop table t;
-- numbers below BIGINT into SET
drop table if exists t;
set sql_mode='';
create function f1(a0 bigint unsigned) returns varchar(30) begin declare x set('x','y','z') default -a0; return x; end;
select f1(18446744073709551615);
select f1(5);
select f1(9223372036854775808);
select f1(9223372036854775809);
set sql_mode='strict_all_tables';
create function f2(a0 bigint unsigned) returns varchar(30) begin declare x set('x','y','z') default -a0; return x; end;
select f2(18446744073709551615);
select f2(5);
select f2(9223372036854775808);
select f2(9223372036854775809);
create table t (a bigint unsigned, s set('x','y','z'), e enum('a','b'));
insert into t(a) values (18446744073709551615);
update t set s=-a;
update t set s=-18446744073709551615;
insert into t(s) values (-18446744073709551615);
insert into t(s) values (-5);
insert into t(s) values (-9223372036854775808);
insert into t(s) values (18446744073709551615);
insert into t(s) values (1e20);
insert into t(s) values (-1e20);
insert into t(s) values (-1.0);
insert into t(e) values (-18446744073709551615);
insert into t(e) values (-5);
insert into t(e) values (-1e20);
create function f3() returns varchar(30) begin declare x set('x','y','z') default -18446744073709551615; return x; end;
select f3();
create function f4() returns varchar(30) begin declare x set('x','y','z') default -5; return x; end;
select f4();
create function f5(a bigint unsigned) returns varchar(30) begin declare x set('x','y','z'); set x = -a; return x; end;
select f5(18446744073709551615);
drop table t;
drop function f1;
drop function f2;
drop function f3;
drop function f4;
drop function f5;
set sql_mode=DEFAULT;
