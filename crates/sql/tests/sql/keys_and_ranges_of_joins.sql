=> create table t1 (a int, b blob not null, c int, v varchar(100), w varchar(20), x char(30), g int as (c+1) stored, h int as (c+2) virtual, key ab (a,b(20)), key cv (c,v(5)), key cw(c,w), key gx(g,x(3)), key hw(h,w), key wv(w,v(5)))
=> insert into t1 (a,b,c,v,w,x) select seq%50,seq,seq%60,seq,seq,seq from seq_1_to_500
=> explain select * from t1 where a>1 and a<3
=> explain select * from t1 force index(cv) where c>1 and c<3
=> explain select * from t1 force index(ab) where a=1 and b='x'
=> explain select * from t1 force index(ab) where a=1 and b like 'x%'
=> explain select * from t1 force index(cv) where c=1 and v like 'x%'
=> explain select * from t1 force index(cw) where c=1 and w like 'x%'
=> explain select * from t1 force index(cv) where c=1 and v>'3'
=> explain select * from t1 force index(ab) where a is null
=> explain select * from t1 force index(cw) where c is null
=> explain select * from t1 force index(cw) where c is null and w>'3'
=> explain select * from t1 force index(cv) where c is null and w>'3'
=> explain select * from t1 x join t1 y force index(cw) on x.a=y.c where y.w>4
=> explain select * from t1 x join t1 y force index(cw) on x.a=y.c where y.w>'4'
=> explain select * from t1 x join t1 y force index(cv) on x.a=y.c where y.v>'4'
=> explain select * from t1 force index(cv) where c in (3,5)
=> create table s1 (a int, c int, w varchar(20), key ab(a), key cw(c,w))
=> insert into s1 (a,c,w) select seq%50,seq%60,seq from seq_1_to_500
=> create table big (c int, w varchar(20), e int, key cw(c,w))
=> insert into big select seq%2000, seq, seq from seq_1_to_20000
=> create table c (id int primary key, r int, key(r))
=> create table o (id int auto_increment primary key, cid int, d int, amt int, key cd(cid,d))
=> insert into c select seq, seq%100 from seq_1_to_500
=> insert into o (cid,d,amt) select seq%500, seq%365, seq%97 from seq_1_to_20000
=> explain select straight_join y.* from c join o y on c.id=y.cid where y.d>4
=> explain select straight_join y.* from c join o y on c.id=y.cid and y.d between 4 and 5
=> explain select straight_join y.* from c left join o y on c.id=y.cid and y.d between 4 and 5
=> explain select straight_join y.* from c join o y on c.id=y.cid where y.d=4
=> explain select * from c x join o y force index(cd) on x.r=y.cid where y.d>4
=> select c.id, sum(amt) from c join o on o.cid=c.id where c.r=7 and o.d between 100 and 110 group by c.id order by 1
=> select count(*), sum(amt) from c join o on o.cid=c.id where c.r<50 and o.d > 300
=> select count(*), sum(amt) from c left join o on o.cid=c.id and o.d > 300 where c.r<50
=> select count(*), sum(amt) from c join o on o.cid=c.id and o.d in (1,2,3) where c.r<50
=> select count(*), sum(amt) from c join o on o.cid=c.id and o.d is null where c.r<50
=> select count(*) from c where exists (select 1 from o where o.cid=c.id and o.d>360)
=> select count(*) from c where c.id in (select cid from o where o.d>360)
=> select c.id,(select max(amt) from o where o.cid=c.id and o.d<5) m from c where c.r=3 order by 1
=> create table fa (x int, y int, k int, key k(k))
=> create table fb (x int, y int, z int)
=> insert into fa select seq%300, seq, seq from seq_1_to_2000
=> insert into fb select seq, seq%50, seq from seq_1_to_300
=> select count(*) from fa force index(k), fb where fa.x=fb.x and fb.y=3
=> select count(*) from fa force index(k), fb where fa.k=fb.x and fb.y=3
=> explain select count(*) from fa force index(k), fb where fa.k=fb.x and fb.y=3
