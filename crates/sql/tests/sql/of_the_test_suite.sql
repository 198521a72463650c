create database own_tests;
use own_tests;
-- VALUES() in a subquery of ON DUPLICATE KEY UPDATE, from a table without that column
create table p1 (a int, b int, unique key(a));
create table p2 (c int); insert into p2 values (7);
create table p3 (a int, b int); insert into p3 values (4, 5);
insert into p1 values (1,1);
insert into p1(a,b) values (1,0) on duplicate key update b=(select value(a)+2 from p2 limit 1);
insert into p1(a,b) values (1,0) on duplicate key update b=(select value(a)+2 from p3 limit 1);
insert into p1(a,b) values (1,0) on duplicate key update b=b+(select value(c) from p2);
select * from p1;
-- CAST to floating-point numbers keeps within them
select cast(999.994 as double(5,2)), cast(999.995 as double(5,2)), cast(-1000 as double(5,2)), cast(-1e40 as float);
select cast(1e39 as float)+1, cast(1e39 as float) as x;
create table c1 (a int); insert into c1 values (10),(2000);
select cast(a as double(5,2)) q, cast(a as double(5,2)) from c1;
create table c2 as select cast(a*1e40 as float) x from c1;
-- ROUND of hexadecimal numbers and bits
select round(0xFFFFFFFFFFFFFFFF,1), round(0xFF), round(0xFFFF,-1), truncate(0xFFFF,-1), truncate(0xFFFFFFFFFFFFFFFF,-5), round(x'31',-1), round(b'1111',-1);
select round(18446744073709551615,-1), round(18446744073709551615,-20), round(9223372036854775807,-1), round(0xFFFFFFFFFFFFFFFF,-11), round(0xFFFFFFFFFFFFFFFFFF,-1);
create table c3 as select round(0xFFFFFFFFFFFFFFFF,-11) a, round(0xFF,-1) c, round(0xFF,1) d, round(b'1',-1) e, truncate(0xFFFFFFFFFFFFFFFF,-11) f, round(255,-1) h, round(0xFF) j;
show create table c3; select * from c3;
create table c4 (b bit(64), u bigint unsigned, i bigint); insert into c4 values (0xFFFFFFFFFFFFFFFF,18446744073709551615,9223372036854775807);
select round(u,-11), round(i,-1), truncate(b,-11), round(b) from c4;
-- the fraction of a double as a time is cut
select cast(20010101235959.1999999e0 as datetime(6)), cast(101112.12e0 as time(6)), cast(cast(010203101112.12 as double) as datetime(6));
create table c5 (t time(6), d datetime(6)); insert into c5 values (101112.12e0, 010203101112.12e0), (1.000001e0,20010203101112.000001e0); select * from c5;
-- literals of stored expressions have the table's collation, a default that reads nothing is computed once
set names koi8r;
create table d1 (id int, c varchar(30) default (collation('x')), d varchar(30) as (collation('x')), e varchar(30) as (collation('x')) stored, g varchar(60) default (concat(collation('x'),id)), z int default (1-1), n int default (null)) charset greek;
insert into d1 (id) values (0); set names utf8mb4; insert into d1 (id) values (1); select * from d1;
alter table d1 drop c, charset latin2; insert into d1 (id) values (2); select * from d1;
create table d2 (c int not null default (2+3), f enum('a','b') default (concat('b')), g set('a','b') default (concat('a,b')), h bit(12) default (5+5), i decimal(9,3) default (1.5+1), b blob default (concat('a')), k char(5) default (concat('q')), tm time(3) default ('10:10:10.123'), w varchar(9) default (hex('x')));
insert into d2 values (); flush tables; insert into d2 values (); select *,hex(h) from d2;
alter table d2 modify c bigint default (7*7), add zz varchar(3) default (concat('a','b')); insert into d2 () values (); select *,hex(h) from d2;
create table d3 (a varchar(30) as (concat('a','Ж'))) charset latin2;
create table d4 (a enum('Y','N') default 'N' collate utf8mb4_unicode_ci, b varchar(5) default concat('a') collate utf8mb4_bin) charset latin1; show create table d4;
-- WEIGHT_STRING with its clauses
set collation_connection=latin1_swedish_ci;
select hex(weight_string('abc',1,2,0xC0)), hex(weight_string('abc',3,2,0xC0)), hex(weight_string('abc',4,10,0xC0)), hex(weight_string('abc',2,10,0)), hex(weight_string('abc',0,4,64)), hex(weight_string('abc',0,0,1)), hex(weight_string('abc',25,4,0xC0));
select hex(weight_string('ab' as binary(5))), hex(weight_string('abc' as binary(2)));
select hex(weight_string('abc' as binary(5) level 1));
select hex(weight_string('abc' level 1)), hex(weight_string('abc' level 2)), hex(weight_string('abc' level 1 desc)), hex(weight_string('abc' level 1 reverse)), hex(weight_string('abc' level 1 desc reverse)), hex(weight_string('abc' level 1,2)), hex(weight_string('abc' level 2-3)), hex(weight_string('abc' level 9));
select hex(weight_string('abc' as char(5) level 1 desc)), hex(weight_string('abc' as char(5) level 1 reverse));
set collation_connection=latin2_czech_cs; select hex(weight_string('aBc' level 1)), hex(weight_string('aBc' level 2)), hex(weight_string('aBc' level 3,1)), hex(weight_string('aBc' level 2-4)), hex(weight_string('aBc' level 1 desc, 2 reverse)), hex(weight_string('aBc' level 5));
set collation_connection=cp1250_czech_cs; select hex(weight_string('aBc' level 1)), hex(weight_string('aBc' level 3)), hex(weight_string('aBc' as char(5)));
set collation_connection=latin1_swedish_nopad_ci; select hex(weight_string('abc' as char(5))), hex(weight_string('abc ' as char(5))), hex(weight_string('abc',9,2,0xC0));
create table w1 as select weight_string('abc' as char(5)) a, weight_string('abc') b, weight_string('abc',3,2,0xC0) c; show create table w1;
set collation_connection=utf8mb4_general_ci; create table w2 as select weight_string('abc' as char(5)) a, weight_string('abc') b, weight_string('abc',3,2,0xC0) c, weight_string('abc' as binary(5)) d, weight_string('abc' level 1) e; show create table w2;
set collation_connection=utf8mb4_unicode_520_nopad_ci; select hex(weight_string('abc' as char(5)));
set collation_connection=utf8mb4_unicode_ci; select hex(weight_string('abc',9,2,0xC0)), hex(weight_string('abc' level 1 desc)), hex(weight_string('abc' level 1 reverse));
create table w3 as select weight_string('abc' as char(5)) a, weight_string('abc') b; show create table w3;
-- separators in wide character sets, SOUNDEX
create table g1 (a varchar(10) character set ucs2, c binary(3)); insert into g1 values ('a','x'),('b','y');
set collation_connection=utf16_general_ci; select hex(group_concat(a)), hex(group_concat(a separator '-')), hex(group_concat(c)), hex(group_concat(c separator 'q')), hex(group_concat(_latin1'a' separator '-')) from g1;
set names utf8mb4; select hex(group_concat(a separator 'é')) from g1;
select soundex('hello all folks'), soundex('helalal'), soundex('hwhl l'), soundex('lloyd l'), soundex('lal'), soundex('tymczak'), soundex('pfister');
-- rows where bits are wanted, LIMIT in IN, names of primary keys
select row(1,1)|1; select 1&row(1,1); select ~row(1,1); select row(1,1)<<1; select row(1,1)^row(1,2);
select 1 in (select a from p1 limit 1); select 1 = any (select a from p1 limit 1); select 1 in (select a from p1 union select 2 limit 1); select 1 in (select * from (select a from p1 limit 1) x); select 1 in (select a from p1 limit rows examined 100);
create table k1 (a int not null, constraint foo primary key (a)); create table k2 (a int, constraint nm primary key bar(a)); create table k3 (a int); alter table k3 add primary key foo (a);
-- sql_safe_updates
create table s1 (a int primary key, b int, c int, key(c)); insert into s1 values (1,1,1),(2,2,2),(3,3,3);
set sql_safe_updates=1;
update s1 set b=1; update s1 set b=1 where b=2; update s1 set b=3 where a=2; update s1 set b=4 limit 1; update s1 set b=2 where c=1;
delete from s1; delete from s1 where b=1; delete from s1 where a=1; delete from s1 limit 1; delete from s1 where b=77 limit 1;
update s1,p2 set s1.b=1; delete s1 from s1,p2; select * from s1;
set sql_safe_updates=0; update s1 set b=9; delete from s1;
-- sql_mode: SHOW CREATE for old servers, TIME_ROUND_FRACTIONAL
create table o1 (a int auto_increment primary key comment 'aa', b int default 5, c varchar(10) character set latin2 collate latin2_bin, d timestamp default now() on update now(), key(b) using btree comment 'x') comment 'y' charset latin5;
set sql_mode='MYSQL40'; show create table o1; set sql_mode='MYSQL323'; show create table o1; set sql_mode='MYSQL40,NO_TABLE_OPTIONS'; show create table o1;
set sql_mode='TIME_ROUND_FRACTIONAL'; select cast('10:10:10.9' as time), cast('2001-01-01 23:59:59.9' as datetime), cast('10:10:10.99' as time(1)), cast(235959.9 as time), cast(20010101235959.9 as datetime), second('10:10:10.9'), cast('2001-01-01 23:59:59.9' as date);
set sql_mode=default;
drop database own_tests;
