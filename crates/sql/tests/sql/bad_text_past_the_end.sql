-- Bytes that are no text, or have no place in the column's character set, count where they would be stored; what is behind is too long.
create table t (c varchar(1) charset utf8mb3, g char(2) charset utf8mb3, d varchar(1) charset latin1, t tinytext charset utf8mb4, s varchar(1) charset sjis, k varchar(1) charset gbk, e varchar(2) charset euckr, u varchar(2) charset ucs2);
insert into t (c) values (0x41c3); insert into t (c) values (0xc320); insert into t (c) values (0xc341); insert into t (c) values (0x4120c3); insert into t (c) values (0x20c3);
insert into t (g) values (0x41c3); insert into t (g) values (0x4141c3); insert into t (g) values (0x414120c3); insert into t (g) values (0x4120c3);
insert into t (d) values (_utf8mb4'aя'); insert into t (d) values (_utf8mb4'яa'); insert into t (d) values (_utf8mb4'a я'); insert into t (d) values (_utf8mb4'я ');
insert into t (t) values (concat(repeat('a', 255), unhex('c3'))); insert into t (t) values (concat(unhex('c3'), repeat('a', 255))); insert into t (u) values (_utf8mb4'ab😀'); insert into t (u) values (_utf8mb4'a😀b');
select count(*) from t; set sql_mode = '';
insert into t (c) values (0x41c3); insert into t (c) values (0xc320); insert into t (c) values (0xc321); insert into t (c) values (0xc3a4), (0xc3a420), (0xc3a441), (0x41c3), (0x20c3), (0x41c320), (0x4120c3);
insert into t (g) values (0x41c3), (0x4141c3), (0x414120c3), (0x4120c3), (0xc320), (0xc321), (0xc3a4), (0xc3a420), (0xc3a441), (0x20c3), (0x41c320);
insert into t (d) values (_utf8mb4'aя'), (_utf8mb4'яa'), (_utf8mb4'a я'), (_utf8mb4'я '), (0xc320), (0xc321);
insert into t (s) values (0x8020), (0x8021), (0x8140), (0x814020), (0x814180); insert into t (k) values (0x8020), (0x8021), (0x8140), (0x80); insert into t (e) values (unhex('8020')), (unhex('8141')), (unhex('80FF41')), (unhex('414180'));
insert into t (u) values (_utf8mb4'ab😀'), (_utf8mb4'a😀b'), (_utf8mb4'a😀 '), (_utf8mb4'ab 😀');
insert into t (t) values (concat(repeat('a', 255), unhex('c3'))); insert into t (t) values (concat(repeat('a', 254), unhex('c3'), 'bb')); insert into t (t) values (concat(repeat('a', 254), 'ää')); insert into t (t) values (concat(unhex('c3'), repeat('a', 255)));
update t set c = unhex('c320') where c is not null; update ignore t set d = concat('я', c);
set sql_mode = default; select hex(c), hex(g), hex(d), length(t), hex(right(t, 3)), hex(s), hex(k), hex(e), hex(u) from t order by 1, 2, 3, 4, 5, 6, 7, 8, 9;
insert ignore into t (c) values (0x41c3), (0xc341); replace into t (c) values (0x41c3);
create table x (a varchar(3) charset utf8mb4); insert into x values ('aя'), ('яa'), ('я'); alter ignore table x modify a varchar(1) charset latin1; select a from x order by a; insert ignore into x values ('aя'); drop table x;
create function f() returns varchar(1) charset latin1 return _utf8mb4'aя'; select f(); drop function f; create function f() returns varchar(1) charset latin1 return _utf8mb4'яa'; select f(); drop function f;
drop table t;
