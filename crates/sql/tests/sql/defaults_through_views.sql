=> create table t (id int not null, a int, b varchar(10) not null, c varchar(10) not null default 'x', d datetime not null, e enum('x','y') not null, f text not null, g int not null auto_increment primary key, h timestamp not null default current_timestamp, i int default 5)
=> insert into t(id,b,d,f) values (1,'b','2001-01-01','x')
=> create view m1 as select * from t
=> create algorithm=temptable view p1 as select * from t
=> create algorithm=temptable view p2 as select * from m1
=> create view m2 as select * from p1
=> create view m3 as select * from m1
=> create algorithm=temptable view p3 as select * from p1
=> create view m4 as select * from p3
=> create view m5 as select d.* from (select * from t) d
=> create view m6 as select d.* from (select distinct * from t) d
=> create view m7 as select * from t group by id
=> create view m8 as select * from m7
=> create view m9 as select * from t union select * from t
=> create view n1 as select * from m9
=> create view n2 as select id, b from t limit 1
=> create view n3 as select id, b from n2
=> create view n4 as select a.id, b.b from m1 a left join t b on a.id=b.id
=> create view n5 as select a.id, b.b from p1 a left join t b on a.id=b.id
=> create view n6 as select a.id, b.b from t a left join p1 b on a.id=b.id
=> create view n7 as select a.id, b.b from t a left join m1 b on a.id=b.id
=> create view n8 as with w as (select * from t) select * from w
=> describe m1
=> describe p1
=> describe p2
=> describe m2
=> describe m3
=> describe p3
=> describe m4
=> describe m5
=> describe m6
=> describe m7
=> describe m8
=> describe n2
=> describe n3
=> describe n4
=> describe n5
=> describe n6
=> describe n7
=> describe n8
=> drop view m1, p1, p2, m2, m3, p3, m4, m5, m6, m7, m8, m9, n1, n2, n3, n4, n5, n6, n7, n8
=> drop table t
