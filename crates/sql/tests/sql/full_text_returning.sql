create table a(id int primary key, t text, u varchar(100), fulltext k(t), fulltext k2(t,u))
insert into a values(1,'quick brown fox','red'),(2,'lazy dog jumps','blue'),(3,'quick quick dog','green'),(4,'nothing here','quick'),(5,'other words entirely','dog'),(6,'more filler text','x'),(7,'another filler','y'),(8,'still filler thing','z')
create table c like a
insert into c select * from a
delete from c where id>0 order by id limit 4 returning id, match(t) against('quick'), match(t) against('dog')
delete from c returning id, match(t) against('filler'), match(t) against('filler' with query expansion), match(t,u) against('filler' in boolean mode)
insert into c select * from a
delete from c where match(t) against('quick') returning id, match(t) against('quick'), match(t) against('dog')
insert into c select * from a where id in(1,3)
insert into c select * from a where id in(1,3)
delete from c where match(t) against('zzz') returning id, match(t) against('zzz')
insert into c set id=30,t='quick' returning match(t) against('quick' with query expansion)
replace into c set id=30,t='quick dog' returning match(t) against('quick' in boolean mode), match(t) against(concat('a','b'))
insert into c set id=33,t='quick' returning match(t) against(id)
insert into c set id=34,t='quick' returning (select max(match(t) against('dog')) from a)
insert into c set id=35,t='quick' returning (select max(match(a.t) against('dog')) from a where a.id<c.id)
delete from c where id=30 returning (select max(match(a.t) against('dog')) from a where a.id<c.id)
delete from c where id=32 returning id, (select id from a where match(t) against('brown') limit 1) x
create table d(id int, k int, t text, key(k), fulltext(t))
insert into d values(1,1,'abcd efgh'),(2,2,'ijkl mnop'),(3,3,'qrst uvwx')
select d.id,a.id,match(a.t) against('quick') from d straight_join a where match(a.t) against('quick')
