=> create table m1 (i int, u bigint unsigned not null, dc decimal(6,2), db double, v varchar(10) collate latin1_swedish_ci, n varchar(10) collate utf8mb4_nopad_bin, cb char(5) collate latin1_bin, dt date, e enum('a','b','c'), y year not null, bt bit(5), vb varbinary(6), w int, key k0 (i, u, n), key k1 (u, dc, cb), key k2 (dc, db, dt), key k3 (db, v, e), key k4 (v, n, y), key k5 (n, cb, bt), key k6 (cb, dt, vb), key k7 (dt, e, i), key k8 (e, y, u), key k9 (y, bt, dc), key k10 (bt, vb, db), key k11 (vb, i, v)) engine=MyISAM
=> insert into m1 select if((n+0)%17=0,null,((n*3+0)%9)-6), ((n*5+7)%10), if((n+6)%17=0,null,((n*7+14)%11)-5.5), if((n+9)%17=0,null,((n*9+21)%12)/2-3), if((n+12)%17=0,null,concat(substr('abcd',((n*11+28)%9)%4+1,1),((n*11+28)%9)%5)), if((n+15)%17=0,null,repeat('z',((n*13+35)%10)%6)), if((n+18)%17=0,null,repeat('q',((n*15+42)%11)%5)), if((n+21)%17=0,null,date('2020-01-01') + interval ((n*17+49)%12) day), if((n+24)%17=0,null,substr('abc',((n*19+56)%9)%3+1,1)), 2000+((n*21+63)%10), if((n+30)%17=0,null,((n*23+70)%11)%20), if((n+33)%17=0,null,char(65+((n*25+77)%12)%9)), n from (select cast(seq as signed) as n from seq_1_to_3000) q order by n
=> insert into m1 (u, y) values (77, 1999), (78, 1998)
=> select distinct i from m1
=> select i, min(u), max(u) from m1 group by i
=> select i, max(u) from m1 group by i
=> select i, min(u) from m1 group by i
=> select distinct u from m1
=> select u, min(dc), max(dc) from m1 group by u
=> select u, max(dc) from m1 group by u
=> select u, min(dc) from m1 group by u
=> select distinct dc from m1
=> select dc, min(db), max(db) from m1 group by dc
=> select dc, max(db) from m1 group by dc
=> select dc, min(db) from m1 group by dc
=> select distinct db from m1
=> select db, min(v), max(v) from m1 group by db
=> select db, max(v) from m1 group by db
=> select db, min(v) from m1 group by db
=> select distinct v from m1
=> select v, min(n), max(n) from m1 group by v
=> select v, max(n) from m1 group by v
=> select v, min(n) from m1 group by v
=> select distinct n from m1
=> select n, min(cb), max(cb) from m1 group by n
=> select n, max(cb) from m1 group by n
=> select n, min(cb) from m1 group by n
=> select distinct cb from m1
=> select cb, min(dt), max(dt) from m1 group by cb
=> select cb, max(dt) from m1 group by cb
=> select cb, min(dt) from m1 group by cb
=> select distinct dt from m1
=> select dt, min(e), max(e) from m1 group by dt
=> select dt, max(e) from m1 group by dt
=> select dt, min(e) from m1 group by dt
=> select distinct e from m1
=> select e, min(y), max(y) from m1 group by e
=> select e, max(y) from m1 group by e
=> select e, min(y) from m1 group by e
=> select distinct y from m1
=> select y, hex(min(bt)), hex(max(bt)) from m1 group by y
=> select y, hex(max(bt)) from m1 group by y
=> select y, hex(min(bt)) from m1 group by y
=> select distinct bt from m1
=> select bt, min(vb), max(vb) from m1 group by bt
=> select bt, max(vb) from m1 group by bt
=> select bt, min(vb) from m1 group by bt
=> select distinct vb from m1
=> select vb, min(i), max(i) from m1 group by vb
=> select vb, max(i) from m1 group by vb
=> select vb, min(i) from m1 group by vb
=> analyze table m1
=> select distinct i from m1
=> select i, min(u), max(u) from m1 group by i
=> select i, max(u) from m1 group by i
=> select i, min(u) from m1 group by i
=> select i, u, min(n) from m1 group by i, u
=> select distinct i, u from m1 order by 1, 2
=> select count(distinct i), count(distinct i, u) from m1
=> select i, count(distinct u) from m1 group by i
=> select i, min(u) from m1 where i is not null group by i having min(u) is not null
=> select i, max(u) from m1 where i > (select min(i) from m1) group by i order by 1 desc limit 3
=> select i, min(u) from m1 where i in (3) or i is null group by i
=> select i, min(u), count(*) from m1 where i >= 3 group by i
=> select distinct i from m1 where i <> 3
=> select i, max(u) from m1 where u >= 4 group by i
=> select distinct u from m1
=> select u, min(dc), max(dc) from m1 group by u
=> select u, max(dc) from m1 group by u
=> select u, min(dc) from m1 group by u
=> select u, dc, min(cb) from m1 group by u, dc
=> select distinct u, dc from m1 order by 1, 2
=> select count(distinct u), count(distinct u, dc) from m1
=> select u, count(distinct dc) from m1 group by u
=> select u, min(dc) from m1 where u is not null group by u having min(dc) is not null
=> select u, max(dc) from m1 where u > (select min(u) from m1) group by u order by 1 desc limit 3
=> select u, min(dc) from m1 where u in (4) or u is null group by u
=> select u, min(dc), count(*) from m1 where u >= 4 group by u
=> select distinct u from m1 where u <> 4
=> select u, max(dc) from m1 where dc >= 1.5 group by u
=> select distinct dc from m1
=> select dc, min(db), max(db) from m1 group by dc
=> select dc, max(db) from m1 group by dc
=> select dc, min(db) from m1 group by dc
=> select dc, db, min(dt) from m1 group by dc, db
=> select distinct dc, db from m1 order by 1, 2
=> select count(distinct dc), count(distinct dc, db) from m1
=> select dc, count(distinct db) from m1 group by dc
=> select dc, min(db) from m1 where dc is not null group by dc having min(db) is not null
=> select dc, max(db) from m1 where dc > (select min(dc) from m1) group by dc order by 1 desc limit 3
=> select dc, min(db) from m1 where dc in (1.5) or dc is null group by dc
=> select dc, min(db), count(*) from m1 where dc >= 1.5 group by dc
=> select distinct dc from m1 where dc <> 1.5
=> select dc, max(db) from m1 where db >= 0.5 group by dc
=> select distinct db from m1
=> select db, min(v), max(v) from m1 group by db
=> select db, max(v) from m1 group by db
=> select db, min(v) from m1 group by db
=> select db, v, min(e) from m1 group by db, v
=> select distinct db, v from m1 order by 1, 2
=> select count(distinct db), count(distinct db, v) from m1
=> select db, count(distinct v) from m1 group by db
=> select db, min(v) from m1 where db is not null group by db having min(v) is not null
=> select db, max(v) from m1 where db > (select min(db) from m1) group by db order by 1 desc limit 3
=> select db, min(v) from m1 where db in (0.5) or db is null group by db
=> select db, min(v), count(*) from m1 where db >= 0.5 group by db
=> select distinct db from m1 where db <> 0.5
=> select db, max(v) from m1 where v >= 'b1' group by db
=> select distinct v from m1
=> select v, min(n), max(n) from m1 group by v
=> select v, max(n) from m1 group by v
=> select v, min(n) from m1 group by v
=> select v, n, min(y) from m1 group by v, n
=> select distinct v, n from m1 order by 1, 2
=> select count(distinct v), count(distinct v, n) from m1
=> select v, count(distinct n) from m1 group by v
=> select v, min(n) from m1 where v is not null group by v having min(n) is not null
=> select v, max(n) from m1 where v > (select min(v) from m1) group by v order by 1 desc limit 3
=> select v, min(n) from m1 where v in ('b1') or v is null group by v
=> select v, min(n), count(*) from m1 where v >= 'b1' group by v
=> select distinct v from m1 where v <> 'b1'
=> select v, max(n) from m1 where n >= 'zz' group by v
=> select distinct n from m1
=> select n, min(cb), max(cb) from m1 group by n
=> select n, max(cb) from m1 group by n
=> select n, min(cb) from m1 group by n
=> select n, cb, hex(min(bt)) from m1 group by n, cb
=> select distinct n, cb from m1 order by 1, 2
=> select count(distinct n), count(distinct n, cb) from m1
=> select n, count(distinct cb) from m1 group by n
=> select n, min(cb) from m1 where n is not null group by n having min(cb) is not null
=> select n, max(cb) from m1 where n > (select min(n) from m1) group by n order by 1 desc limit 3
=> select n, min(cb) from m1 where n in ('zz') or n is null group by n
=> select n, min(cb), count(*) from m1 where n >= 'zz' group by n
=> select distinct n from m1 where n <> 'zz'
=> select n, max(cb) from m1 where cb >= 'qq' group by n
=> select distinct cb from m1
=> select cb, min(dt), max(dt) from m1 group by cb
=> select cb, max(dt) from m1 group by cb
=> select cb, min(dt) from m1 group by cb
=> select cb, dt, min(vb) from m1 group by cb, dt
=> select distinct cb, dt from m1 order by 1, 2
=> select count(distinct cb), count(distinct cb, dt) from m1
=> select cb, count(distinct dt) from m1 group by cb
=> select cb, min(dt) from m1 where cb is not null group by cb having min(dt) is not null
=> select cb, max(dt) from m1 where cb > (select min(cb) from m1) group by cb order by 1 desc limit 3
=> select cb, min(dt) from m1 where cb in ('qq') or cb is null group by cb
=> select cb, min(dt), count(*) from m1 where cb >= 'qq' group by cb
=> select distinct cb from m1 where cb <> 'qq'
=> select cb, max(dt) from m1 where dt >= '2020-01-05' group by cb
=> select distinct dt from m1
=> select dt, min(e), max(e) from m1 group by dt
=> select dt, max(e) from m1 group by dt
=> select dt, min(e) from m1 group by dt
=> select dt, e, min(i) from m1 group by dt, e
=> select distinct dt, e from m1 order by 1, 2
=> select count(distinct dt), count(distinct dt, e) from m1
=> select dt, count(distinct e) from m1 group by dt
=> select dt, min(e) from m1 where dt is not null group by dt having min(e) is not null
=> select dt, max(e) from m1 where dt > (select min(dt) from m1) group by dt order by 1 desc limit 3
=> select dt, min(e) from m1 where dt in ('2020-01-05') or dt is null group by dt
=> select dt, min(e), count(*) from m1 where dt >= '2020-01-05' group by dt
=> select distinct dt from m1 where dt <> '2020-01-05'
=> select dt, max(e) from m1 where e >= 'b' group by dt
=> select distinct e from m1
=> select e, min(y), max(y) from m1 group by e
=> select e, max(y) from m1 group by e
=> select e, min(y) from m1 group by e
=> select e, y, min(u) from m1 group by e, y
=> select distinct e, y from m1 order by 1, 2
=> select count(distinct e), count(distinct e, y) from m1
=> select e, count(distinct y) from m1 group by e
=> select e, min(y) from m1 where e is not null group by e having min(y) is not null
=> select e, max(y) from m1 where e > (select min(e) from m1) group by e order by 1 desc limit 3
=> select e, min(y) from m1 where e in ('b') or e is null group by e
=> select e, min(y), count(*) from m1 where e >= 'b' group by e
=> select distinct e from m1 where e <> 'b'
=> select e, max(y) from m1 where y >= 2004 group by e
=> select distinct y from m1
=> select y, hex(min(bt)), hex(max(bt)) from m1 group by y
=> select y, hex(max(bt)) from m1 group by y
=> select y, hex(min(bt)) from m1 group by y
=> select y, bt, min(dc) from m1 group by y, bt
=> select distinct y, bt from m1 order by 1, 2
=> select count(distinct y), count(distinct y, bt) from m1
=> select y, count(distinct bt) from m1 group by y
=> select y, hex(min(bt)) from m1 where y is not null group by y having hex(min(bt)) is not null
=> select y, hex(max(bt)) from m1 where y > (select min(y) from m1) group by y order by 1 desc limit 3
=> select y, hex(min(bt)) from m1 where y in (2004) or y is null group by y
=> select y, hex(min(bt)), count(*) from m1 where y >= 2004 group by y
=> select distinct y from m1 where y <> 2004
=> select 1
=> select distinct bt from m1
=> select bt, min(vb), max(vb) from m1 group by bt
=> select bt, max(vb) from m1 group by bt
=> select bt, min(vb) from m1 group by bt
=> select bt, vb, min(db) from m1 group by bt, vb
=> select distinct bt, vb from m1 order by 1, 2
=> select count(distinct bt), count(distinct bt, vb) from m1
=> select bt, min(vb) from m1 where bt is not null group by bt having min(vb) is not null
=> select bt, max(vb) from m1 where bt > (select min(bt) from m1) group by bt order by 1 desc limit 3
=> select bt, min(vb) from m1 where bt in (b'101') or bt is null group by bt
=> select distinct bt from m1 where bt <> b'101'
=> select bt, max(vb) from m1 where vb >= 'C' group by bt
=> select distinct vb from m1
=> select vb, min(i), max(i) from m1 group by vb
=> select vb, max(i) from m1 group by vb
=> select vb, min(i) from m1 group by vb
=> select vb, i, min(v) from m1 group by vb, i
=> select distinct vb, i from m1 order by 1, 2
=> select count(distinct vb), count(distinct vb, i) from m1
=> select vb, count(distinct i) from m1 group by vb
=> select vb, min(i) from m1 where vb is not null group by vb having min(i) is not null
=> select vb, max(i) from m1 where vb > (select min(vb) from m1) group by vb order by 1 desc limit 3
=> select vb, min(i) from m1 where vb in ('C') or vb is null group by vb
=> select vb, min(i), count(*) from m1 where vb >= 'C' group by vb
=> select distinct vb from m1 where vb <> 'C'
=> select vb, max(i) from m1 where i >= 3 group by vb
=> delete from m1 where w % 3 = 1 or u = 5
=> select distinct u, dc from m1 order by 1, 2
=> select i, min(u), max(u) from m1 group by i
=> select o.u, (select count(distinct i) from m1) as n, (select max(u) from m1 q where q.i = o.u) as m from (select distinct u from m1) o order by 1
=> select i from m1 group by i union select u from m1 group by u
=> create table xm1 as select distinct i, u from m1
=> select count(*) from xm1
=> insert into xm1 select i, max(u) from m1 group by i
=> select count(*), sum(i), sum(u) from xm1
=> create table m2 (i int, u bigint unsigned not null, dc decimal(6,2), db double, v varchar(10) collate latin1_swedish_ci, n varchar(10) collate utf8mb4_nopad_bin, cb char(5) collate latin1_bin, dt date, e enum('a','b','c'), y year not null, bt bit(5), vb varbinary(6), w int, key k0 (i, u, n) using btree, key k1 (u, dc, cb) using btree, key k2 (dc, db, dt) using btree, key k3 (db, v, e) using btree, key k4 (v, n, y) using btree, key k5 (n, cb, bt) using btree, key k6 (cb, dt, vb) using btree, key k7 (dt, e, i) using btree, key k8 (e, y, u) using btree, key k9 (y, bt, dc) using btree, key k10 (bt, vb, db) using btree, key k11 (vb, i, v) using btree) engine=MEMORY
=> insert into m2 select if((n+0)%17=0,null,((n*3+0)%9)-6), ((n*5+7)%10), if((n+6)%17=0,null,((n*7+14)%11)-5.5), if((n+9)%17=0,null,((n*9+21)%12)/2-3), if((n+12)%17=0,null,concat(substr('abcd',((n*11+28)%9)%4+1,1),((n*11+28)%9)%5)), if((n+15)%17=0,null,repeat('z',((n*13+35)%10)%6)), if((n+18)%17=0,null,repeat('q',((n*15+42)%11)%5)), if((n+21)%17=0,null,date('2020-01-01') + interval ((n*17+49)%12) day), if((n+24)%17=0,null,substr('abc',((n*19+56)%9)%3+1,1)), 2000+((n*21+63)%10), if((n+30)%17=0,null,((n*23+70)%11)%20), if((n+33)%17=0,null,char(65+((n*25+77)%12)%9)), n from (select cast(seq as signed) as n from seq_1_to_3000) q order by n
=> insert into m2 (u, y) values (77, 1999), (78, 1998)
=> select distinct i from m2 order by 1
=> select i, min(u), max(u) from m2 group by i
=> select i, max(u) from m2 group by i
=> select i, min(u) from m2 group by i
=> select distinct u from m2 order by 1
=> select u, min(dc), max(dc) from m2 group by u
=> select u, max(dc) from m2 group by u
=> select u, min(dc) from m2 group by u
=> select distinct dc from m2 order by 1
=> select dc, min(db), max(db) from m2 group by dc
=> select dc, max(db) from m2 group by dc
=> select dc, min(db) from m2 group by dc
=> select distinct db from m2 order by 1
=> select db, min(v), max(v) from m2 group by db
=> select db, max(v) from m2 group by db
=> select db, min(v) from m2 group by db
=> select distinct v from m2 order by 1
=> select v, min(n), max(n) from m2 group by v
=> select v, max(n) from m2 group by v
=> select v, min(n) from m2 group by v
=> select distinct n from m2 order by 1
=> select n, min(cb), max(cb) from m2 group by n
=> select n, max(cb) from m2 group by n
=> select n, min(cb) from m2 group by n
=> select distinct cb from m2 order by 1
=> select cb, min(dt), max(dt) from m2 group by cb
=> select cb, max(dt) from m2 group by cb
=> select cb, min(dt) from m2 group by cb
=> select distinct dt from m2 order by 1
=> select dt, min(e), max(e) from m2 group by dt
=> select dt, max(e) from m2 group by dt
=> select dt, min(e) from m2 group by dt
=> select distinct e from m2 order by 1
=> select e, min(y), max(y) from m2 group by e
=> select e, max(y) from m2 group by e
=> select e, min(y) from m2 group by e
=> select distinct y from m2 order by 1
=> select y, hex(min(bt)), hex(max(bt)) from m2 group by y
=> select y, hex(max(bt)) from m2 group by y
=> select y, hex(min(bt)) from m2 group by y
=> select distinct bt from m2 order by 1
=> select bt, min(vb), max(vb) from m2 group by bt
=> select bt, max(vb) from m2 group by bt
=> select bt, min(vb) from m2 group by bt
=> select distinct vb from m2 order by 1
=> select vb, min(i), max(i) from m2 group by vb
=> select vb, max(i) from m2 group by vb
=> select vb, min(i) from m2 group by vb
=> analyze table m2
=> select distinct i from m2 order by 1
=> select i, min(u), max(u) from m2 group by i
=> select i, max(u) from m2 group by i
=> select i, min(u) from m2 group by i
=> select i, u, min(n) from m2 group by i, u
=> select distinct i, u from m2 order by 1, 2
=> select count(distinct i), count(distinct i, u) from m2
=> select i, count(distinct u) from m2 group by i
=> select i, min(u) from m2 where i is not null group by i having min(u) is not null
=> select i, max(u) from m2 where i > (select min(i) from m2) group by i order by 1 desc limit 3
=> select i, min(u) from m2 where i in (3) or i is null group by i
=> select i, min(u), count(*) from m2 where i >= 3 group by i
=> select distinct i from m2 where i <> 3 order by 1
=> select i, max(u) from m2 where u >= 4 group by i
=> select distinct u from m2 order by 1
=> select u, min(dc), max(dc) from m2 group by u
=> select u, max(dc) from m2 group by u
=> select u, min(dc) from m2 group by u
=> select u, dc, min(cb) from m2 group by u, dc
=> select distinct u, dc from m2 order by 1, 2
=> select count(distinct u), count(distinct u, dc) from m2
=> select u, count(distinct dc) from m2 group by u
=> select u, min(dc) from m2 where u is not null group by u having min(dc) is not null
=> select u, max(dc) from m2 where u > (select min(u) from m2) group by u order by 1 desc limit 3
=> select u, min(dc) from m2 where u in (4) or u is null group by u
=> select u, min(dc), count(*) from m2 where u >= 4 group by u
=> select distinct u from m2 where u <> 4 order by 1
=> select u, max(dc) from m2 where dc >= 1.5 group by u
=> select distinct dc from m2 order by 1
=> select dc, min(db), max(db) from m2 group by dc
=> select dc, max(db) from m2 group by dc
=> select dc, min(db) from m2 group by dc
=> select dc, db, min(dt) from m2 group by dc, db
=> select distinct dc, db from m2 order by 1, 2
=> select count(distinct dc), count(distinct dc, db) from m2
=> select dc, count(distinct db) from m2 group by dc
=> select dc, min(db) from m2 where dc is not null group by dc having min(db) is not null
=> select dc, max(db) from m2 where dc > (select min(dc) from m2) group by dc order by 1 desc limit 3
=> select dc, min(db) from m2 where dc in (1.5) or dc is null group by dc
=> select dc, min(db), count(*) from m2 where dc >= 1.5 group by dc
=> select distinct dc from m2 where dc <> 1.5 order by 1
=> select dc, max(db) from m2 where db >= 0.5 group by dc
=> select distinct db from m2 order by 1
=> select db, min(v), max(v) from m2 group by db
=> select db, max(v) from m2 group by db
=> select db, min(v) from m2 group by db
=> select db, v, min(e) from m2 group by db, v
=> select distinct db, v from m2 order by 1, 2
=> select count(distinct db), count(distinct db, v) from m2
=> select db, count(distinct v) from m2 group by db
=> select db, min(v) from m2 where db is not null group by db having min(v) is not null
=> select db, max(v) from m2 where db > (select min(db) from m2) group by db order by 1 desc limit 3
=> select db, min(v) from m2 where db in (0.5) or db is null group by db
=> select db, min(v), count(*) from m2 where db >= 0.5 group by db
=> select distinct db from m2 where db <> 0.5 order by 1
=> select db, max(v) from m2 where v >= 'b1' group by db
=> select distinct v from m2 order by 1
=> select v, min(n), max(n) from m2 group by v
=> select v, max(n) from m2 group by v
=> select v, min(n) from m2 group by v
=> select v, n, min(y) from m2 group by v, n
=> select distinct v, n from m2 order by 1, 2
=> select count(distinct v), count(distinct v, n) from m2
=> select v, count(distinct n) from m2 group by v
=> select v, min(n) from m2 where v is not null group by v having min(n) is not null
=> select v, max(n) from m2 where v > (select min(v) from m2) group by v order by 1 desc limit 3
=> select v, min(n) from m2 where v in ('b1') or v is null group by v
=> select v, min(n), count(*) from m2 where v >= 'b1' group by v
=> select distinct v from m2 where v <> 'b1' order by 1
=> select v, max(n) from m2 where n >= 'zz' group by v
=> select distinct n from m2 order by 1
=> select n, min(cb), max(cb) from m2 group by n
=> select n, max(cb) from m2 group by n
=> select n, min(cb) from m2 group by n
=> select n, cb, hex(min(bt)) from m2 group by n, cb
=> select distinct n, cb from m2 order by 1, 2
=> select count(distinct n), count(distinct n, cb) from m2
=> select n, count(distinct cb) from m2 group by n
=> select n, min(cb) from m2 where n is not null group by n having min(cb) is not null
=> select n, max(cb) from m2 where n > (select min(n) from m2) group by n order by 1 desc limit 3
=> select n, min(cb) from m2 where n in ('zz') or n is null group by n
=> select n, min(cb), count(*) from m2 where n >= 'zz' group by n
=> select distinct n from m2 where n <> 'zz' order by 1
=> select n, max(cb) from m2 where cb >= 'qq' group by n
=> select distinct cb from m2 order by 1
=> select cb, min(dt), max(dt) from m2 group by cb
=> select cb, max(dt) from m2 group by cb
=> select cb, min(dt) from m2 group by cb
=> select cb, dt, min(vb) from m2 group by cb, dt
=> select distinct cb, dt from m2 order by 1, 2
=> select count(distinct cb), count(distinct cb, dt) from m2
=> select cb, count(distinct dt) from m2 group by cb
=> select cb, min(dt) from m2 where cb is not null group by cb having min(dt) is not null
=> select cb, max(dt) from m2 where cb > (select min(cb) from m2) group by cb order by 1 desc limit 3
=> select cb, min(dt) from m2 where cb in ('qq') or cb is null group by cb
=> select cb, min(dt), count(*) from m2 where cb >= 'qq' group by cb
=> select distinct cb from m2 where cb <> 'qq' order by 1
=> select cb, max(dt) from m2 where dt >= '2020-01-05' group by cb
=> select distinct dt from m2 order by 1
=> select dt, min(e), max(e) from m2 group by dt
=> select dt, max(e) from m2 group by dt
=> select dt, min(e) from m2 group by dt
=> select dt, e, min(i) from m2 group by dt, e
=> select distinct dt, e from m2 order by 1, 2
=> select count(distinct dt), count(distinct dt, e) from m2
=> select dt, count(distinct e) from m2 group by dt
=> select dt, min(e) from m2 where dt is not null group by dt having min(e) is not null
=> select dt, max(e) from m2 where dt > (select min(dt) from m2) group by dt order by 1 desc limit 3
=> select dt, min(e) from m2 where dt in ('2020-01-05') or dt is null group by dt
=> select dt, min(e), count(*) from m2 where dt >= '2020-01-05' group by dt
=> select distinct dt from m2 where dt <> '2020-01-05' order by 1
=> select dt, max(e) from m2 where e >= 'b' group by dt
=> select distinct e from m2 order by 1
=> select e, min(y), max(y) from m2 group by e
=> select e, max(y) from m2 group by e
=> select e, min(y) from m2 group by e
=> select e, y, min(u) from m2 group by e, y
=> select distinct e, y from m2 order by 1, 2
=> select count(distinct e), count(distinct e, y) from m2
=> select e, count(distinct y) from m2 group by e
=> select e, min(y) from m2 where e is not null group by e having min(y) is not null
=> select e, max(y) from m2 where e > (select min(e) from m2) group by e order by 1 desc limit 3
=> select e, min(y) from m2 where e in ('b') or e is null group by e
=> select e, min(y), count(*) from m2 where e >= 'b' group by e
=> select distinct e from m2 where e <> 'b' order by 1
=> select e, max(y) from m2 where y >= 2004 group by e
=> select distinct y from m2 order by 1
=> select y, hex(min(bt)), hex(max(bt)) from m2 group by y
=> select y, hex(max(bt)) from m2 group by y
=> select y, hex(min(bt)) from m2 group by y
=> select y, bt, min(dc) from m2 group by y, bt
=> select distinct y, bt from m2 order by 1, 2
=> select count(distinct y), count(distinct y, bt) from m2
=> select y, count(distinct bt) from m2 group by y
=> select y, hex(min(bt)) from m2 where y is not null group by y having hex(min(bt)) is not null
=> select y, hex(max(bt)) from m2 where y > (select min(y) from m2) group by y order by 1 desc limit 3
=> select y, hex(min(bt)) from m2 where y in (2004) or y is null group by y
=> select y, hex(min(bt)), count(*) from m2 where y >= 2004 group by y
=> select distinct y from m2 where y <> 2004 order by 1
=> select 1
=> select distinct bt from m2 order by 1
=> select bt, min(vb), max(vb) from m2 group by bt
=> select bt, max(vb) from m2 group by bt
=> select bt, min(vb) from m2 group by bt
=> select bt, vb, min(db) from m2 group by bt, vb
=> select distinct bt, vb from m2 order by 1, 2
=> select count(distinct bt), count(distinct bt, vb) from m2
=> select bt, count(distinct vb) from m2 group by bt
=> select bt, min(vb) from m2 where bt is not null group by bt having min(vb) is not null
=> select bt, max(vb) from m2 where bt > (select min(bt) from m2) group by bt order by 1 desc limit 3
=> select bt, min(vb) from m2 where bt in (b'101') or bt is null group by bt
=> select bt, min(vb), count(*) from m2 where bt >= b'101' group by bt
=> select distinct bt from m2 where bt <> b'101' order by 1
=> select bt, max(vb) from m2 where vb >= 'C' group by bt
=> select distinct vb from m2 order by 1
=> select vb, min(i), max(i) from m2 group by vb
=> select vb, max(i) from m2 group by vb
=> select vb, min(i) from m2 group by vb
=> select vb, i, min(v) from m2 group by vb, i
=> select distinct vb, i from m2 order by 1, 2
=> select count(distinct vb), count(distinct vb, i) from m2
=> select vb, count(distinct i) from m2 group by vb
=> select vb, min(i) from m2 where vb is not null group by vb having min(i) is not null
=> select vb, max(i) from m2 where vb > (select min(vb) from m2) group by vb order by 1 desc limit 3
=> select vb, min(i) from m2 where vb in ('C') or vb is null group by vb
=> select vb, min(i), count(*) from m2 where vb >= 'C' group by vb
=> select distinct vb from m2 where vb <> 'C' order by 1
=> select vb, max(i) from m2 where i >= 3 group by vb
=> delete from m2 where w % 3 = 1 or u = 5
=> select distinct u, dc from m2 order by 1, 2
=> select i, min(u), max(u) from m2 group by i
=> select o.u, (select count(distinct i) from m2) as n, (select max(u) from m2 q where q.i = o.u) as m from (select distinct u from m2) o order by 1
=> select i from m2 group by i union select u from m2 group by u
=> create table xm2 as select distinct i, u from m2
=> select count(*) from xm2
=> insert into xm2 select i, max(u) from m2 group by i
=> select count(*), sum(i), sum(u) from xm2
=> create table p (a int, b int, key(a,b)) partition by hash(a) partitions 3
=> insert into p select seq % 7, seq from seq_1_to_500
=> select a, min(b), max(b) from p group by a
=> create table z (a int, b int, key(a,b))
=> select distinct a from z
=> select a, min(b) from z group by a
=> select count(distinct a) from z
=> select max(b), min(a) from z
