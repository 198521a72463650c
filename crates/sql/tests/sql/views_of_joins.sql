=> create table t2 (id int not null, c int not null, d int, primary key(id))
=> create table t3 (id int, c int, d int)
=> insert into t2 values (1,1,1),(2,2,2)
=> insert into t3 values (1,1,1),(2,2,2)
=> create view a1 as select id, cast(id as char) as e from t2
=> insert into a1 (id) values (73)
=> create view a2 as select id, c, cast(id as char) as e from t2
=> insert into a2 (id,c) values (73,1)
=> insert into a2 (id) values (73)
=> create view a3 as select id, cast(id as char) as e from t3
=> insert into a3 (id) values (73)
=> insert into a1 values (1,2)
=> insert into a1 (id,e) values (1,2)
=> insert into a1 (e) values (2)
=> create view j as select a.id, a.id as x, b.d as y from t2 a join t3 b on a.id=b.id
=> replace into j (id,x,y) values (1,1,1)
=> insert into j (id,x,y) values (1,1,1)
=> insert into j (id,x) values (1,1)
=> insert into j (id,y) values (1,1)
=> insert into j values (1,1,1)
=> insert into j (y) values (5)
=> insert into j (id) values (5)
=> replace into j (id) values (5)
=> create view j2 as select a.id, a.c as x, b.d as y from t2 a join t3 b on a.id=b.id
=> replace into j2 (id,x,y) values (1,1,1)
=> insert into j2 (id,x,y) values (1,1,1)
=> insert into j2 (id,x) values (11,1)
=> insert into j2 (id,y) values (1,1)
=> insert into j2 values (1,1,1)
=> insert into j2 (y) values (5)
=> insert into j2 (id) values (6)
=> delete from j
=> delete from j2
=> delete from j2 order by id limit 1
=> delete from a1 where id=1
=> create view l as select a.id, a.c as x, b.d as y from t2 a left join t3 b on a.id=b.id
=> delete from l
=> insert into l (id,x) values (21,1)
=> create algorithm=temptable view tv as select * from t2
=> create view l2 as select a.id, a.c as x, b.id as y from tv a left join t3 b on a.id=b.id
=> delete from l2
=> create view l3 as select a.id, a.c as x, b.id as y from t3 a left join tv b on a.id=b.id
=> delete from l3
=> insert into l3(id,x) values (1,2)
=> create view l4 as select a.id, a.c as x, b.id as y from t2 a left join t2 b on a.id=b.id
=> delete from l4
=> select table_name, is_updatable from information_schema.views where table_schema = database() order by table_name
=> drop view a1, a2, a3, j, j2, l, tv, l2, l3, l4
=> drop table t2, t3
=> create table t2 (id int not null, c int not null, d int, primary key(id))
=> create table t3 (id int, c int, d int)
=> insert into t2 values (1,1,1),(2,2,2)
=> insert into t3 values (1,1,1),(2,2,2)
=> create view r as select a.id, a.c as x, b.d as y from t2 a right join t3 b on a.id=b.id
=> delete from r
=> create view c3 as select a.id, a.c as x, b.d as y from t2 a , t3 b left join t3 c on c.id=b.id
=> delete from c3
=> create view c4 as select a.id, a.c as x, b.d as y from t2 a , t3 b
=> delete from c4
=> create view c5 as select a.id, a.c as x, b.d as y from t2 a straight_join t3 b
=> delete from c5
=> create view c6 as select * from c4
=> delete from c6
=> create view c7 as select * from r
=> delete from c7
=> create view c8 as select c4.id, t3.c from t3 left join c4 on c4.id=t3.id
=> delete from c8
=> create view c9 as select c4.id, t3.c from t3 , c4
=> delete from c9
=> create view d1 as select r.id, t3.c from t3 , r
=> delete from d1
=> create view d2 as select r.id from r
=> delete from d2
=> create view d3 as select b.id, b.c from t2 a right join t3 b on a.id=b.id
=> delete from d3
=> create view d4 as select b.id, b.c from t2 a join t3 b on a.id=b.id
=> delete from d4
=> delete d4 from d4
=> delete d3 from d3, t2
=> delete r from r, t2
=> delete r from r
=> create view d5 as select a.id, b.c from t2 a left join t2 b on a.id=b.id
=> delete from d5
=> create view d6 as select a.id, b.c from t2 a join t2 b on a.id=b.id
=> delete from d6
=> create algorithm=temptable view tv as select * from t2
=> create view d7 as select a.id, b.c from tv a join t2 b on a.id=b.id
=> delete from d7
=> create view d8 as select a.id, b.c from t2 b join tv a on a.id=b.id
=> delete from d8
=> create view d9 as select a.id, b.c from (select * from t2) a left join t2 b on a.id=b.id
=> delete from d9
=> create view a1 as select id, cast(id as char) as e, d from t3
=> insert into a1(id) values (1) on duplicate key update d=5
=> insert into a1(id,zz) values (1,1)
=> insert into a1 set id=4
=> insert into a1 set e=4
=> insert into a1(id) select 5
=> replace into a1(id,d) values (6,6)
=> insert into a1(id) values (7) returning id, e, d
=> insert into a1(id) values (7) returning *
=> create view jj as select a.id, b.d, cast(b.d as char) as f, b.c as g, b.c as h from t2 a join t3 b on a.id=b.id
=> insert into jj (d) values (1)
=> insert into jj (d,f) values (1,1)
=> insert into jj (g,h) values (1,1)
=> insert into jj (g,id) values (1,1)
=> insert into jj (g) values (1)
=> select * from t2 order by 1
=> select table_name, is_updatable from information_schema.views where table_schema = database() order by table_name
=> drop view r, c3, c4, c5, c6, c7, c8, c9, d1, d2, d3, d4, d5, d6, tv, d7, d8, d9, a1, jj
=> drop table t2, t3
=> create table t2 (id int not null, c int not null, d int, primary key(id))
=> create table t3 (id int, c int, d int)
=> create algorithm=temptable view tv as select * from t2
=> create view e1 as select * from tv
=> create view e2 as select a.id from tv a join tv b
=> create view e3 as select a.id from tv a left join tv b on a.id=b.id
=> create view e4 as select a.id from tv a left join t2 b on a.id=b.id
=> create view e5 as select b.id from tv a left join t2 b on a.id=b.id
=> create view e6 as select b.id from t2 b join tv a
=> create view e7 as select a.id from t2 b join tv a
=> create view e8 as select id from e1
=> create view e9 as select e1.id from e1, t2
=> create view f1 as select t2.id from e1, t2
=> create view f2 as select max(id) as id from t2
=> create view f3 as select f2.id from f2, t2
=> create view f4 as select t2.id from f2, t2
=> create view f5 as select f2.id from f2
=> create view f6 as select 1 as id
=> create view f7 as select t2.id from t2, f6
=> create view f8 as select f6.id from t2, f6
=> create view f9 as select id from t2 where id in (select id from t2)
=> create view g1 as select id from f9
=> create view g2 as select id+1 as x from t2
=> create view g3 as select x from g2
=> create view g4 as select g2.x from g2 join t2
=> create view g5 as select x, t2.id from g2 left join t2 on t2.id=x
=> create view g6 as select d.id from (select id from t2) d
=> create view g7 as select d.id from (select id from t2) d, t2
=> create view g8 as select t2.id from (select id from t2) d, t2
=> create view g9 as select t2.id from information_schema.tables i, t2
=> create view h2 as with c as (select * from t2) select c.id from c
=> create view h4 as select t2.id from t2 union select 1
=> create view h5 as select t2.id from t2 limit 1
=> create view h6 as select distinct t2.id from t2
=> create view h7 as select t2.id from t2, (select max(id) from t2) m
=> create view h8 as select t2.id from t2 left join (select max(id) i from t2) m on m.i=t2.id
=> create view h9 as select (select max(id) from t2) as x, id from t2
=> create view k1 as select (select max(id) from t3) as x, id from t2
=> create view k2 as select id from t2 where exists (select 1 from t3)
=> create view k3 as select id from k1
=> select table_name, is_updatable from information_schema.views where table_schema = database() order by table_name
=> delete from e1
=> delete from e2
=> delete from e3
=> delete from e4
=> delete from e5
=> delete from e6
=> delete from e7
=> delete from e8
=> delete from e9
=> delete from f1
=> delete from f2
=> delete from f3
=> delete from f4
=> delete from f5
=> delete from f6
=> delete from f7
=> delete from f8
=> delete from f9
=> delete from g1
=> delete from g2
=> delete from g3
=> delete from g4
=> delete from g5
=> delete from g6
=> delete from g7
=> delete from g8
=> delete from g9
=> delete from h2
=> delete from h4
=> delete from h5
=> delete from h6
=> delete from h7
=> delete from h8
=> delete from h9
=> delete from k1
=> delete from k2
=> delete from k3
=> drop view tv, e1, e2, e3, e4, e5, e6, e7, e8, e9, f1, f2, f3, f4, f5, f6, f7, f8, f9, g1, g2, g3, g4, g5, g6, g7, g8, g9, h2, h4, h5, h6, h7, h8, h9, k1, k2, k3
=> drop table t2, t3
