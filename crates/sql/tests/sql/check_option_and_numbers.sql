=> create table t1 (id int auto_increment primary key, c int)
=> create view v1 as select id, c from t1 where id <= 3 or c = 99 with check option
=> insert into v1 values (default, 1),(0,2),(null,3)
=> insert into v1 values (default, 4)
=> insert into v1 (c) values (4)
=> insert into v1 values (null, 4)
=> insert into v1 values (0, 4)
=> insert ignore into v1 values (0, 4), (null, 5), (default, 6), (200, 7)
=> select * from t1 order by id
=> create trigger g before insert on t1 for each row set new.c = new.c
=> insert into v1 values (default, 4)
=> insert into v1 (c) values (4)
=> insert into v1 values (null, 4)
=> insert into v1 values (0, 4)
=> insert ignore into v1 values (0, 4), (null, 5), (default, 6), (200, 7)
=> select * from t1 order by id
=> set sql_mode='strict_all_tables'
=> insert ignore into v1 values (105, 1), (default, 6), (200, 7)
=> insert ignore into v1 values (2, 1), (default, 6), (200, 7)
=> insert ignore into v1 values (105, 1), (default, 6)
=> insert ignore into v1 values (105, 1), (default, 6), (default, 7)
=> insert into v1 values (1, 1) on duplicate key update c = 77
=> insert ignore into v1 values (105, 1), (null, 6)
=> insert ignore into v1 values (105, 1), (0, 6)
=> insert ignore into v1 (c) values (105), (0)
=> drop trigger g
=> insert ignore into v1 values (105, 1), (default, 6), (200, 7)
=> insert ignore into v1 select 105, 3 union select null, 4
=> insert ignore into v1 values (105, 1), (null, 6)
=> select * from t1 order by id
=> drop view v1
=> drop table t1
=> set sql_mode=default
