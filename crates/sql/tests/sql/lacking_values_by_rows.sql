=> drop table if exists t
=> create table t (id int primary key, c decimal(10,2), d decimal(10,2) default 7, e decimal(5,1) not null default 8, f int default 9, g date default '2001-01-01') engine=myisam
=> INSERT INTO t VALUES (1, 2, 2, 2, 2, '2002-02-02'), (2, 'x', 'x', 'x', 'x', 'x'), (3, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(4,'1x','1x','1x','1x','2001-01-01x') returning *
=> INSERT INTO t VALUES (11, 2, 2, 2, 2, '2002-02-02'), (12, 'x', 'x', 'x', 'x', 'x'), (13, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(14,'1x','1x','1x','1x','2001-01-01x')
=> INSERT INTO t(id,c,d,e,f,g) VALUES (21, 2, 2, 2, 2, '2002-02-02'), (22, 'x', 'x', 'x', 'x', 'x'), (23, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(24,'1x','1x','1x','1x','2001-01-01x')
=> INSERT INTO t(id,c,d,e,f,g) VALUES (31, 2, 2, 2, 2, '2002-02-02'), (32, 'x', 'x', 'x', 'x', 'x'), (33, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(34,'1x','1x','1x','1x','2001-01-01x') returning *
=> INSERT INTO t(id,c,d,e,f,g) VALUES (31, 2, 2, 2, 2, '2002-02-02'), (32, 'x', 'x', 'x', 'x', 'x'), (33, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(34,'1x','1x','1x','1x','2001-01-01x') on duplicate key update c=values(c),d=values(d)
=> INSERT INTO t VALUES (41, 2, 2, 2, 2, '2002-02-02'), (42, 'x', 'x', 'x', 'x', 'x'), (43, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(44,'1x','1x','1x','1x','2001-01-01x') on duplicate key update c=values(c),d=values(d)
=> replace INTO t VALUES (51, 2, 2, 2, 2, '2002-02-02'), (52, 'x', 'x', 'x', 'x', 'x'), (53, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(54,'1x','1x','1x','1x','2001-01-01x') returning *
=> replace INTO t(id,c,d,e,f,g) VALUES (61, 2, 2, 2, 2, '2002-02-02'), (62, 'x', 'x', 'x', 'x', 'x'), (63, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(64,'1x','1x','1x','1x','2001-01-01x') returning id, c
=> insert INTO t VALUES (71, 2, 2, 2, 2, '2002-02-02'), (72, 'x', 'x', 'x', 'x', 'x'), (73, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(74,'1x','1x','1x','1x','2001-01-01x') returning id
=> insert INTO t VALUES (81, 2, 2, 2, 2, '2002-02-02'), (82, 'x', 'x', 'x', 'x', 'x'), (83, 1e20, 1e20, 1e20, 1e20, '2000-13-13'),(84,'1x','1x','1x','1x','2001-01-01x') returning 1
=> insert into t select id+100,if(id%10=2,'x',c),d,e,f,g from t where id<40 order by id returning *
=> select * from t order by id
=> drop table t
=> set sql_mode=default
=> create table t (id int not null, a int not null, b datetime not null, c int, d int not null default 3, e enum('x','y') not null) engine=myisam
=> create trigger g before update on t for each row set @h=1
=> insert into t (id,a,b,c) values (DEFAULT, 1, 'x', 'y')
=> insert into t (id,a,b,c) values (1, DEFAULT, DEFAULT, 'y')
=> insert into t (id,a,b,c,e) values (1, DEFAULT, DEFAULT, 4, default)
=> insert into t (id,a,b,c) values ('x', 'y', NULL, NULL)
=> insert into t (id,a,b,c) values (1, NULL, 'x', NULL)
=> insert into t (id,a,b,c) values (1, NULL, NULL, NULL)
=> insert into t (id,a,b,c) values (1, DEFAULT, NULL, 'x')
=> insert into t (id,a,b,c) values (1, NULL, DEFAULT, 'x')
=> insert into t (id,a,b,c) values (1, NULL, DEFAULT, 2)
=> insert into t (id,a,b,c,d) values (1, 2, 'x', 2, NULL)
=> insert into t (id,c) values (1, 'x')
=> insert into t (c) values (5)
=> insert into t values (DEFAULT, 1, 'x', 'y', 1, 1)
=> insert into t values (1, DEFAULT, 'x', 'y', 1, 1)
=> insert into t values (1, 'a', DEFAULT, 'y', 1, 1)
=> insert into t values (1, NULL, DEFAULT, 'y', 1, 1)
=> insert into t values (1, NULL, DEFAULT, 2, 1, 1)
=> insert into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, 1, 'x', 'y', 1, 1)
=> insert into t values (1,1,'2001-01-01',1,1,1),(1, DEFAULT, 'x', 'y', 1, 1)
=> insert into t values (1,1,'2001-01-01',1,1,1),(1, 'a', DEFAULT, 'y', 1, 1)
=> insert into t values (1,1,'2001-01-01',1,1,1),(1, NULL, DEFAULT, 'y', 1, 1)
=> insert into t values (1,1,'2001-01-01',1,1,1),(1, NULL, DEFAULT, 2, 1, default)
=> insert into t(id,a,b,c) values (1,1,'2001-01-01',1),(1, NULL, DEFAULT, 'y'),(DEFAULT,'a','b',NULL)
=> insert into t(id,a) values (1,1),(1, NULL),(DEFAULT,'a')
=> insert ignore into t (id,a,b,c) values (DEFAULT, 1, 'x', 'y')
=> insert ignore into t (id,a,b,c) values (1, DEFAULT, DEFAULT, 'y')
=> insert ignore into t (id,a,b,c) values (1, NULL, DEFAULT, 'y')
=> insert ignore into t values (DEFAULT, NULL, DEFAULT, 'y',NULL,DEFAULT)
=> insert ignore into t values (1,1,1,1,1,1),(DEFAULT, NULL, DEFAULT, 'y',NULL,DEFAULT)
=> insert ignore into t set id = default, a = default
=> insert into t set id = default, a = 5
=> replace into t set id = 5, a = default, b=default
=> select id,a,b,c,d,e from t order by id,a,b,c,d,e
=> set sql_mode=''
=> delete from t
=> insert into t (id,a,b,c) values (DEFAULT, 1, 'x', 'y')
=> insert into t (id,a,b,c) values (1, DEFAULT, DEFAULT, 'y')
=> insert into t (id,a,b,c) values (1, NULL, DEFAULT, 'y')
=> insert into t values (DEFAULT, NULL, DEFAULT, 'y',NULL,DEFAULT)
=> insert into t values (DEFAULT, 2, DEFAULT, 'y',1,DEFAULT)
=> insert into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, NULL, DEFAULT, 'y',NULL,DEFAULT)
=> insert into t set id = default, a = default
=> select id,a,b,c,d,e from t order by id,a,b,c,d,e
=> create trigger g5 before insert on t for each row set NEW.a = 7
=> delete from t
=> insert into t (id,a,b,c) values (DEFAULT, 1, 'x', 'y')
=> insert into t (id,a,b,c) values (1, DEFAULT, DEFAULT, 'y')
=> insert into t values (DEFAULT, DEFAULT, DEFAULT, 'y',1,DEFAULT)
=> set sql_mode='strict_all_tables'
=> insert into t (id,a,b,c) values (DEFAULT, 1, 'x', 'y')
=> insert into t (id,a,b,c) values (1, DEFAULT, DEFAULT, 'y')
=> insert into t values (DEFAULT, DEFAULT, DEFAULT, 'y',1,DEFAULT)
=> insert into t values (1, DEFAULT, '2001-01-01', 4,1,1)
=> insert into t (id,a,b) values (1, DEFAULT, '2001-01-01')
=> select id,a,b,c,d,e from t order by id,a,b,c,d,e
=> drop trigger g5
=> insert into t values (DEFAULT, DEFAULT, DEFAULT, 'y',1,DEFAULT) returning id, a
=> insert into t values (DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) returning 1
=> insert into t values (DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) on duplicate key update a = 5
=> insert into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) on duplicate key update a = 5
=> set sql_mode=''
=> insert into t values (DEFAULT, DEFAULT, DEFAULT, 'y',1,DEFAULT) returning id, a
=> insert into t values (DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) returning 1
=> insert into t values (DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) on duplicate key update a = 5
=> insert into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) on duplicate key update a = 5
=> insert into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, 1, DEFAULT, 'y',id+2,DEFAULT)
=> insert into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) returning a
=> insert ignore into t values (1,1,'2001-01-01',1,1,1),(DEFAULT, 1, DEFAULT, 'y',NULL,DEFAULT) returning a
=> select id,a,b,c,d,e from t order by id,a,b,c,d,e
=> drop table t
=> set sql_mode=default
=> set sql_mode=''
=> create table t (c varchar(5) not null, id int not null, a int) engine=myisam
=> create trigger g before update on t for each row set @h=1
=> insert into t (id,a) values (DEFAULT, 87)
=> insert into t (id,a) values (DEFAULT, 24+0)
=> insert into t (a,id) values (1, DEFAULT)
=> insert into t (c,id,a) values ('x', DEFAULT, 87)
=> insert into t (c,id,a) values (DEFAULT, 1, 87)
=> insert into t (c,id) values (DEFAULT, 1)
=> insert into t (c) values (DEFAULT)
=> insert into t (id,c) values (DEFAULT, DEFAULT)
=> insert into t (id) values (NULL)
=> insert into t (id,a) values (NULL,24+0)
=> insert into t (id,a) values (DEFAULT, 87),(DEFAULT,2)
=> insert into t (id,a) values (1, 87),(DEFAULT,2)
=> insert into t (id,a) values (1, 87),(NULL,2)
=> insert into t (id,a) values (1+1, 87),(NULL,2)
=> replace into t (id,a) values (DEFAULT, 87)
=> insert into t set id=default
=> insert into t set id=default, a=4
=> insert ignore into t (id,a) values (DEFAULT, 87)
=> set sql_mode='strict_all_tables'
=> insert ignore into t (id,a) values (DEFAULT, 87)
=> insert into t (id,a) values (DEFAULT, 87)
=> insert ignore into t (id,a) values (1, 87),(DEFAULT,2)
=> select * from t order by id, a, c
=> drop table t
=> set sql_mode=''
=> create table t (id int not null, c varchar(5) not null, a int, d int not null) engine=myisam
=> create trigger g before update on t for each row set @h=1
=> insert into t (id) values (NULL)
=> insert into t (id) values (DEFAULT)
=> insert into t (id,d) values (1,NULL)
=> insert into t (id,d) values (1,DEFAULT)
=> insert into t (id,c,d) values (1,NULL,NULL)
=> insert into t (d) values (NULL)
=> select * from t order by id, a, c
=> drop table t
=> set sql_mode=default
=> drop table if exists t1
=> create table t1 (a int not null, b varchar(5) not null, c int) engine=myisam
=> insert into t1 values (1,'x',1)
=> insert into t1 values (a+2,'x',2)
=> insert into t1 values (a+3,b,1),(a+4,concat(b,'y'),a)
=> insert into t1 (a,b) values (a+3,b),(a+4,concat(b,'y'))
=> insert into t1 (c,b) values (a+3,'x')
=> insert into t1 values (5,b,a)
=> insert into t1 values (5,'z',c)
=> select * from t1
=> set sql_mode=''
=> insert into t1 (c,b) values (a+3,'x')
=> insert into t1 set c=a
=> select * from t1
=> drop table t1
=> set sql_mode=default
=> set sql_mode=default
=> drop table if exists t
=> create table t (id int not null, c decimal(10,2) not null, f varchar(5) not null) engine=myisam
=> create trigger g before insert on t for each row set @h=1
=> insert into t(id,c,f) values (1,1,'a'),(2,'x','a')
=> insert into t(id,f,c) values (1,'a',1),(2,'a','x')
=> insert into t(id,c,f) values (1,1,'a'),(2,'x',default),(3,null,'a')
=> select * from t order by id, c, f
=> drop table t
