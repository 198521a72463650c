create table t (a int primary key auto_increment, b int);
create table log (id int primary key auto_increment, a int, what varchar(10), unique (a, what));
create table log2 (n int);
create table sums (k int primary key, n int);
create trigger t1 after insert on t for each row insert into log (a, what) values (new.a, 'ins'), (-new.a, 'ins');
insert into t (b) values (1),(2),(3);
select * from t; select * from log;
insert into t (b) select b from t;
select count(*) from t; select count(*) from log;
-- a row that the trigger refuses: those before stay, in both tables
insert into log (a, what) values (9, 'ins');
insert into t (b) values (7),(8),(9),(10);
select * from t; select * from log;
insert ignore into t (b) values (11),(12);
select * from t; select * from log;
-- triggers of the table that is written
create trigger l1 after insert on log for each row insert into log2 values (new.a);
insert into t (a, b) values (20, 1), (21, 2);
select * from log2;
-- which reads
create trigger l2 after insert on log2 for each row set @seen = concat_ws(',', @seen, (select count(*) from log), (select count(*) from log2), (select count(*) from t));
set @seen = null;
insert into t (a, b) values (30, 1), (31, 2);
select @seen;
drop trigger l2; drop trigger l1;
-- counters
create trigger t2 after insert on t for each row follows t1 insert into sums values (new.b, 1) on duplicate key update n = n + 1;
insert into t (a, b) values (40, 5), (41, 5), (42, 6), (43, 5);
select * from sums;
replace into t (a, b) values (40, 6), (44, 6);
select * from sums;
drop trigger t2;
create trigger t3 before insert on t for each row update sums set n = n + new.b where k = 5;
insert into t (a, b) values (50, 5), (51, 7);
select * from sums;
drop trigger t3;
create trigger t4 before insert on t for each row delete from sums where n < new.b;
insert into t (a, b) values (60, 4), (61, 100);
select * from sums;
drop trigger t4;
-- a function of the statement that reads what its triggers write
create function logged() returns int reads sql data return (select count(*) from log);
insert into t (a, b) values (70, logged()), (71, logged()), (72, logged());
insert into t (a, b) select 80 + seq, logged() from seq_1_to_3;
select * from t where a >= 70;
update t set b = logged() where a >= 70;
select * from t where a >= 70;
-- and one that writes it
=> create function note(x int) returns int modifies sql data begin insert into log (a, what) values (x, 'fn'); update log set what = concat(what, '!') where a = x; return (select count(*) from log where what like '%!'); end;
insert into t (a, b) values (90, note(1)), (91, note(2)), (92, note(3));
select * from t where a >= 90;
select * from log where a between 1 and 3 or a >= 90;
-- handlers
drop trigger t1;
=> create trigger t5 after insert on t for each row begin declare continue handler for 1062 set @refused = ifnull(@refused, 0) + 1; insert into log (a, what) values (new.b, 'h'); insert into log2 values (new.b); end;
insert into t (a, b) values (100, 1), (101, 1), (102, 2), (103, 1);
select @refused; select * from log where what = 'h'; select * from log2 where n in (1, 2);
drop trigger t5;
-- procedures
create procedure put(x int) insert into log2 values (x);
create trigger t6 after insert on t for each row call put(new.a);
insert into t (a, b) values (110, 1), (111, 1);
select * from log2 where n >= 110;
create table same like log2;
drop trigger t6;
create trigger t7 after delete on t for each row insert into same values (old.a);
delete from t where a >= 100;
select * from same;
lock tables t write, log2 write, same write;
delete from t where a >= 80;
select count(*) from same;
unlock tables;
delete from t;
select count(*) from same;
create table big (a int) as select seq a from seq_1_to_3000;
create trigger b1 after insert on big for each row insert into same values (new.a);
delete from big;
insert into big values (1);
select * from big;
