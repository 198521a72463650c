=> create table t (s varchar(20) character set utf8mb4, b blob, n int, d decimal(10,2), k varchar(40), dt datetime)
=> insert into t values ('äbc', 'xyz', 5, 1.5, 'key', '2001-01-01'), (null,null,null,null,'k',null), ("","",0,0,'', '0000-00-00')
=> select hex(aes_encrypt('a','b'))
=> select aes_encrypt('a','b'), aes_decrypt('a','b')
=> select hex(aes_encrypt(s,k)), hex(aes_encrypt(b,k)), hex(aes_encrypt(n,k)), hex(aes_encrypt(d,k)), hex(aes_encrypt(dt,k)) from t
=> select aes_decrypt(aes_encrypt(s,k),k), aes_decrypt(aes_encrypt(b,k),k), aes_decrypt(aes_encrypt(n,k),k) from t
=> select aes_encrypt(s,k) x, aes_encrypt(b,k) y, aes_encrypt(n,k) w, aes_encrypt(1,k) v from t limit 0
=> select aes_decrypt(s,k) x, aes_decrypt(b,k) y, aes_decrypt(n,k) w from t limit 0
=> create table t2 as select aes_encrypt(s,k) x, aes_encrypt(b,k) y, aes_encrypt(n,k) w, aes_decrypt(s,k) x1, aes_decrypt(b,k) y1, aes_decrypt(n,k) w1, aes_encrypt('abc','x') c, aes_encrypt(repeat('a',600),'x') e, aes_decrypt('abc','x') f from t
=> show create table t2
=> select charset(aes_encrypt('a','b')), charset(aes_decrypt('a','b')), collation(aes_decrypt('a','b')), coercibility(aes_encrypt('a','b'))
=> select aes_encrypt(null,'b'), aes_encrypt('a',null), aes_decrypt(null,'b'), aes_decrypt('a',null), aes_decrypt('a','b'), aes_decrypt(repeat('a',16),'b'), aes_decrypt('','b')
=> select hex(aes_encrypt('text', repeat('k',100))), hex(aes_encrypt('text', '')), hex(aes_encrypt('', ''))
=> select hex(aes_encrypt(repeat('a',15),'k')), hex(aes_encrypt(repeat('a',16),'k')), hex(aes_encrypt(repeat('a',17),'k'))
=> select aes_encrypt()
=> select aes_encrypt('a')
=> select aes_encrypt('a','b','c')
=> select aes_decrypt('a','b','c')
=> select hex(aes_encrypt(_utf8mb4'ä', _latin1 x'e4')), hex(aes_encrypt(_ucs2'a', _ucs2'b'))
=> select hex(aes_encrypt(1, 2)), hex(aes_encrypt(1.50, 2.5)), hex(aes_encrypt(true, now() is null))
=> create view v as select aes_encrypt('a','b') x, aes_decrypt('c','d') y
=> show create view v
=> select n from t where aes_encrypt(s,'key') = aes_encrypt('äbc','key')
=> create table g (a varchar(20), e varbinary(64) as (aes_encrypt(a,'k')) stored, key(e))
=> insert into g (a) values ('one'),('two')
=> select a, aes_decrypt(e,'k') from g where e = aes_encrypt('two','k')
=> drop view v
=> drop table t, t2, g
