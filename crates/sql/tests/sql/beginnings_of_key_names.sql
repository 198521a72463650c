=> create table t (a int, b int, key abc(a), key abd(b), key xyz(a,b), key x(b))
=> insert into t values (1,1),(2,2),(3,3)
=> select * from t force index (abc) where a=1
=> select * from t force index (abd) where a=1
=> select * from t force index (ab) where a=1
=> select * from t force index (xy) where a=1
=> explain select * from t force index (xy) where a=1
=> select * from t use index (XYZ) where a=1
=> explain select * from t use index (x) where b=1
=> explain select * from t ignore index (abd,x) where b=1
=> select * from t force index (xyzz) where a=1
=> select * from t force index (q) where a=1
=> select * from t force index (prim) where a=1
=> alter table t add primary key (a)
=> select * from t force index (prim) where a=1
=> select * from t force index (`p`) where a=1
=> update t force index (xy) set b=5 where a=1
=> alter table t add c decimal(66,66)
=> alter table t add c decimal(66,10)
=> alter table t add c decimal(60,39)
=> alter table t add c decimal(5,10)
=> alter table t drop key xy
=> alter table t rename key xy to z
=> drop table t
