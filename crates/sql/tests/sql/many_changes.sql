-- UPDATE and DELETE of more rows than change their keys one by one: counts, keys, errors in the middle
create table t (id int primary key, a int, b varchar(20), c decimal(10,2), d datetime, key (a), key (b), unique key (c, id), key (d, a), key (b(3), a)) engine=myisam charset utf8mb4;
insert into t select seq, seq * 7919 % 3001, concat(elt(1 + seq % 4, 'ab', 'AB', 'x', 'stra\u00dfe'), seq % 97), seq / 7, date_add('2020-01-01', interval seq % 500 hour) from seq_1_to_6000;
insert into t values (7001, null, null, null, null), (7002, null, '', 0, null);
update t set a = a + 1;
check table t extended;
select count(*), sum(a), min(a), max(a) from t force index (a) where a > 0;
select count(*), sum(id) from t force index (a) where a is null;
update t set b = upper(b), d = d + interval 1 day where id % 3 <> 0;
check table t extended;
select count(*), sum(id) from t force index (b) where b like 'ab%';
select count(*), sum(a) from t force index (d) where d > '2020-01-10';
select hex(b) from t force index (b) where b like 'ab1%' order by b, id limit 5;
-- the same values, an equal text of other letters
update t set b = lower(b);
select b, count(*) from t force index (b) where b >= 'ab9' and b < 'ac' group by b order by b limit 6;
update t set b = b, a = a;
-- NULLs come and go
update t set a = if(id % 5 = 0, null, ifnull(a, id));
select count(*) from t force index (a) where a is null;
update t set a = ifnull(a, -id);
check table t extended;
select count(*), sum(a) from t force index (a) where a < 0;
-- a row that is refused in the middle: those before it stay changed
update t set id = id + 3000 where id <= 3000 order by id desc;
update t set a = 5, c = 7, id = if(id = 4000, 4001, id) order by id;
check table t extended;
select count(*) from t where a = 5;
select count(*) from t force index (c) where c = 7;
update ignore t set a = a + 1, id = if(id % 1000 = 0, id + 1, id) order by id;
check table t extended;
select count(*), sum(a) from t force index (a) where a > 0;
-- a value that does not fit
set sql_mode = 'strict_all_tables';
update t set a = if(id = 5500, 'x', a + 10) order by id;
check table t extended;
select count(*) from t force index (a) where a > 15;
update t set c = c * if(id = 4900, 1e9, 1.5), b = id order by id;
check table t extended;
select count(*), sum(c) from t force index (c) where c > 0;
set sql_mode = '';
-- limits, orders, ranges of the key that changes
update t set a = a + 100 where a between 10 and 30 order by a desc limit 2500;
select count(*), sum(a) from t force index (a) where a > 100;
update t force index (a) set a = a + 1 where a > 100;
select count(*), sum(a) from t force index (a) where a > 100;
-- several tables
create table u (id int primary key, n int, key (n)) engine=myisam;
insert into u select seq, seq % 50 from seq_1_to_6000;
update t join u on t.id = u.id set t.a = u.n, u.n = u.n + t.id;
check table t extended, u extended;
select count(*), sum(a) from t force index (a) where a >= 0;
select count(*), sum(n) from u force index (n) where n >= 0;
update u x join u y on x.id = y.id set x.n = x.n + 1, y.n = y.n * 2;
check table u extended;
select count(*), sum(n) from u force index (n) where n >= 0;
-- DELETE
delete from t where id % 3 = 1;
check table t extended;
select count(*), sum(a), sum(id) from t force index (a) where a >= 0;
select count(*), sum(id) from t force index (c) where c >= 0;
select count(*) from t force index (primary) where id > 0;
insert into t select seq, seq, concat('new', seq), seq, now() from seq_1_to_500 on duplicate key update a = -1;
check table t extended;
delete t, u from t join u on t.id = u.id where u.n % 2 = 0;
check table t extended, u extended;
select count(*), sum(a) from t force index (a) where a > -10;
select count(*), sum(n) from u force index (n) where n >= 0;
delete from u order by n desc limit 1200;
check table u extended;
select count(*), max(n) from u force index (n) where n >= 0;
delete from t where a is not null;
check table t extended;
select count(*) from t;
insert into t values (1, 1, 'one', 1, null);
select * from t force index (b) where b = 'one';
-- triggers and functions that look at the table see each row
create table v (id int primary key, n int, key (n)) engine=myisam;
insert into v select seq, seq % 10 from seq_1_to_2500;
create table seen (n int, many int) engine=myisam;
=> create trigger vt after update on v for each row insert into seen select new.n, count(*) from v where v.n = new.n
update v set n = 20 where id > 1000;
select max(many), count(*) from seen;
drop trigger vt;
=> create function tops(x int) returns int reads sql data return (select count(*) from v where n = x)
update v set n = 30 + (tops(30) > 1190) where id <= 1300;
select n, count(*) from v group by n;
check table v extended;
-- partitions, between which rows move, tables in memory, and those of a MERGE table
create table p (id int, n int, key (n), key (id)) engine=myisam partition by range (n) (partition a values less than (100), partition b values less than (200), partition c values less than maxvalue);
insert into p select seq, seq % 300 from seq_1_to_6000;
update p set n = (n + 150) % 300;
check table p extended;
select count(*), sum(id) from p force index (n) where n < 150;
select count(*), sum(n) from p partition (b) force index (id) where id > 0;
delete from p where id % 2 = 0;
check table p extended;
select count(*), sum(id) from p force index (n) where n < 150;
create table m (id int primary key, n int, s varchar(10), key (n), key (s) using btree) engine=memory;
insert into m select seq, seq % 300, concat('s', seq % 77) from seq_1_to_6000;
update m set n = n + 1, s = concat('t', n % 50);
select count(*), sum(n) from m force index (s) where s >= 't2' and s < 't3';
select count(*), sum(id) from m where n = 17;
delete from m where id % 4 > 0;
select count(*), sum(id) from m where n = 17;
select count(*), sum(n) from m force index (s) where s > '';
create table m1 (id int, n int, key (n)) engine=myisam;
create table m2 like m1;
insert into m1 select seq, seq % 30 from seq_1_to_3000;
insert into m2 select seq, seq % 40 from seq_1_to_3000;
create table mg (id int, n int, key (n)) engine=merge union=(m1, m2) insert_method=last;
update mg set n = n + 1;
delete from mg where id % 2 = 1;
check table m1 extended, m2 extended;
select count(*), sum(n) from mg force index (n) where n > 10;
-- full text and long unique values beside
create table f (id int primary key, n int, t text, fulltext key (t), key (n), unique key (t)) engine=myisam;
insert into f select seq, seq, concat('word', seq, ' and ', seq % 9) from seq_1_to_2500;
update f set n = n % 100, t = concat(t, ' more') where id % 2 = 0;
check table f extended;
select count(*) from f where match (t) against ('more' in boolean mode);
select count(*), sum(n) from f force index (n) where n > 50;
delete from f where id % 3 = 0;
check table f extended;
select count(*) from f where match (t) against ('more' in boolean mode);
insert into f values (9000, 1, 'word1 and 1');
insert into f values (9001, 1, 'word3 and 3');
-- keys that are not kept
alter table u disable keys;
update u set n = n + 5;
alter table u enable keys;
check table u extended;
select count(*), sum(n) from u force index (n) where n >= 0;
set bulk_insert_buffer_size = 0;
update u set n = n + 5;
delete from u where id % 2 = 0;
check table u extended;
select count(*), sum(n) from u force index (n) where n >= 0;
set bulk_insert_buffer_size = default;
