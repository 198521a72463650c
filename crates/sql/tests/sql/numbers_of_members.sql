=> drop table if exists t
=> create table t (e enum('red','green','blue'), s set('red','green','blue'), u enum('red','green','blue') character set ucs2, us set('red','green','blue') character set ucs2)
=> insert ignore into t values (convert('3' using ucs2), convert('3' using ucs2), convert('3' using ucs2), convert('3' using ucs2))
=> insert ignore into t values (convert('3' using utf8mb4), convert('3' using utf8mb4), convert('3' using utf8mb4), convert('3' using utf8mb4))
=> insert ignore into t values (convert('3' using latin1), convert('3' using latin1), convert('3' using latin1), convert('3' using latin1))
=> select e+0,s+0,u+0,us+0 from t
=> drop table t
