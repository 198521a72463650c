=> set sql_mode=''
=> create table t6 (a int) engine=memory
=> alter table t6 engine=foo
=> show create table t6
=> alter table t6 engine=foo, rename to t7
=> show create table t7
=> set enforce_storage_engine=myisam
=> alter table t7 engine=foo
=> show create table t7
=> create table t8 (a int) engine=foo
=> create table t9 (a int) engine=memory
=> show create table t9
=> create table t10 (a int) engine=aria
=> alter table t10 engine=aria, rename t11
=> alter table t11 engine=aria
=> alter table t11 engine=memory, rename t12
=> alter table t12 add b int
=> create temporary table t13 (a int) engine=memory
=> create temporary table t14 (a int) engine=aria
=> create table t15 like t13
=> show create table t15
=> set enforce_storage_engine=memory
=> create table t16 (a int) engine=aria
=> show create table t16
=> alter table t16 engine=myisam
=> alter table t16 add b int
=> show create table t16
=> set enforce_storage_engine=default
=> set sql_mode=''
=> create table u1 (a int) engine=foo
=> alter table u1 engine=foo
=> alter table u1 engine=foo, rename to u2
=> alter table u2 engine=foo, add b int
=> alter table u2 engine=federated
=> create table u3 (a int) engine=federated
=> create table u4 (a int) engine=ndb
=> alter table u4 engine=ndb
=> alter table u4 engine=ndb, rename u5
