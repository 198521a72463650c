=> create table m1 (id int not null auto_increment primary key, i int, u bigint unsigned, dc decimal(8,2), db double, v varchar(12) collate latin1_swedish_ci, cb char(6) collate latin1_bin, dt date, tm datetime, ti time, y year, e enum('a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r','s','t'), tx text, vb varbinary(8), w int not null, key k_i (i), key k_u (u), key k_dc (dc), key k_db (db), key k_v (v), key k_cb (cb), key k_dt (dt), key k_tm (tm), key k_ti (ti), key k_y (y), key k_e (e), key k_tx (tx(5)), key k_vb (vb)) engine=MyISAM
=> insert into m1 select null, if(((n+0)+0)%41=0,null,((n+0)*7)%97-10), if(((n+0)+3)%41=0,null,(((n+0)*9)%97)*7), if(((n+0)+5)%41=0,null,((n+0)*11)%97-10+(((n+0)*11)%97)/100), if(((n+0)+7)%41=0,null,((n+0)*3)%97-20+0.5), if(((n+0)+2)%41=0,null,concat(substr('aAbB',((n+0)*5)%4+1,1),((n+0)*5)%97)), if(((n+0)+4)%41=0,null,repeat(substr('xyz',((n+0)*7)%3+1,1),((n+0)*7)%6)), if(((n+0)+6)%41=0,null,date('2020-01-01') + interval ((n+0)*7)%97 day), if(((n+0)+8)%41=0,null,timestamp('2021-01-01') + interval ((n+0)*5)%97 hour), if(((n+0)+9)%41=0,null,sec_to_time(((n+0)*7)%97*60)), if(((n+0)+10)%41=0,null,1990+((n+0)*7)%97), if(((n+0)+11)%41=0,null,elt(((n+0)*5)%21+1,'a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r','s','t')), if(((n+0)+12)%41=0,null,concat('text',((n+0)*5)%97)), if(((n+0)+1)%41=0,null,concat(substr('cC',((n+0)*3)%2+1,1),((n+0)*5)%97)), n % 5 from (select cast(seq as signed) as n from seq_1_to_900) q order by n
=> create table m2 (id int not null auto_increment primary key, i int, u bigint unsigned, dc decimal(8,2), db double, v varchar(12) collate latin1_swedish_ci, cb char(6) collate latin1_bin, dt date, tm datetime, ti time, y year, e enum('a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r','s','t'), tx text, vb varbinary(8), w int not null, key k_iv (i, v), key k_ew (e, w), key k_wu (w, u)) engine=MyISAM
=> insert into m2 select * from m1
=> create table o (id int not null auto_increment primary key, i int, u bigint unsigned, dc decimal(8,2), db double, v varchar(12) collate latin1_swedish_ci, cb char(6) collate latin1_bin, dt date, tm datetime, ti time, y year, e enum('a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r','s','t'), tx text, vb varbinary(8), w int not null) engine=MyISAM
=> insert into o select null, if(((n+3)+0)%13=0,null,((n+3)*7)%97-10), if(((n+3)+3)%13=0,null,(((n+3)*9)%97)*7), if(((n+3)+5)%13=0,null,((n+3)*11)%97-10+(((n+3)*11)%97)/100), if(((n+3)+7)%13=0,null,((n+3)*3)%97-20+0.5), if(((n+3)+2)%13=0,null,concat(substr('aAbB',((n+3)*5)%4+1,1),((n+3)*5)%97)), if(((n+3)+4)%13=0,null,repeat(substr('xyz',((n+3)*7)%3+1,1),((n+3)*7)%6)), if(((n+3)+6)%13=0,null,date('2020-01-01') + interval ((n+3)*7)%97 day), if(((n+3)+8)%13=0,null,timestamp('2021-01-01') + interval ((n+3)*5)%97 hour), if(((n+3)+9)%13=0,null,sec_to_time(((n+3)*7)%97*60)), if(((n+3)+10)%13=0,null,1990+((n+3)*7)%97), if(((n+3)+11)%13=0,null,elt(((n+3)*5)%21+1,'a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q','r','s','t')), if(((n+3)+12)%13=0,null,concat('text',((n+3)*5)%97)), if(((n+3)+1)%13=0,null,concat(substr('cC',((n+3)*3)%2+1,1),((n+3)*5)%97)), n % 5 from (select cast(seq as signed) as n from seq_1_to_14) q order by n
=> insert into o (i, u, dc, db, v, cb, dt, tm, ti, y, e, tx, vb, w) values (100000, 18446744073709551615, 99999.99, 1e300, 'zzz', 'q', '1999-01-01', '1999-01-01', '100:00:00', 2100, 'a', 'text', 'x', 9)
=> analyze table m1, m2, o
=> set optimizer_switch = 'rowid_filter=off'
=> select id, i from m1 where i = 4 or i is null
=> select id, i from m1 where i is null or i = -3
=> select id, i from m1 where i <=> 4.5 or i is null
=> select id, i from m1 where i = '4' or i <=> null
=> select id, i from m1 where 1000 = i or i is null
=> select id, i from m1 where i in (null) or i is null
=> select count(*), min(id), max(w) from m1 where (i = 4 or i is null) and w <> 3
=> select id, w from m1 where i = 4 or i is null order by i desc, id limit 4
=> select id from m1 where i = 4 or (i is null and w > 2) order by id
=> select id, u from m1 where u = 7 or u is null
=> select id, u from m1 where u is null or u = 273
=> select id, u from m1 where u <=> -1 or u is null
=> select id, u from m1 where u = 18446744073709551615 or u <=> null
=> select count(*), min(id), max(w) from m1 where (u = 7 or u is null) and w <> 3
=> select id, w from m1 where u = 7 or u is null order by u desc, id limit 4
=> select id from m1 where u = 7 or (u is null and w > 2) order by id
=> select id, dc from m1 where dc = 5.15 or dc is null
=> select id, dc from m1 where dc is null or dc = -9.99
=> select id, dc from m1 where dc <=> 5 or dc is null
=> select id, dc from m1 where dc = 5.155 or dc <=> null
=> select id, dc from m1 where '5.15' = dc or dc is null
=> select count(*), min(id), max(w) from m1 where (dc = 5.15 or dc is null) and w <> 3
=> select id, w from m1 where dc = 5.15 or dc is null order by dc desc, id limit 4
=> select id from m1 where dc = 5.15 or (dc is null and w > 2) order by id
=> select id, db from m1 where db = 0.5 or db is null
=> select id, db from m1 where db is null or db = 3
=> select id, db from m1 where db <=> 7.5 or db is null
=> select count(*), min(id), max(w) from m1 where (db = 0.5 or db is null) and w <> 3
=> select id, w from m1 where db = 0.5 or db is null order by db desc, id limit 4
=> select id from m1 where db = 0.5 or (db is null and w > 2) order by id
=> select id, v from m1 where v = 'a5' or v is null
=> select id, v from m1 where v is null or v = 'A5 '
=> select id, v from m1 where v <=> 'zz' or v is null
=> select id, v from m1 where v = 5 or v <=> null
=> select count(*), min(id), max(w) from m1 where (v = 'a5' or v is null) and w <> 3
=> select id, w from m1 where v = 'a5' or v is null order by v desc, id limit 4
=> select id from m1 where v = 'a5' or (v is null and w > 2) order by id
=> select id, cb from m1 where cb = 'xx' or cb is null
=> select id, cb from m1 where cb is null or cb = ''
=> select id, cb from m1 where cb <=> 'XX' or cb is null
=> select count(*), min(id), max(w) from m1 where (cb = 'xx' or cb is null) and w <> 3
=> select id, w from m1 where cb = 'xx' or cb is null order by cb desc, id limit 4
=> select id from m1 where cb = 'xx' or (cb is null and w > 2) order by id
=> select id, dt from m1 where dt = '2020-01-05' or dt is null
=> select id, dt from m1 where dt is null or dt = '2020-01-05 10:00:00'
=> select id, dt from m1 where dt <=> '2031-01-01' or dt is null
=> select count(*), min(id), max(w) from m1 where (dt = '2020-01-05' or dt is null) and w <> 3
=> select id, w from m1 where dt = '2020-01-05' or dt is null order by dt desc, id limit 4
=> select id from m1 where dt = '2020-01-05' or (dt is null and w > 2) order by id
=> select id, tm from m1 where tm = '2021-01-01 05:00:00' or tm is null
=> select id, tm from m1 where tm is null or tm = '2021-01-01'
=> select count(*), min(id), max(w) from m1 where (tm = '2021-01-01 05:00:00' or tm is null) and w <> 3
=> select id, w from m1 where tm = '2021-01-01 05:00:00' or tm is null order by tm desc, id limit 4
=> select id from m1 where tm = '2021-01-01 05:00:00' or (tm is null and w > 2) order by id
=> select id, ti from m1 where ti = '00:05:00' or ti is null
=> select id, ti from m1 where ti is null or ti = '00:05:00.5'
=> select count(*), min(id), max(w) from m1 where (ti = '00:05:00' or ti is null) and w <> 3
=> select id, w from m1 where ti = '00:05:00' or ti is null order by ti desc, id limit 4
=> select id from m1 where ti = '00:05:00' or (ti is null and w > 2) order by id
=> select id, y from m1 where y = 1995 or y is null
=> select id, y from m1 where y is null or y = 95
=> select id, y from m1 where y <=> '1995' or y is null
=> select count(*), min(id), max(w) from m1 where (y = 1995 or y is null) and w <> 3
=> select id, w from m1 where y = 1995 or y is null order by y desc, id limit 4
=> select id from m1 where y = 1995 or (y is null and w > 2) order by id
=> select id, e from m1 where e = 'b' or e is null
=> select id, e from m1 where e is null or e = 'B'
=> select id, e from m1 where e <=> 'zz' or e is null
=> select count(*), min(id), max(w) from m1 where (e = 'b' or e is null) and w <> 3
=> select id, w from m1 where e = 'b' or e is null order by e desc, id limit 4
=> select id from m1 where e = 'b' or (e is null and w > 2) order by id
=> select id, tx from m1 where tx = 'text5' or tx is null
=> select id, tx from m1 where tx is null or tx = 'text15'
=> select id, tx from m1 where tx <=> 'TEXT5' or tx is null
=> select id, tx from m1 where tx = 'tex' or tx <=> null
=> select count(*), min(id), max(w) from m1 where (tx = 'text5' or tx is null) and w <> 3
=> select id, w from m1 where tx = 'text5' or tx is null order by tx desc, id limit 4
=> select id from m1 where tx = 'text5' or (tx is null and w > 2) order by id
=> select id, vb from m1 where vb = 'c5' or vb is null
=> select id, vb from m1 where vb is null or vb = 'C5'
=> select count(*), min(id), max(w) from m1 where (vb = 'c5' or vb is null) and w <> 3
=> select id, w from m1 where vb = 'c5' or vb is null order by vb desc, id limit 4
=> select id from m1 where vb = 'c5' or (vb is null and w > 2) order by id
=> select o.id, m1.id, m1.i from o straight_join m1 where m1.i = o.i or m1.i is null
=> explain select o.id, m1.id, m1.i from o straight_join m1 where m1.i = o.i or m1.i is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.i <=> o.i or m1.i is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.i = o.i or m1.i is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.i = o.i or m1.i is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.i = o.i or m1.i is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.u from o straight_join m1 where m1.u = o.u or m1.u is null
=> explain select o.id, m1.id, m1.u from o straight_join m1 where m1.u = o.u or m1.u is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.u <=> o.u or m1.u is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.u = o.u or m1.u is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.u = o.u or m1.u is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.u = o.u or m1.u is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.dc from o straight_join m1 where m1.dc = o.dc or m1.dc is null
=> explain select o.id, m1.id, m1.dc from o straight_join m1 where m1.dc = o.dc or m1.dc is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.dc <=> o.dc or m1.dc is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.dc = o.dc or m1.dc is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.dc = o.dc or m1.dc is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.dc = o.dc or m1.dc is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.db from o straight_join m1 where m1.db = o.db or m1.db is null
=> explain select o.id, m1.id, m1.db from o straight_join m1 where m1.db = o.db or m1.db is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.db <=> o.db or m1.db is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.db = o.db or m1.db is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.db = o.db or m1.db is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.db = o.db or m1.db is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.v from o straight_join m1 where m1.v = o.v or m1.v is null
=> explain select o.id, m1.id, m1.v from o straight_join m1 where m1.v = o.v or m1.v is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.v <=> o.v or m1.v is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.v = o.v or m1.v is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.v = o.v or m1.v is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.v = o.v or m1.v is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.cb from o straight_join m1 where m1.cb = o.cb or m1.cb is null
=> explain select o.id, m1.id, m1.cb from o straight_join m1 where m1.cb = o.cb or m1.cb is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.cb <=> o.cb or m1.cb is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.cb = o.cb or m1.cb is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.cb = o.cb or m1.cb is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.cb = o.cb or m1.cb is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.dt from o straight_join m1 where m1.dt = o.dt or m1.dt is null
=> explain select o.id, m1.id, m1.dt from o straight_join m1 where m1.dt = o.dt or m1.dt is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.dt <=> o.dt or m1.dt is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.dt = o.dt or m1.dt is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.dt = o.dt or m1.dt is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.dt = o.dt or m1.dt is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.tm from o straight_join m1 where m1.tm = o.tm or m1.tm is null
=> explain select o.id, m1.id, m1.tm from o straight_join m1 where m1.tm = o.tm or m1.tm is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.tm <=> o.tm or m1.tm is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.tm = o.tm or m1.tm is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.tm = o.tm or m1.tm is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.tm = o.tm or m1.tm is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.ti from o straight_join m1 where m1.ti = o.ti or m1.ti is null
=> explain select o.id, m1.id, m1.ti from o straight_join m1 where m1.ti = o.ti or m1.ti is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.ti <=> o.ti or m1.ti is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.ti = o.ti or m1.ti is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.ti = o.ti or m1.ti is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.ti = o.ti or m1.ti is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.y from o straight_join m1 where m1.y = o.y or m1.y is null
=> explain select o.id, m1.id, m1.y from o straight_join m1 where m1.y = o.y or m1.y is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.y <=> o.y or m1.y is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.y = o.y or m1.y is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.y = o.y or m1.y is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.y = o.y or m1.y is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.e from o straight_join m1 where m1.e = o.e or m1.e is null
=> explain select o.id, m1.id, m1.e from o straight_join m1 where m1.e = o.e or m1.e is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.e <=> o.e or m1.e is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.e = o.e or m1.e is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.e = o.e or m1.e is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.e = o.e or m1.e is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.tx from o straight_join m1 where m1.tx = o.tx or m1.tx is null
=> explain select o.id, m1.id, m1.tx from o straight_join m1 where m1.tx = o.tx or m1.tx is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.tx <=> o.tx or m1.tx is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.tx = o.tx or m1.tx is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.tx = o.tx or m1.tx is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.tx = o.tx or m1.tx is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id, m1.vb from o straight_join m1 where m1.vb = o.vb or m1.vb is null
=> explain select o.id, m1.id, m1.vb from o straight_join m1 where m1.vb = o.vb or m1.vb is null
=> select o.id, count(*), sum(m1.id) from o straight_join m1 on m1.vb <=> o.vb or m1.vb is null and m1.w <> 2 group by o.id
=> select o.id, m1.id from o left join m1 on (m1.vb = o.vb or m1.vb is null) and m1.w = o.w and m1.id < 300
=> select o.id, (select count(*) from m1 where m1.vb = o.vb or m1.vb is null) as n from o
=> select id from o where exists (select 1 from m1 where (m1.vb = o.vb or m1.vb is null) and m1.w = 4 and m1.id < 20)
=> select o.id, m1.id from o straight_join m1 where (m1.v = o.i or m1.v is null) and m1.id < 60 order by 1, 2
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.v or m1.i is null) and m1.id < 60
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.dc or m1.i is null) and m1.id < 200
=> select o.id, m1.id from o straight_join m1 where (m1.dc = o.i or m1.dc is null) and m1.id < 200
=> select o.id, m1.id from o straight_join m1 where (m1.u = o.i or m1.u is null) and m1.id < 200
=> select o.id, m1.id from o straight_join m1 where (m1.dt = o.tm or m1.dt is null) and m1.id < 200
=> select o.id, m1.id from o straight_join m1 where (m1.tm = o.dt or m1.tm is null) and m1.id < 200
=> select o.id, m1.id from o straight_join m1 where (m1.e = o.v or m1.e is null) and m1.id < 60
=> select o.id, m1.id from o straight_join m1 where (m1.cb = o.v or m1.cb is null) and m1.id < 60
=> select o.id, m1.id from o straight_join m1 where (m1.v = binary o.v or m1.v is null) and m1.id < 200
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i + 1 or m1.i is null)
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i or m1.i is null) and m1.i is not null
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i or m1.i is null) and (m1.i <=> null)
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i or m1.i is null) and m1.i > 0
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i or m1.i is null or m1.i = o.w) and m1.id < 100 order by 1, 2
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i or o.i is null) and m1.id < 100 order by 1, 2
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i and m1.w = 1) or (m1.i is null and m1.w = o.w)
=> select o.id, m1.id from o straight_join m1 where (m1.i = o.i and m1.w = 1) or (m1.i is null and m1.v is null)
=> select o.id, m1.id from o straight_join m1 where (m1.w = o.w or m1.w is null) and m1.id < 40 order by 1, 2
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.i = o.i and (m2.v = o.v or m2.v is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.i = o.i and (m2.v = o.v or m2.v is null)
=> select o.id, m2.id from o left join m2 on m2.i = o.i and (m2.v = o.v or m2.v is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.i = o.i and (m2.v = o.v or m2.v is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.i = o.i and (m2.v = 'a5' or m2.v is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.i = o.i and (m2.v = 'a5' or m2.v is null)
=> select o.id, m2.id from o left join m2 on m2.i = o.i and (m2.v = 'a5' or m2.v is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.i = o.i and (m2.v = 'a5' or m2.v is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where (m2.i = o.i or m2.i is null) and m2.v = 'a5'
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where (m2.i = o.i or m2.i is null) and m2.v = 'a5'
=> select o.id, m2.id from o left join m2 on (m2.i = o.i or m2.i is null) and m2.v = 'a5'
=> select o.id, max(m2.id), count(m2.id) from m2, o where (m2.i = o.i or m2.i is null) and m2.v = 'a5' group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where (m2.i = o.i or m2.i is null) and m2.v = o.v
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where (m2.i = o.i or m2.i is null) and m2.v = o.v
=> select o.id, m2.id from o left join m2 on (m2.i = o.i or m2.i is null) and m2.v = o.v
=> select o.id, max(m2.id), count(m2.id) from m2, o where (m2.i = o.i or m2.i is null) and m2.v = o.v group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where (m2.i = o.i or m2.i is null) and (m2.v = o.v or m2.v is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where (m2.i = o.i or m2.i is null) and (m2.v = o.v or m2.v is null)
=> select o.id, m2.id from o left join m2 on (m2.i = o.i or m2.i is null) and (m2.v = o.v or m2.v is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where (m2.i = o.i or m2.i is null) and (m2.v = o.v or m2.v is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.w = o.w and (m2.u = o.u or m2.u is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.w = o.w and (m2.u = o.u or m2.u is null)
=> select o.id, m2.id from o left join m2 on m2.w = o.w and (m2.u = o.u or m2.u is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.w = o.w and (m2.u = o.u or m2.u is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.w = 3 and (m2.u = o.u or m2.u is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.w = 3 and (m2.u = o.u or m2.u is null)
=> select o.id, m2.id from o left join m2 on m2.w = 3 and (m2.u = o.u or m2.u is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.w = 3 and (m2.u = o.u or m2.u is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.w = o.w and (m2.u <=> null or m2.u = 7)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.w = o.w and (m2.u <=> null or m2.u = 7)
=> select o.id, m2.id from o left join m2 on m2.w = o.w and (m2.u <=> null or m2.u = 7)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.w = o.w and (m2.u <=> null or m2.u = 7) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.i <=> o.i and (m2.v = o.v or m2.v is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.i <=> o.i and (m2.v = o.v or m2.v is null)
=> select o.id, m2.id from o left join m2 on m2.i <=> o.i and (m2.v = o.v or m2.v is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.i <=> o.i and (m2.v = o.v or m2.v is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where m2.i is null and (m2.v = o.v or m2.v is null)
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where m2.i is null and (m2.v = o.v or m2.v is null)
=> select o.id, m2.id from o left join m2 on m2.i is null and (m2.v = o.v or m2.v is null)
=> select o.id, max(m2.id), count(m2.id) from m2, o where m2.i is null and (m2.v = o.v or m2.v is null) group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where (m2.e = o.e or m2.e is null) and m2.w = o.w
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where (m2.e = o.e or m2.e is null) and m2.w = o.w
=> select o.id, m2.id from o left join m2 on (m2.e = o.e or m2.e is null) and m2.w = o.w
=> select o.id, max(m2.id), count(m2.id) from m2, o where (m2.e = o.e or m2.e is null) and m2.w = o.w group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where (m2.e = 'c' or m2.e is null) and m2.w = o.w
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where (m2.e = 'c' or m2.e is null) and m2.w = o.w
=> select o.id, m2.id from o left join m2 on (m2.e = 'c' or m2.e is null) and m2.w = o.w
=> select o.id, max(m2.id), count(m2.id) from m2, o where (m2.e = 'c' or m2.e is null) and m2.w = o.w group by o.id order by o.id
=> select o.id, m2.id, m2.i, m2.v, m2.u from o straight_join m2 where (m2.e = o.e or m2.e is null) and m2.w > 3
=> explain select o.id, m2.id, m2.i, m2.v, m2.u, m2.tx from o straight_join m2 where (m2.e = o.e or m2.e is null) and m2.w > 3
=> select o.id, m2.id from o left join m2 on (m2.e = o.e or m2.e is null) and m2.w > 3
=> select o.id, max(m2.id), count(m2.id) from m2, o where (m2.e = o.e or m2.e is null) and m2.w > 3 group by o.id order by o.id
=> select id, i, v, u, e, w from m2 where i = 4 and (v = 'a5' or v is null)
=> select v, count(*) from m2 where i = 4 and (v = 'a5' or v is null) group by v order by v
=> select id, i, v, u, e, w from m2 where (i = 4 or i is null) and v = 'a5'
=> select v, count(*) from m2 where (i = 4 or i is null) and v = 'a5' group by v order by v
=> select id, i, v, u, e, w from m2 where (i = 4 or i is null) and (v = 'a5' or v is null)
=> select v, count(*) from m2 where (i = 4 or i is null) and (v = 'a5' or v is null) group by v order by v
=> select id, i, v, u, e, w from m2 where (i = 4 or i is null) and v > 'b'
=> select v, count(*) from m2 where (i = 4 or i is null) and v > 'b' group by v order by v
=> select id, i, v, u, e, w from m2 where w = 2 and (u = 7 or u is null)
=> select v, count(*) from m2 where w = 2 and (u = 7 or u is null) group by v order by v
=> select id, i, v, u, e, w from m2 where (e = 'a' or e is null) and w = 3
=> select v, count(*) from m2 where (e = 'a' or e is null) and w = 3 group by v order by v
=> select id, i, v, u, e, w from m2 where (e = 'a' or e is null) and w = 3 and i = 5
=> select v, count(*) from m2 where (e = 'a' or e is null) and w = 3 and i = 5 group by v order by v
=> select id, i, v, u, e, w from m2 where i is null and (v = 'B7' or v is null)
=> select v, count(*) from m2 where i is null and (v = 'B7' or v is null) group by v order by v
=> select id from m1 use index (k_i) where i = 4 or i is null
=> select o.id, m1.id from o straight_join m1 use index (k_i) where m1.i = o.i or m1.i is null order by 1, 2
=> explain select o.id, m1.id, m1.tx from o straight_join m1 use index (k_i) where m1.i = o.i or m1.i is null
=> select id from m1 use index () where i = 4 or i is null
=> select o.id, m1.id from o straight_join m1 use index () where m1.i = o.i or m1.i is null order by 1, 2
=> explain select o.id, m1.id, m1.tx from o straight_join m1 use index () where m1.i = o.i or m1.i is null
=> select id from m1 use index for order by (k_i) where i = 4 or i is null
=> select o.id, m1.id from o straight_join m1 use index for order by (k_i) where m1.i = o.i or m1.i is null order by 1, 2
=> explain select o.id, m1.id, m1.tx from o straight_join m1 use index for order by (k_i) where m1.i = o.i or m1.i is null
=> prepare p from 'select id, i from m1 where i = ? or i is null'
=> set @a = 4
=> execute p using @a
=> set @a = null
=> execute p using @a
=> set @a = 4.5
=> execute p using @a
=> set @a = 'x'
=> execute p using @a
=> prepare p from 'select o.id, m1.id from o straight_join m1 where m1.i = o.i and o.id < ? or m1.i is null and m1.w = ?'
=> set @a = 5, @b = 2
=> execute p using @a, @b
=> set @a = null
=> execute p using @a, @b
=> prepare p from 'select o.id, m1.id from o straight_join m2 m1 where m1.w = o.w and (m1.u = ? or m1.u is null)'
=> set @a = 7
=> execute p using @a
=> set @a = null
=> execute p using @a
=> prepare p from 'select id, v from m1 where v = ? or v is null'
=> set @a = 'a5'
=> execute p using @a
=> set @a = null
=> execute p using @a
=> set @a = 5
=> execute p using @a
=> prepare p from 'select o.id, m1.id from o straight_join m1 where m1.v = o.v and o.id < ? or m1.v is null and m1.w = ?'
=> set @a = 5, @b = 2
=> execute p using @a, @b
=> set @a = null
=> execute p using @a, @b
=> prepare p from 'select o.id, m1.id from o straight_join m2 m1 where m1.w = o.w and (m1.u = ? or m1.u is null)'
=> set @a = 7
=> execute p using @a
=> set @a = null
=> execute p using @a
=> prepare p from 'select id, dt from m1 where dt = ? or dt is null'
=> set @a = '2020-01-05'
=> execute p using @a
=> set @a = null
=> execute p using @a
=> prepare p from 'select o.id, m1.id from o straight_join m1 where m1.dt = o.dt and o.id < ? or m1.dt is null and m1.w = ?'
=> set @a = 5, @b = 2
=> execute p using @a, @b
=> set @a = null
=> execute p using @a, @b
=> prepare p from 'select o.id, m1.id from o straight_join m2 m1 where m1.w = o.w and (m1.u = ? or m1.u is null)'
=> set @a = 7
=> execute p using @a
=> set @a = null
=> execute p using @a
=> prepare p from 'select id, e from m1 where e = ? or e is null'
=> set @a = 'b'
=> execute p using @a
=> set @a = null
=> execute p using @a
=> prepare p from 'select o.id, m1.id from o straight_join m1 where m1.e = o.e and o.id < ? or m1.e is null and m1.w = ?'
=> set @a = 5, @b = 2
=> execute p using @a, @b
=> set @a = null
=> execute p using @a, @b
=> prepare p from 'select o.id, m1.id from o straight_join m2 m1 where m1.w = o.w and (m1.u = ? or m1.u is null)'
=> set @a = 7
=> execute p using @a
=> set @a = null
=> execute p using @a
=> flush status
=> select id, i from m1 where i = 4 or i is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select o.id, m1.id from o straight_join m1 where m1.i = o.i or m1.i is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select i from m2 where (i = 4 or i is null) and v = 'a5'
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select o.id, m1.u from o straight_join m2 m1 where m1.w = o.w and (m1.u = 7 or m1.u is null)
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select o.id, m1.id from o straight_join m1 where (m1.v = o.v or m1.v is null) and m1.w = 3
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select o.id, m1.id from o left join m1 on m1.e = o.e or m1.e is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select id from m1 where i = 1000 or i is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select id from m1 where i = null or i is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> flush status
=> select id from m1 where i = 4.5 or i is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> create table n1 (a int, b int, key ab (a, b))
=> insert into n1 select seq % 20, seq from seq_1_to_200
=> analyze table n1
=> select o.id, n1.b from o straight_join n1 where n1.a = o.i or n1.a is null
=> explain select o.id, n1.b from o straight_join n1 where n1.a = o.i or n1.a is null
=> flush status
=> select o.id, n1.b from o straight_join n1 where n1.a = o.i or n1.a is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> select * from n1 where a = 3 or a is null
=> flush status
=> select * from n1 where a = 3 or a is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> select * from n1 where a = 3 and (b = 3 or b is null)
=> flush status
=> select * from n1 where a = 3 and (b = 3 or b is null)
=> show status where variable_name like 'handler_read%' and value <> 0
=> select n1.b from o left join n1 on n1.a = o.i or n1.a is null
=> explain select n1.b from o left join n1 on n1.a = o.i or n1.a is null
=> flush status
=> select n1.b from o left join n1 on n1.a = o.i or n1.a is null
=> show status where variable_name like 'handler_read%' and value <> 0
=> create table n2 like n1
=> insert into n2 select null, if(seq % 3, null, seq) from seq_1_to_30
=> select o.id, n2.b from o straight_join n2 where n2.a = o.i or n2.a is null
=> select o.id, n2.b from o straight_join n2 where n2.a <=> o.i or n2.a is null
=> select * from n2 where a is null and (b = 3 or b is null)
=> select * from n2 where a <=> null and (b = 3 or b is null)
=> create table n3 like n1
=> select o.id, n3.b from o left join n3 on n3.a = o.i or n3.a is null
=> select * from n3 where a = 1 or a is null
=> create table n4 (a int not null, b int not null, c int, key (a, b), key (c, a))
=> insert into n4 select seq % 10, seq % 7, if(seq % 6, seq % 9, null) from seq_1_to_100
=> select * from n4 where a = 3 or a is null
=> select * from n4 where a = 3 and (b = 3 or b is null)
=> select * from n4 where (c = 3 or c is null) and a = 2
=> select o.id, n4.c from o straight_join n4 where n4.a = o.i or n4.a is null
=> select o.id, n4.a from o straight_join n4 where (n4.c = o.i or n4.c is null) and n4.a = o.w
=> select o.id, x.id, y.id from o straight_join m1 x straight_join m1 y where (x.i = o.i or x.i is null) and x.w = 1 and x.id < 100 and (y.i = x.i or y.i is null) and y.w = 2 and y.id < 100
=> select o.id, x.id, y.id from o left join m1 x on (x.i = o.i or x.i is null) and x.id < 100 left join m1 y on (y.v = x.v or y.v is null) and y.id < 40 where y.id is null or y.w = 1
=> create view vm as select o.id, m1.id as m, m1.w from o join m1 on m1.i = o.i or m1.i is null
=> select * from vm where w = 1 order by id, m
=> select count(*), sum(m) from vm
=> select * from (select o.id, m1.id as m from o straight_join m1 where m1.dc = o.dc or m1.dc is null limit 70) q where m % 2
=> select id from m1 where i = 4 or i is null union select id from m1 where v = 'a5' or v is null
=> select sql_calc_found_rows id from m1 where i = 4 or i is null limit 3
=> select found_rows()
=> select distinct w from m1 where e = 'a' or e is null
=> select e, count(*), group_concat(id order by id) from m1 where e = 'a' or e is null group by e
=> select i, row_number() over (order by id desc) as r from m1 where i = 4 or i is null
=> create or replace table g (p int not null, a int, b varchar(9), key (a) using hash, key (b, a) using hash) engine=MEMORY
=> insert into g select seq, if(seq % 17, seq % 30, null), if(seq % 19, concat('v', seq % 11), null) from seq_1_to_300
=> select p from g where a = 4 or a is null
=> select o.id, g.p from o straight_join g where g.a = o.i or g.a is null
=> select o.id, g.p from o straight_join g where g.b = 'v3' and (g.a = o.i or g.a is null)
=> select o.id, g.p from o straight_join g where (g.b = o.v or g.b is null) and g.a = 4
=> select o.id, count(g.p), sum(g.p) from o left join g on g.a = o.i or g.a is null group by o.id
=> create or replace table g (p int not null, a int, b varchar(9), key (a) using btree, key (b, a) using btree) engine=MEMORY
=> insert into g select seq, if(seq % 17, seq % 30, null), if(seq % 19, concat('v', seq % 11), null) from seq_1_to_300
=> select p from g where a = 4 or a is null order by 1
=> select o.id, g.p from o straight_join g where g.a = o.i or g.a is null order by 1, 2
=> select o.id, g.p from o straight_join g where g.b = 'v3' and (g.a = o.i or g.a is null) order by 1, 2
=> select o.id, g.p from o straight_join g where (g.b = o.v or g.b is null) and g.a = 4 order by 1, 2
=> select o.id, count(g.p), sum(g.p) from o left join g on g.a = o.i or g.a is null group by o.id
=> create or replace table g (p int not null, a int, b varchar(9), key (a), key (b, a)) partition by hash (p) partitions 3 
=> insert into g select seq, if(seq % 17, seq % 30, null), if(seq % 19, concat('v', seq % 11), null) from seq_1_to_300
=> select p from g where a = 4 or a is null order by 1
=> select o.id, g.p from o straight_join g where g.a = o.i or g.a is null order by 1, 2
=> select o.id, g.p from o straight_join g where g.b = 'v3' and (g.a = o.i or g.a is null) order by 1, 2
=> select o.id, g.p from o straight_join g where (g.b = o.v or g.b is null) and g.a = 4 order by 1, 2
=> select o.id, count(g.p), sum(g.p) from o left join g on g.a = o.i or g.a is null group by o.id
=> create table c1 (p int, a int, key (a)) engine=MyISAM
=> create table c2 like c1
=> insert into c1 select seq, if(seq % 15, seq % 20, null) from seq_1_to_60
=> insert into c2 select seq, if(seq % 16, seq % 20, null) from seq_61_to_130
=> create table cm (p int, a int, key (a)) engine=MERGE union=(c1, c2)
=> select p from cm where a = 4 or a is null
=> select o.id, cm.p from o straight_join cm where cm.a = o.i or cm.a is null
=> create table d1 like m1
=> insert into d1 select * from m1
=> update d1 set w = w + 1 where i = 4 or i is null
=> update d1 set i = 4 where i = 4 or i is null order by id limit 9
=> select id, i from d1 where i = 4
=> update d1 set v = null where w = 3 and (u = 7 or u is null) order by id limit 2
=> select id from d1 where v is null
=> delete from d1 where e = 'a' or e is null order by id limit 7
=> select count(*), sum(id) from d1
=> update o, d1 set d1.w = o.w where d1.i = o.i or d1.i is null
=> select sum(w), count(*) from d1
=> update o straight_join d1 on d1.v = o.v or d1.v is null set d1.v = 'new', d1.w = o.id
=> select count(*), sum(w) from d1 where v = 'new'
=> delete d1 from o straight_join d1 where d1.dc = o.dc or d1.dc is null
=> select count(*), sum(id) from d1
=> delete from d1 where i = 4 or i is null
=> select count(*), sum(id) from d1
=> insert into d1 (i, w) select m1.i, o.id from o straight_join m1 where (m1.i = o.i or m1.i is null) and m1.w = 1
=> select count(*), sum(w), sum(i) from d1
