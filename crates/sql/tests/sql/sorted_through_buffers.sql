=> create table t2 (id int, c0 bigint, d int)
=> create table p (id int primary key, v int, key(v))
=> insert into t2 select seq, seq*7%50, seq from seq_1_to_40
=> insert into p select seq, seq%10 from seq_1_to_60
=> explain select a.id from t2 a join t2 b on a.id=b.id order by a.id
=> explain select a.id from t2 a join t2 b on a.id=b.id order by a.id limit 3
=> explain select a.id from t2 a left join t2 b on a.id=b.id order by a.id
=> explain select a.id from t2 a left join t2 b on a.id=b.id order by a.id limit 3
=> explain select a.id from t2 a, t2 b order by a.id
=> explain select a.id from t2 a left join p on a.c0=p.id order by a.id
=> explain select a.id from t2 a left join p on a.c0=p.v order by a.id
=> explain select a.id from t2 a left join p on a.c0=p.v left join t2 b on b.id=a.id order by a.id
=> explain select a.id from t2 a left join t2 b on b.id=a.id  left join p on a.c0=p.v order by a.id
=> explain select p.id from p left join t2 b on b.id=p.id order by p.v limit 2
=> explain select a.id,count(*) from t2 a join t2 b on a.id=b.id group by a.id
=> explain select a.id,count(*) from t2 a join t2 b on a.id=b.id group by a.id order by null
=> explain select a.id,count(distinct b.d) from t2 a join t2 b on a.id=b.id group by a.id
=> explain select a.id,group_concat(b.d) from t2 a join t2 b on a.id=b.id group by a.id
=> explain select p.id,group_concat(b.d) from p join t2 b on p.id=b.id group by p.id
=> explain select p.id,count(*) from p left join t2 b on p.id=b.id group by p.id
=> explain select distinct a.id from t2 a join t2 b on a.id=b.id order by a.id
=> explain select a.id from t2 a, (select id from t2 limit 5) b order by a.id
=> explain update t2 a, t2 b set a.c0=3 where a.id=b.id
=> explain delete a from t2 a, t2 b where a.id=b.id
=> explain delete a,b from t2 a, t2 b where a.id=b.id
=> explain delete b from t2 a, t2 b where a.id=b.id
=> explain delete a from t2 a, t2 b, t2 c where a.id=b.id
=> explain delete b from t2 a, t2 b, t2 c where a.id=b.id
=> explain update t2 a, t2 b set b.c0=3 where a.id=b.id
=> explain update t2 a, t2 b, t2 c set b.c0=3 where a.id=b.id
=> explain update t2 a, t2 b, t2 c set a.c0=3 where a.id=b.id order by a.id
=> explain update t2 a, t2 b, t2 c set a.c0=3,b.c0=1 where a.id=b.id order by a.id
=> explain insert into p select a.id,count(*) from t2 a, t2 b where a.id=b.id group by a.id order by a.id
