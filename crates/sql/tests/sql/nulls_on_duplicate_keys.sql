=> create table t (id int primary key, a int, c varchar(9) not null)
=> create table s (id int, c varchar(9))
=> insert into s values (1,'x'),(2,'y'),(1,'z'),(3,'w'),(2,'q'),(4,'p')
=> create trigger g before update on t for each row set new.c = null
=> insert into t select id, 1, c from s on duplicate key update c = values(c)
=> select * from t order by id
=> insert into t values (1,1,'a'),(7,1,'a'),(2,2,'b') on duplicate key update c = 'm'
=> select * from t order by id
=> insert into t values (8,1,'a'),(7,1,'a'),(2,2,'b') on duplicate key update c = 'm'
=> insert into t values (1,1,'a') on duplicate key update c = 'm'
=> insert into t select 1,1,'a' on duplicate key update c = 'm'
=> insert into t select 1,1,'a' union select 9,1,'b' on duplicate key update c = 'm'
=> insert into t select 10,1,'a' union select 1,1,'b' on duplicate key update c = 'm'
=> select * from t order by id
=> update t set a = a + 1
=> update t set a = a + 1 where id > 2 order by id
=> update t set a = a + 1 where id = 3
=> replace into t select id, 1, c from s
=> insert ignore into t select id, 1, c from s on duplicate key update c = values(c)
=> select * from t order by id
=> drop trigger g
=> create trigger g before insert on t for each row set new.c = if(new.id = 30, null, new.c)
=> insert into t select 21,1,'a' union select 30,1,'b'
=> insert into t select 30,1,'a' union select 31,1,'b'
=> insert into t values (22,1,'a'),(30,1,'b'),(32,1,'c')
=> insert into t values (30,1,'a'),(33,1,'b'),(34,1,'c')
=> insert into t select id + 30, 1, c from s on duplicate key update a = 5
=> replace into t select 23,1,'a' union select 30,1,'b'
=> select * from t order by id
=> create trigger g2 before update on t for each row set new.c = null
=> insert into t values (1,1,'a'),(40,1,'a'),(2,2,'b') on duplicate key update c = 'm'
=> insert into t values (41,1,'a'),(1,1,'a'),(42,2,'b') on duplicate key update c = 'm'
=> insert into t select 43,1,'a' union select 30,1,'b' on duplicate key update c = 'm'
=> select * from t order by id
=> drop trigger g2
=> drop trigger g
=> insert into t values (1,1,'a'),(40,1,'a'),(2,2,'b') on duplicate key update c = null
=> insert into t values (51,1,'a'),(40,1,'a'),(2,2,'b') on duplicate key update c = null
=> insert into t values (53,1,'a'),(30,1,'b') on duplicate key update c = if(rand()<2, null, 1)
=> insert into t values (54,1,'a'),(30,1,'b') on duplicate key update c = if(rand()<2, null, 1), a = 1
=> select * from t order by id
=> drop table t, s
