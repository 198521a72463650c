=> create table m1 (id int not null auto_increment primary key, i int, u bigint unsigned, dc decimal(8,2), db double, v varchar(12) collate latin1_swedish_ci, cb char(6) collate latin1_bin, dt date, tm datetime, y year, e enum('a','b','c','d'), tx text, w int, key k_i (i), key k_u (u), key k_dc (dc), key k_db (db), key k_v (v), key k_cb (cb), key k_dt (dt), key k_tm (tm), key k_e (e), key k_tx (tx(4)), key k_iv (i, v), key k_ve (v, e)) engine=MyISAM 
=> insert into m1 select null, if((n+0)%14=0,null,((n*7+0)%60)-20), if((n+3)%14=0,null,((n*9+11)%60)*7), if((n+6)%14=0,null,((n*11+22)%60)-10+((n*11+22)%60)/100), if((n+9)%14=0,null,((n*13+33)%60)-30+0.5), if((n+12)%14=0,null,concat(substr('aAbB',((n*15+44)%60)%4+1,1),(n*15+44)%60)), if((n+15)%14=0,null,repeat(substr('xyz',((n*17+55)%60)%3+1,1),((n*17+55)%60)%5)), if((n+18)%14=0,null,date('2020-01-01') + interval ((n*19+66)%60)%12 month + interval ((n*19+66)%60)%28 day), if((n+21)%14=0,null,timestamp('2021-01-01') + interval ((n*21+77)%60)%28 day + interval ((n*21+77)%60)%24 hour), if((n+24)%14=0,null,1990+((n*23+88)%60)%30), if((n+27)%14=0,null,substr('abcd',((n*25+99)%60)%4+1,1)), if((n+30)%14=0,null,concat('text',(n*27+110)%60)), n % 5 from (select cast(seq as signed) as n from seq_1_to_900) q order by n
=> delete from m1 where id % 11 = 3
=> select id, i, v from m1 where (u = 175 and v = 'A37') or (i <=> 15 or e = 'd')
=> select count(*), sum(w), min(id), max(v) from m1 where (u <=> 126 or tm in ('2021-01-08 07:00:00', '2021-01-08 07:00:00')) or (tm = '2021-01-25 04:00:00' and dc = 13.23) or i = 16 or tm between '2021-01-28 03:00:00' and '2021-01-28 03:00:00'
=> select id, i, v from m1 where dc in (-5.05, -5.05) or (dt = '2020-07-19' and v is null)
=> select id, w from m1 where e between 'c' and 'c' or (db is null or db <=> null) or (id between 435 and 435 and id in (195, 195)) or (dc <=> null and tm = '2021-01-18 17:00:00') order by w desc, id limit 5
=> select id, i, v from m1 where (v like 'B43%' or (e in ('d', 'd') or db = -30.5) or cb between 'yyyy' and 'yyyy') and w <> 4
=> select id, i, v from m1 where tx < 'text58' or (cb = 'xxx' and u between 49 and 49) or i = -20
=> select id, i, v from m1 where e = 'a' or (e is null and w = 3)
=> select id, i, v from m1 where (v in ('B47', 'B47') or tm = '2021-01-02 01:00:00') and w <> 4
=> select (select count(*) from m1 where (db = 11.5 or v = 'b58' or tm > '2021-01-28' or dc = 41.51) and w <> 4) as n
=> select w, count(*) from m1 where id in (15, 15) or e is null group by w order by w
=> select id, i, v from m1 where dc = -4.06 or dt = '2020-04-12'
=> select id from m1 where id in (select id from m1 where cb = '' or tx = 'text21') order by id
=> select id from m1 where id in (select id from m1 where (u = 70 and dt = '2020-04-24') or (e between 'c' and 'c' and id = 0)) order by id
=> select id from m1 where id in (select id from m1 where (dc in (-9.01, -9.01) and e in ('a', 'a')) or u between 21 and 21) order by id
=> select id, i, v from m1 where (dt = '2020-02-22' or e = 'a') or u is null or id = 300 or (tm = '2021-01-04 03:00:00' and i is null)
=> select w, count(*) from m1 where ((v = 'B39' and tm is null) or dc = 34.44 or tm = '2021-01-02 09:00:00') and w <> 3 group by w order by w
=> select id from m1 where id in (select id from m1 where (tx like 'tex%' and i = 37) or (tx between 'text42' and 'text42' and w = 3)) order by id
=> select id, w from m1 where ((u = 294 and tm between '2021-01-26 01:00:00' and '2021-01-26 01:00:00') or (tm is null or id between 360 and 360) or (dc = 46.56 or i in (-4, -4))) and w <> 1 order by w desc, id limit 5
=> select id, i, v from m1 where (cb in ('xxxx', 'xxxx') or (id = 765 or cb = 'xx')) and w <> 0
=> select count(*), sum(w), min(id), max(v) from m1 where ((tm in ('2021-01-27 02:00:00', '2021-01-27 02:00:00') or e = 'a') or tm = '2021-01-18 21:00:00') and w <> 1
=> select id from m1 where id in (select id from m1 where (tx = 'text19' and u between 119 and 119) or (db = -28.5 and dc is null)) order by id
=> select id, w from m1 where tm <=> null or v = 'a12' or (tx like 'tex%' or tm in ('2021-01-15 18:00:00', '2021-01-15 18:00:00')) order by w desc, id limit 5
=> select id, i, v from m1 where ((dt = '2020-12-12' and v > 'b6') or (db between -17.5 and -17.5 and i in (10, 10))) and w <> 4
=> select (select count(*) from m1 where (db = 22.5 and cb in ('y', 'y')) or (dc = -5.05 and w = 4)) as n
=> select count(*), sum(w), min(id), max(v) from m1 where ((db = 16.5 and w = 4) or tm = '2021-01-09 08:00:00') and w <> 4
=> select count(*), sum(w), min(id), max(v) from m1 where id = 30 or cb is null
=> select (select count(*) from m1 where db is null or tm > '2021-01-28' or (i in (34, 34) and w = 1)) as n
=> select (select count(*) from m1 where i in (10, 10) or tx = 'text12' or tx in ('text47', 'text47')) as n
=> select count(*), sum(w), min(id), max(v) from m1 where tx = 'text6' or tm is null
=> select id from m1 where id in (select id from m1 where ((i is null and tm in ('2021-01-01 04:00:00', '2021-01-01 04:00:00')) or (dc = -6.04 and v > 'b6')) and w <> 3) order by id
=> select w, count(*) from m1 where u is null or u between 182 and 182 group by w order by w
=> select id, i, v from m1 where cb = 'yy' or (db between -14.5 and -14.5 and e between 'a' and 'a')
=> select count(*), sum(w), min(id), max(v) from m1 where (i in (-17, -17) or db < 27) and w <> 3
=> select w, count(*) from m1 where (id <=> null or db = 1.5) and w <> 3 group by w order by w
=> select w, count(*) from m1 where db in (-14.5, -14.5) or (dt <=> '2020-12-08' and dc is null) group by w order by w
=> select count(*), sum(w), min(id), max(v) from m1 where (cb > 'zzz' and v between 'B15' and 'B15') or e = 'a' or (db between 6.5 and 6.5 or u = 301)
=> select id, i, v from m1 where (db = 27.5 or (cb = 'zzzz' or dt = '2020-04-16')) and w <> 1
=> select count(*), sum(w), min(id), max(v) from m1 where ((i = 15 and e = 'c') or db in (-22.5, -22.5) or i = -14) and w <> 2
=> select id, w from m1 where ((cb in ('', '') or id = 15) or (v like 'A45%' or v like 'B43%') or dc in (-10.00, -10.00) or dc = 21.31) and w <> 1 order by w desc, id limit 5
=> select count(*), sum(w), min(id), max(v) from m1 where i is null or dt = '2020-03-27'
=> select w, count(*) from m1 where e <=> 'b' or dt between '2020-10-02' and '2020-10-02' group by w order by w
=> select id from m1 where id in (select id from m1 where (u = 287 and cb between 'zzz' and 'zzz') or (dt = '2020-11-11' and v = 'b26')) order by id
=> select w, count(*) from m1 where (db <=> 22.5 and v is null) or (id = 435 or id = 240) group by w order by w
=> select id, w from m1 where (db = -9.5 and w = 2) or (db = -30.5 and dt is null) order by w desc, id limit 5
=> select id, i, v from m1 where ((dt is null and w = 2) or u = 266 or v = 'b50') and w <> 3
=> select count(*), sum(w), min(id), max(v) from m1 where dt < '2020-12-20' or (db = 9.5 and y = 2018)
=> select (select count(*) from m1 where tx = 'text48' or db in (6.5, 6.5) or (dc = 18.28 and db = 26.5) or cb = 'y') as n
=> select count(*), sum(w), min(id), max(v) from m1 where i is null or (dt between '2020-11-03' and '2020-11-03' and i = -17)
=> select id, i, v from m1 where v = 'a32' or tx = 'text0'
=> select id from m1 where id in (select id from m1 where ((v = 'A9' and e = 'c') or (v between 'b26' and 'b26' and dc is null)) and w <> 0) order by id
=> select w, count(*) from m1 where u > 400 or (e between 'a' and 'a' or cb = 'z') or v = 'A41' or id = 405 group by w order by w
=> select id, i, v from m1 where (u = 56 and cb between '' and '') or (u between 63 and 63 and i <=> null) or (dt = '2020-09-21' or e <=> 'd')
=> select id, i, v from m1 where (e = 'b' or dc <=> -8.02) and w <> 1
=> select id, i, v from m1 where (tx between 'text2' and 'text2' and tm in ('2021-01-27 06:00:00', '2021-01-27 06:00:00')) or db = 7.5 or (dt is null and dt = '2020-06-02') or e is null
=> select (select count(*) from m1 where (u between 35 and 35 or tm = '2021-01-06 05:00:00') or (tm <=> '2021-01-02 09:00:00' and e = 'c')) as n
=> select id, i, v from m1 where ((u = 301 and db between -20.5 and -20.5) or (db is null and dt in ('2020-02-14', '2020-02-14'))) and w <> 2
=> select (select count(*) from m1 where (u = 175 or (v like 'A57%' and w = 0)) and w <> 2) as n
=> select id from m1 where id in (select id from m1 where ((tm = '2021-01-10 13:00:00' and cb between 'zz' and 'zz') or v = 'a36' or dt = '2020-03-15' or db < 27) and w <> 2) order by id
=> select id, w from m1 where ((e in ('c', 'c') or i between 13 and 13) or tm <=> null or (e is null and dc = 35.45)) and w <> 1 order by w desc, id limit 5
=> select id, i, v from m1 where db = -30.5 or v is null or (tm <=> '2021-01-02 01:00:00' or dc = 0.10)
=> update m1 set w = w + 10 where id = 585 or dc <=> -1.09
=> select count(*), sum(w), sum(i), max(v) from m1
=> update m1 set i = i + 1, v = concat('q', w) where tm = '2021-01-11 14:00:00' or cb = 'yy'
=> select count(*), sum(w), sum(i), max(v) from m1
=> delete from m1 where tm = '2021-01-20 19:00:00' or db = 10.5 limit 7
=> select count(*), sum(w), sum(i), max(v) from m1
=> delete from m1 where (dt < '2020-12-20' or dt is null) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m1
=> update m1 set w = w + 10 where u = 98 or db = -16.5
=> select count(*), sum(w), sum(i), max(v) from m1
=> update m1 set i = i + 1, v = concat('q', w) where i in (1, 1) or id = 255
=> select count(*), sum(w), sum(i), max(v) from m1
=> delete from m1 where tx = 'text50' or db = 11.5 limit 7
=> select count(*), sum(w), sum(i), max(v) from m1
=> delete from m1 where (i < 37 or dc = 43.53) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m1
=> update m1 set w = w + 10 where u between 329 and 329 or dc <=> null
=> select count(*), sum(w), sum(i), max(v) from m1
=> update m1 set i = i + 1, v = concat('q', w) where e <=> null or dt = '2020-06-26'
=> select count(*), sum(w), sum(i), max(v) from m1
=> delete from m1 where id = 405 or e in ('a', 'a') limit 7
=> select count(*), sum(w), sum(i), max(v) from m1
=> delete from m1 where (dc = 15.25 or e = 'c') and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m1
=> select id, i, v, w from m1 order by id
=> create table m2 (id int not null auto_increment primary key, i int, u bigint unsigned, dc decimal(8,2), db double, v varchar(12) collate latin1_swedish_ci, cb char(6) collate latin1_bin, dt date, tm datetime, y year, e enum('a','b','c','d'), w int, key k_i (i), key k_u (u), key k_dc (dc), key k_db (db), key k_v (v), key k_cb (cb), key k_dt (dt), key k_tm (tm), key k_e (e), key k_iv (i, v), key k_ve (v, e)) engine=MyISAM row_format=fixed
=> insert into m2 select null, if((n+0)%14=0,null,((n*7+0)%60)-20), if((n+3)%14=0,null,((n*9+11)%60)*7), if((n+6)%14=0,null,((n*11+22)%60)-10+((n*11+22)%60)/100), if((n+9)%14=0,null,((n*13+33)%60)-30+0.5), if((n+12)%14=0,null,concat(substr('aAbB',((n*15+44)%60)%4+1,1),(n*15+44)%60)), if((n+15)%14=0,null,repeat(substr('xyz',((n*17+55)%60)%3+1,1),((n*17+55)%60)%5)), if((n+18)%14=0,null,date('2020-01-01') + interval ((n*19+66)%60)%12 month + interval ((n*19+66)%60)%28 day), if((n+21)%14=0,null,timestamp('2021-01-01') + interval ((n*21+77)%60)%28 day + interval ((n*21+77)%60)%24 hour), if((n+24)%14=0,null,1990+((n*23+88)%60)%30), if((n+27)%14=0,null,substr('abcd',((n*25+99)%60)%4+1,1)), n % 5 from (select cast(seq as signed) as n from seq_1_to_900) q order by n
=> delete from m2 where id % 11 = 3
=> select w, count(*) from m2 where ((id = 15 and w = 2) or (id = 15 and id = 660)) and w <> 4 group by w order by w
=> select id, w from m2 where tm = '2021-01-02 09:00:00' or (cb = 'x' and id = 810) order by w desc, id limit 5
=> select id, i, v from m2 where i = -12 or (db in (29.5, 29.5) or id between 675 and 675) or (cb like 'y%' or tm = '2021-01-22 01:00:00')
=> select id from m2 where id in (select id from m2 where e = 'b' or (cb > 'zzz' and dt = '2020-09-17') or (e > 'c' and dc = 21.31) or i = 11) order by id
=> select id, i, v from m2 where (cb = 'z' or cb = 'xx') and w <> 3
=> select id, w from m2 where (e = 'a' or u is null or u is null or dc between -2.08 and -2.08) and w <> 1 order by w desc, id limit 5
=> select count(*), sum(w), min(id), max(v) from m2 where e = 'b' or (e between 'b' and 'b' and dc = 6.16)
=> select id from m2 where id in (select id from m2 where u in (63, 63) or (cb like 'xxx%' or dc in (22.32, 22.32)) or (dt = '2020-02-02' and w = 0)) order by id
=> select id, i, v from m2 where e <=> 'd' or e = 'c' or (dt between '2020-04-28' and '2020-04-28' and w = 3) or (cb = '' and dt <=> '2020-02-02')
=> select count(*), sum(w), min(id), max(v) from m2 where (dt = '2020-11-03' and u = 315) or i is null or tm between '2021-01-02 01:00:00' and '2021-01-02 01:00:00'
=> select count(*), sum(w), min(id), max(v) from m2 where (cb = 'zz' or (i <=> null or e = 'a')) and w <> 3
=> select (select count(*) from m2 where (dt = '2020-02-14' and w = 1) or tm = '2021-01-19 22:00:00' or cb in ('zzzz', 'zzzz')) as n
=> select (select count(*) from m2 where dc <=> null or dt in ('2020-01-01', '2020-01-01')) as n
=> select id, w from m2 where (e = 'a' or (db <=> 24.5 and v = 'b50') or v = 'a40') and w <> 2 order by w desc, id limit 5
=> select id, i, v from m2 where i = 17 or (dt = '2020-11-23' and tm = '2021-01-11 10:00:00') or (tm in ('2021-01-23 02:00:00', '2021-01-23 02:00:00') and tm is null) or (i = 15 and u is null)
=> select id, i, v from m2 where dc = 21.31 or id between 150 and 150 or db is null
=> select w, count(*) from m2 where (v = 'a40' and v = 'B51') or (dt = '2020-01-21' and w = 1) group by w order by w
=> select id from m2 where id in (select id from m2 where (dt = '2020-02-22' or v in ('B27', 'B27')) and w <> 3) order by id
=> select id, i, v from m2 where tm > '2021-01-28' or v between 'a12' and 'a12'
=> select id, i, v from m2 where (db = -24.5 or id is null) or e = 'b'
=> select id from m2 where id in (select id from m2 where (i = -7 or u = 42 or i = 38 or db in (5.5, 5.5)) and w <> 0) order by id
=> select id, i, v from m2 where e = 'd' or (cb = 'zzz' or dt <=> '2020-02-22') or (i = 34 or dc = 45.55) or (u = 210 and dt = '2020-11-19')
=> select id, i, v from m2 where db = 10.5 or (id = 840 or cb in ('yyyy', 'yyyy'))
=> select w, count(*) from m2 where e between 'd' and 'd' or (dt = '2020-07-03' and w = 2) or u <=> null group by w order by w
=> select count(*), sum(w), min(id), max(v) from m2 where db between -27.5 and -27.5 or id = 795
=> select (select count(*) from m2 where cb like 'yyy%' or dt = '2020-07-19' or (u = 259 and e in ('b', 'b'))) as n
=> select id, i, v from m2 where (tm = '2021-01-06 05:00:00' or dc = 9.19) and w <> 2
=> select id from m2 where id in (select id from m2 where dt = '2020-11-07' or i <=> null or (dt = '2020-09-05' and u in (357, 357))) order by id
=> select id, i, v from m2 where u = 105 or i is null or (e between 'b' and 'b' and i = -18) or (dt = '2020-02-22' or db = 23.5)
=> select w, count(*) from m2 where ((i = -19 and dt = '2020-08-04') or (v = 'a36' or i < 37) or u = 161) and w <> 2 group by w order by w
=> select (select count(*) from m2 where ((tm is null or id = 90) or v = 'a48') and w <> 4) as n
=> select id, i, v from m2 where (dt between '2020-09-21' and '2020-09-21' and dt = '2020-01-25') or u = 406
=> select count(*), sum(w), min(id), max(v) from m2 where i between 39 and 39 or dt <=> '2020-07-07'
=> select id, i, v from m2 where (i between 20 and 20 and id is null) or (u = 196 and u in (7, 7)) or (db = -9.5 and dt is null)
=> select (select count(*) from m2 where (tm in ('2021-01-03 06:00:00', '2021-01-03 06:00:00') and w = 2) or (db = -15.5 and u in (21, 21))) as n
=> select id, i, v from m2 where v = 'a32' or (cb in ('yyy', 'yyy') or e = 'd') or u = 231 or i = 33
=> select id, i, v from m2 where (u = 273 or i > 37) and w <> 3
=> select w, count(*) from m2 where (v = 'a36' or v is null) or tm = '2021-01-05 04:00:00' group by w order by w
=> select id, i, v from m2 where ((i = -6 or u in (42, 42)) or (db = 5.5 and w = 1) or e is null) and w <> 0
=> select id, i, v from m2 where db is null or (db = -23.5 and w = 4)
=> select id, i, v from m2 where (cb like 'zzz%' or e > 'c') or (v like 'A21%' and cb between 'zzz' and 'zzz') or tm between '2021-01-04 03:00:00' and '2021-01-04 03:00:00' or (i = 13 or i <=> 0)
=> select id, i, v from m2 where u <=> null or id in (30, 30)
=> select count(*), sum(w), min(id), max(v) from m2 where i = -4 or id = 270 or (i = -17 and u = 196) or (db <=> null and w = 4)
=> select id, w from m2 where dc between 25.35 and 25.35 or (v = 'b14' or tm <=> null) or (id between 885 and 885 and w = 2) order by w desc, id limit 5
=> select id, i, v from m2 where (db = -27.5 and v = 'a28') or dt = '2020-11-23'
=> select id from m2 where id in (select id from m2 where (v between 'b42' and 'b42' and e in ('c', 'c')) or (tm is null and y = 2018) or i <=> -20) order by id
=> select id from m2 where id in (select id from m2 where e = 'c' or (dt is null or db > 27)) order by id
=> select w, count(*) from m2 where dc between -5.05 and -5.05 or dc = 10.20 or (id = 15 and w = 2) or db <=> null group by w order by w
=> select w, count(*) from m2 where ((v like 'a32%' or tm = '2021-01-04 11:00:00') or dc is null or (e = 'b' and v in ('a4', 'a4'))) and w <> 2 group by w order by w
=> select id, w from m2 where cb = '' or (e = 'c' or v = 'a36') or cb = '' or (id = 630 or dc is null) order by w desc, id limit 5
=> select id, i, v from m2 where (tm = '2021-01-10 09:00:00' or (u > 400 and w = 3) or e = 'd' or e = 'a') and w <> 2
=> select count(*), sum(w), min(id), max(v) from m2 where i = 2 or id <=> 210 or (dc = 4.14 and u = 140) or dt <=> null
=> select id, i, v from m2 where e <=> null or (id = 750 and cb = 'z') or db < 27
=> select id, i, v from m2 where (cb between 'yy' and 'yy' or (dt between '2020-07-19' and '2020-07-19' and y between 1991 and 1991)) and w <> 1
=> select count(*), sum(w), min(id), max(v) from m2 where db = 4.5 or dc between 0.10 and 0.10
=> select id, i, v from m2 where (dt = '2020-09-05' and u in (315, 315)) or dt between '2020-02-10' and '2020-02-10'
=> select count(*), sum(w), min(id), max(v) from m2 where (tm = '2021-01-06 05:00:00' or id = 630) and w <> 1
=> select id, i, v from m2 where (dc = 32.42 and w = 4) or (dc in (-6.04, -6.04) and cb between 'xxx' and 'xxx')
=> select w, count(*) from m2 where u between 7 and 7 or (v like 'A57%' and w = 3) group by w order by w
=> select id, w from m2 where (u = 126 and dc = 35.45) or e <=> 'c' order by w desc, id limit 5
=> update m2 set w = w + 10 where u = 252 or e < 'c'
=> select count(*), sum(w), sum(i), max(v) from m2
=> update m2 set i = i + 1, v = concat('q', w) where e = 'c' or i in (33, 33)
=> select count(*), sum(w), sum(i), max(v) from m2
=> delete from m2 where id = 840 or dc = 33.43 limit 7
=> select count(*), sum(w), sum(i), max(v) from m2
=> delete from m2 where (id between 750 and 750 or dc between 39.49 and 39.49) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m2
=> update m2 set w = w + 10 where i <=> 6 or db = 3.5
=> select count(*), sum(w), sum(i), max(v) from m2
=> update m2 set i = i + 1, v = concat('q', w) where v is null or v = 'a44'
=> select count(*), sum(w), sum(i), max(v) from m2
=> delete from m2 where dt = '2020-09-05' or dc = 17.27 limit 7
=> select count(*), sum(w), sum(i), max(v) from m2
=> delete from m2 where (u = 217 or id > 880) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m2
=> update m2 set w = w + 10 where dc in (24.34, 24.34) or dc = -7.03
=> select count(*), sum(w), sum(i), max(v) from m2
=> update m2 set i = i + 1, v = concat('q', w) where v like 'b22%' or i in (-8, -8)
=> select count(*), sum(w), sum(i), max(v) from m2
=> delete from m2 where u is null or dt = '2020-04-16' limit 7
=> select count(*), sum(w), sum(i), max(v) from m2
=> delete from m2 where (id is null or u between 413 and 413) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m2
=> select id, i, v, w from m2 order by id
=> create table m3 (id int not null auto_increment primary key, i int, u bigint unsigned, dc decimal(8,2), db double, v varchar(12) collate latin1_swedish_ci, cb char(6) collate latin1_bin, dt date, tm datetime, y year, e enum('a','b','c','d'), w int, key k_i (i) using btree, key k_u (u) using btree, key k_dc (dc) using btree, key k_db (db) using btree, key k_v (v) using btree, key k_cb (cb) using btree, key k_dt (dt) using btree, key k_tm (tm) using btree, key k_e (e) using btree, key k_iv (i, v) using btree, key k_ve (v, e) using btree) engine=MEMORY 
=> insert into m3 select null, if((n+0)%14=0,null,((n*7+0)%60)-20), if((n+3)%14=0,null,((n*9+11)%60)*7), if((n+6)%14=0,null,((n*11+22)%60)-10+((n*11+22)%60)/100), if((n+9)%14=0,null,((n*13+33)%60)-30+0.5), if((n+12)%14=0,null,concat(substr('aAbB',((n*15+44)%60)%4+1,1),(n*15+44)%60)), if((n+15)%14=0,null,repeat(substr('xyz',((n*17+55)%60)%3+1,1),((n*17+55)%60)%5)), if((n+18)%14=0,null,date('2020-01-01') + interval ((n*19+66)%60)%12 month + interval ((n*19+66)%60)%28 day), if((n+21)%14=0,null,timestamp('2021-01-01') + interval ((n*21+77)%60)%28 day + interval ((n*21+77)%60)%24 hour), if((n+24)%14=0,null,1990+((n*23+88)%60)%30), if((n+27)%14=0,null,substr('abcd',((n*25+99)%60)%4+1,1)), n % 5 from (select cast(seq as signed) as n from seq_1_to_900) q order by n
=> delete from m3 where id % 11 = 3
=> select id from m3 where id in (select id from m3 where u = 392 or i <=> 15) order by id
=> select (select count(*) from m3 where (i in (24, 24) and id in (45, 45)) or i in (24, 24)) as n
=> select id, i, v from m3 where (dt is null or i between 27 and 27) or e = 'a' or dt < '2020-12-20' or (id <=> 15 or db = -7.5) order by id
=> select id, w from m3 where db between 17.5 and 17.5 or v = 'a20' order by w desc, id limit 5
=> select id, i, v from m3 where id = 30 or cb = 'xx' order by id
=> select id, i, v from m3 where (e = 'b' and u <=> 196) or (id <=> null or i = 8) order by id
=> select id from m3 where id in (select id from m3 where cb = 'xxx' or v = 'a36') order by id
=> select id, i, v from m3 where (v in ('b38', 'b38') or e <=> null) or (dt = '2020-07-15' and y = 1991) or (dt = '2020-09-17' and tm <=> null) or (e <=> null and dc = 25.35) order by id
=> select (select count(*) from m3 where tm in ('2021-01-15 18:00:00', '2021-01-15 18:00:00') or (dt = '2020-03-15' and e = 'a')) as n
=> select (select count(*) from m3 where (tm = '2021-01-08 11:00:00' or tm is null) and w <> 1) as n
=> select w, count(*) from m3 where (id = 0 or dt = '2020-08-20') or u = 189 group by w order by w
=> select id, i, v from m3 where v between 'B47' and 'B47' or (e = 'c' or v between 'B35' and 'B35') order by id
=> select id, w from m3 where (dc between 6.16 and 6.16 and e = 'a') or dt = '2020-08-08' order by w desc, id limit 5
=> select (select count(*) from m3 where u in (259, 259) or (db = -2.5 and w = 3) or (id = 765 and y <=> null)) as n
=> select count(*), sum(w), min(id), max(v) from m3 where dc < 47 or (u = 259 and w = 3) or dt between '2020-01-25' and '2020-01-25'
=> select id, i, v from m3 where dc = 19.29 or (u <=> null and w = 2) order by id
=> select id, i, v from m3 where tm = '2021-01-02 09:00:00' or e = 'a' order by id
=> select (select count(*) from m3 where db between 18.5 and 18.5 or dc = 12.22) as n
=> select (select count(*) from m3 where v = 'A57' or (u = 56 and w = 3) or cb in ('x', 'x') or (dc = 27.37 or e in ('d', 'd'))) as n
=> select count(*), sum(w), min(id), max(v) from m3 where cb = 'y' or u in (119, 119)
=> select id, w from m3 where ((dc <=> null and tm = '2021-01-14 17:00:00') or (id = 120 and w = 4)) and w <> 1 order by w desc, id limit 5
=> select (select count(*) from m3 where id between 600 and 600 or v = 'B55' or v = 'B11' or i between 20 and 20) as n
=> select id, w from m3 where (id between 885 and 885 or (v between 'B27' and 'B27' or tm < '2021-01-28')) and w <> 4 order by w desc, id limit 5
=> select id from m3 where id in (select id from m3 where id in (735, 735) or dt in ('2020-12-08', '2020-12-08') or (db in (-22.5, -22.5) and y between 2011 and 2011)) order by id
=> select id, i, v from m3 where (id = 585 and dc = 25.35) or e = 'd' order by id
=> select count(*), sum(w), min(id), max(v) from m3 where id = 330 or dc between 30.40 and 30.40 or (dc = 10.20 and w = 0) or (cb between 'yyy' and 'yyy' and cb like 'yyy%')
=> select count(*), sum(w), min(id), max(v) from m3 where (db in (-29.5, -29.5) or v between 'A13' and 'A13') and w <> 3
=> select w, count(*) from m3 where u in (210, 210) or db = -12.5 or dc between 0.10 and 0.10 or dt = '2020-02-14' group by w order by w
=> select id, i, v from m3 where (dt <=> '2020-12-12' or (id = 765 and w = 1)) and w <> 2 order by id
=> select id, i, v from m3 where dt <=> '2020-08-16' or (dc = 2.12 or id = 120) order by id
=> select id, i, v from m3 where ((id between 855 and 855 and dt > '2020-12-20') or (tm = '2021-01-10 09:00:00' and dt = '2020-11-03')) and w <> 1 order by id
=> select id from m3 where id in (select id from m3 where (u in (0, 0) and w = 1) or (cb = '' and id is null)) order by id
=> select count(*), sum(w), min(id), max(v) from m3 where cb between 'xx' and 'xx' or u <=> null
=> select count(*), sum(w), min(id), max(v) from m3 where tm in ('2021-01-04 11:00:00', '2021-01-04 11:00:00') or (e = 'c' or id < 880) or tm between '2021-01-15 18:00:00' and '2021-01-15 18:00:00' or dt is null
=> select count(*), sum(w), min(id), max(v) from m3 where v = 'A45' or (e between 'c' and 'c' and w = 1) or db is null
=> select id from m3 where id in (select id from m3 where i > 37 or (dc = 33.43 and u = 280)) order by id
=> select id, i, v from m3 where cb in ('xxxx', 'xxxx') or (cb is null or i is null) order by id
=> select w, count(*) from m3 where u = 0 or dc between 29.39 and 29.39 or (db < 27 and tm between '2021-01-18 17:00:00' and '2021-01-18 17:00:00') or (db is null and i = -8) group by w order by w
=> select count(*), sum(w), min(id), max(v) from m3 where (dt between '2020-01-25' and '2020-01-25' and w = 3) or e in ('d', 'd')
=> select w, count(*) from m3 where ((dt <=> null or dt = '2020-12-04') or i is null or (cb is null and cb = 'y') or id = 630) and w <> 2 group by w order by w
=> select id, i, v from m3 where (dc is null or id = 780) or v = 'b30' or e <=> 'a' order by id
=> select id from m3 where id in (select id from m3 where (tm < '2021-01-28' or db <=> null) and w <> 3) order by id
=> select (select count(*) from m3 where (db = -11.5 and y is null) or e between 'b' and 'b' or (i between 6 and 6 or id = 255) or dt = '2020-07-19') as n
=> select id, i, v from m3 where ((dt = '2020-02-14' and y = 1997) or (i is null and w = 4) or u = 217) and w <> 1 order by id
=> select id from m3 where id in (select id from m3 where dc = 23.33 or i <=> -17) order by id
=> select id, w from m3 where (id = 885 and w = 2) or e between 'd' and 'd' order by w desc, id limit 5
=> select id, i, v from m3 where (tm = '2021-01-26 05:00:00' and w = 1) or id <=> 300 order by id
=> select id, i, v from m3 where (dt = '2020-10-10' or (i between -18 and -18 and w = 4)) and w <> 2 order by id
=> select id, w from m3 where (i is null and e = 'c') or dt = '2020-06-18' or e = 'c' order by w desc, id limit 5
=> select (select count(*) from m3 where (u between 147 and 147 or v = 'B11') and w <> 4) as n
=> select w, count(*) from m3 where tm = '2021-01-08 07:00:00' or id = 30 group by w order by w
=> select id, i, v from m3 where v = 'b46' or i = 1 order by id
=> select count(*), sum(w), min(id), max(v) from m3 where (i = -14 and tm = '2021-01-07 10:00:00') or dc < 47
=> select id, i, v from m3 where (id = 465 or dc = -5.05) or u in (371, 371) order by id
=> select (select count(*) from m3 where (dc between -6.04 and -6.04 or i = -18) or e = 'b') as n
=> select (select count(*) from m3 where u between 0 and 0 or cb = 'zz' or (tm = '2021-01-16 19:00:00' and u = 91) or v = 'A45') as n
=> select id, i, v from m3 where v = 'b58' or dc = 45.55 or i between 21 and 21 or (dt is null and w = 2) order by id
=> select w, count(*) from m3 where (cb > 'zzz' and w = 2) or dc = 5.15 or dt = '2020-01-09' group by w order by w
=> select id from m3 where id in (select id from m3 where (cb = '' or (dt = '2020-03-11' or i is null) or cb in ('z', 'z')) and w <> 2) order by id
=> select id from m3 where id in (select id from m3 where (e in ('c', 'c') or u is null or (u in (168, 168) or v between 'A9' and 'A9')) and w <> 2) order by id
=> update m3 set w = w + 10 where db between 1.5 and 1.5 or tm = '2021-01-23 02:00:00'
=> select count(*), sum(w), sum(i), max(v) from m3
=> update m3 set i = i + 1, v = concat('q', w) where u > 400 or i is null
=> select count(*), sum(w), sum(i), max(v) from m3
=> delete from m3 where e in ('d', 'd') or v = 'B43' order by id limit 7
=> select count(*), sum(w), sum(i), max(v) from m3
=> delete from m3 where (tm = '2021-01-20 23:00:00' or u in (413, 413)) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m3
=> update m3 set w = w + 10 where cb = 'yyyy' or dt in ('2020-06-18', '2020-06-18')
=> select count(*), sum(w), sum(i), max(v) from m3
=> select count(*), sum(w), sum(i), max(v) from m3
=> delete from m3 where dt between '2020-08-04' and '2020-08-04' or id = 45 order by id limit 7
=> select count(*), sum(w), sum(i), max(v) from m3
=> delete from m3 where (tm is null or db = 18.5) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m3
=> update m3 set w = w + 10 where e is null or id is null
=> select count(*), sum(w), sum(i), max(v) from m3
=> update m3 set i = i + 1, v = concat('q', w) where u in (0, 0) or u < 400
=> select count(*), sum(w), sum(i), max(v) from m3
=> delete from m3 where u in (329, 329) or dc < 47 order by id limit 7
=> select count(*), sum(w), sum(i), max(v) from m3
=> delete from m3 where (i <=> null or v in ('a44', 'a44')) and id % 3 = 0
=> select count(*), sum(w), sum(i), max(v) from m3
=> select id, i, v, w from m3 order by id
=> create table p (a int, b int, w int, key(a), key(b)) partition by hash(w) partitions 3
=> insert into p select seq % 50, seq % 70, seq from seq_1_to_700
=> select w from p where a = 3 or b = 4 order by w
=> create table g1 (a int, b int, w int, key(a), key(b))
=> create table g2 like g1
=> create table g (a int, b int, w int, key(a), key(b)) engine=merge union=(g1,g2)
=> insert into g1 select seq % 50, seq % 70, seq from seq_1_to_300
=> insert into g2 select seq % 50, seq % 70, seq from seq_1_to_300
=> select w from g where a = 3 or b = 4 order by w
=> create table o1 (a int, b int)
=> insert into o1 values (1,2),(3,4),(5,6),(null,7)
=> select o1.a, (select count(*) from m1 where m1.i = o1.a or m1.u = o1.b * 7) as n from o1 order by 1
=> select o1.a, o1.b, m1.id from o1 left join m1 on (m1.i = 3 or m1.u = 21) and m1.w = o1.a order by 1,2,3
=> prepare s from 'select id from m1 where i = ? or u > ?'
=> set @a = 3, @b = 400
=> execute s using @a, @b
=> set @a = 4, @b = 0
=> execute s using @a, @b
=> set @a = null, @b = 410
=> execute s using @a, @b
=> set optimizer_switch = 'index_merge=off'
=> select id from m1 where i = 3 or u = 21
=> set optimizer_switch = default
