=> create table n1 (a int auto_increment primary key)
=> set insert_id=13
=> insert into n1 values (null)
=> set insert_id=12
=> insert into n1 values (null),(null),(null)
=> select * from n1
=> show create table n1
=> insert into n1 values (null)
=> select * from n1
=> set insert_id=5
=> insert into n1 values (null),(7),(null)
=> select * from n1
=> set insert_id=30
=> insert into n1 values (40),(null),(null)
=> select * from n1
=> set insert_id=20
=> insert into n1 values (null),(null)
=> select * from n1
=> select last_insert_id()
=> insert into n1 values (null)
=> set insert_id=22
=> insert ignore into n1 values (null),(null),(null)
=> select * from n1
=> set auto_increment_increment=10
=> set insert_id=100
=> insert into n1 values (null),(null)
=> select * from n1
=> set insert_id=105
=> replace into n1 values (null),(null)
=> select * from n1
=> set auto_increment_increment=1
=> set insert_id=3
=> insert into n1 select null from seq_1_to_4
=> select * from n1
=> set insert_id=200
=> update n1 set a=a where a=3
=> insert into n1 values (null)
=> select max(a) from n1
=> set insert_id=150
=> insert into n1 values (300)
=> insert into n1 values (null)
=> select max(a) from n1
=> select @@insert_id
=> create table n2 (a int auto_increment primary key) partition by key(a)
=> set auto_increment_increment=default
=> set insert_id=13
=> insert into n2 values (null)
=> set insert_id=12
=> insert into n2 values (null),(null),(null)
=> select * from n2 order by a
=> create table n3 (a int auto_increment, b int, primary key(b,a))
=> set insert_id=5
=> insert into n3 values (null,1),(null,1),(null,2),(null,2)
=> select * from n3 order by b, a
=> create table n4 (a tinyint auto_increment primary key)
=> set insert_id=126
=> insert into n4 values (null),(-3),(null),(null)
=> select * from n4 order by a
=> set insert_id=50
=> insert into n4 values (null),(60),(null) on duplicate key update a=a+1
=> select * from n4 order by a
