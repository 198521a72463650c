=> drop table if exists t
=> create table t (e enum('red','green','blue'), s set('red','green','blue'), u enum('red','green','blue') character set ucs2, us set('red','green','blue') character set ucs2)
=> insert ignore into t values (convert('3' using ucs2), convert('3' using ucs2), convert('3' using ucs2), convert('3' using ucs2))
=> insert ignore into t values (convert('3' using utf8mb4), convert('3' using utf8mb4), convert('3' using utf8mb4), convert('3' using utf8mb4))
=> insert ignore into t values (convert('3' using latin1), convert('3' using latin1), convert('3' using latin1), convert('3' using latin1))
=> select e+0,s+0,u+0,us+0 from t
=> drop table t
=> create table wide (a set('x','y','1','9') character set latin1, b enum('x','y','1','9') character set latin1, c set('x','y','1','9') character set ucs2, d enum('x','y','1','9') character set ucs2)
=> set sql_mode=''
=> insert into wide (a) values (_ucs2 0x0032)
=> insert into wide (b) values (_ucs2 0x0032)
=> insert into wide (a) values (_ucs2 0x003200330034)
=> insert into wide (c) values (_latin1 0x0032)
=> insert into wide (d) values (_latin1 0x0032)
=> insert into wide (c) values (_latin1 0x0039)
=> insert into wide (d) values (_latin1 0x0032)
=> insert into wide (c) values (_latin1 0x00320033)
=> insert into wide (d) values (_latin1 0x00320033)
=> insert into wide (d) values (_ucs2 0x00320033)
=> insert into wide (d) values (_ucs2 0x00320043)
=> insert into wide (c) values (_ucs2 0x00320043)
=> insert into wide (c) values (_ucs2 0x002000320043)
=> insert into wide (c) values (_ucs2 0x0032004300)
=> insert into wide (c) values (_ucs2 0x00320043,0x0023)
=> insert into wide (a) values (_utf32 0x00000032)
=> insert into wide (a) values (_utf32 0x000000320000003200000032)
=> insert into wide (a) values (_utf32 0x0000003200000031)
=> select a+0,b+0,c+0,d+0 from wide
=> select * from wide where c = _ucs2 0x00320043
=> select * from wide where a = _ucs2 0x00320043
=> select * from wide where a = '3'
=> select * from wide where c = '3'
=> select * from wide where c = '3x'
=> drop table wide
=> set sql_mode=default
