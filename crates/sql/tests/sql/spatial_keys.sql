# SPATIAL keys: definitions, every kind of change, searches, plans, CHECK and REPAIR.
create table k1 (g geometry not null, spatial key(g)) engine=memory;
create table k1 (a int, g geometry not null, spatial key(g)) engine=myisam partition by hash(a) partitions 2;
create table k1 (g geometry not null, a int, spatial key(g,a)) engine=myisam;
create table k1 (g geometry, spatial key(g)) engine=myisam;
create table k1 (g geometry not null, a int not null, spatial key(a)) engine=myisam;
create table k1 (g geometry not null, spatial key(g) comment 'x' key_block_size=4096) engine=myisam;
show create table k1;
create table k2 (id int auto_increment primary key, p point not null, g geometry not null, n varchar(20), spatial key(p), key(n), spatial key gk(g)) engine=myisam;
show create table k2;
show keys from k2;
create temporary table k3 (g geometry not null, spatial key(g)) engine=myisam;
insert into k3 values (point(1,1)),(point(2,2));
select astext(g) from k3 where mbrwithin(g, geomfromtext('polygon((0 0,0 1.5,1.5 1.5,1.5 0,0 0))'));
drop temporary table k3;
# every type of geometry
insert into k2(p,g,n) values (point(1,1), geomfromtext('point(1 1)'), 'point'),
 (point(2,2), geomfromtext('linestring(0 0,5 5,3 9)'), 'line'),
 (point(3,3), geomfromtext('polygon((0 0,0 3,3 3,3 0,0 0),(1 1,1 2,2 2,2 1,1 1))'), 'polygon'),
 (point(4,4), geomfromtext('multipoint(4 4,6 1)'), 'points'),
 (point(5,5), geomfromtext('multilinestring((5 5,6 6),(7 7,9 9))'), 'lines'),
 (point(6,6), geomfromtext('multipolygon(((6 6,6 8,8 8,8 6,6 6)),((1 1,1 2,2 2,1 1)))'), 'polygons'),
 (point(7,7), geomfromtext('geometrycollection(point(7 7),linestring(-3 -3,0 0))'), 'collection');
select n, astext(g) from k2 where mbrintersects(g, point(1,1)) order by id;
select n from k2 where mbrcontains(g, point(1,1)) order by id;
select n from k2 where mbrwithin(g, geomfromtext('polygon((-1 -1,-1 7,7 7,7 -1,-1 -1))')) order by id;
select n from k2 where mbrequals(g, geomfromtext('linestring(0 0,3 3)')) order by id;
select n from k2 where mbrdisjoint(g, geomfromtext('polygon((0 0,0 3,3 3,3 0,0 0))')) order by id;
select n from k2 where mbrwithin(p, geomfromtext('polygon((0 0,0 3.5,3.5 3.5,3.5 0,0 0))')) order by id;
# what is no geometry
insert into k2(p,g) values (point(1,1), '');
insert into k2(p,g) values (point(1,1), null);
insert into k2(p,g) values (point(1,1), 'abc');
insert into k2(p) values (point(1,1));
insert ignore into k2(p,g) values (point(1,1), null);
update k2 set g='' where id=2;
update k2 set g=null where id=2;
update ignore k2 set g=null where id=2;
replace into k2(id,p,g) values (1,point(1,1),'');
select id, n, astext(g) from k2 order by id;
# changes
update k2 set g=point(100,100) where n='line';
select n from k2 where mbrequals(g, point(100,100));
update k2 set g=linefromtext('linestring(-5 -5,-6 -6)') where mbrwithin(g, geomfromtext('polygon((99 99,99 101,101 101,101 99,99 99))'));
select n from k2 where mbrequals(g, point(100,100));
select n from k2 where mbrintersects(g, point(-5.5,-5.5));
replace into k2(id,p,g,n) values (2, point(20,20), point(21,21), 'replaced');
select n from k2 where mbrintersects(g, point(21,21)) and mbrequals(p, point(20,20));
delete from k2 where mbrcontains(g, point(7,7));
select id, n from k2 order by id;
insert into k2(id,p,g,n) values (2, point(0,0), point(0,0), 'x') on duplicate key update g=point(22,22);
select id, n from k2 where mbrequals(g, point(22,22));
check table k2 extended;
alter table k2 disable keys;
insert into k2(p,g,n) values (point(8,8), point(80,80), 'off');
select n from k2 where mbrequals(g, point(80,80));
alter table k2 enable keys;
check table k2 extended;
repair table k2;
optimize table k2;
analyze table k2;
check table k2 extended;
show keys from k2;
# many
create table many (id int primary key, g geometry not null, spatial key(g)) engine=myisam;
insert into many select seq, geomfromtext(concat('linestring(',seq*7919%1000,' ',seq*104729%997,',',seq*7919%1000+seq%5,' ',seq*104729%997+seq%7,')')) from seq_1_to_3000;
check table many extended;
select count(*), sum(id) from many where mbrwithin(g, geomfromtext('polygon((100 100,100 300,300 300,300 100,100 100))'));
select count(*), sum(id) from many ignore index(g) where mbrwithin(g, geomfromtext('polygon((100 100,100 300,300 300,300 100,100 100))'));
select count(*), sum(id) from many where mbrintersects(g, geomfromtext('polygon((100 100,100 300,300 300,300 100,100 100))'));
select count(*), sum(id) from many ignore index(g) where mbrintersects(g, geomfromtext('polygon((100 100,100 300,300 300,300 100,100 100))'));
select count(*), sum(id) from many where mbrcontains(g, point(500,500));
select count(*), sum(id) from many where mbrdisjoint(g, geomfromtext('polygon((10 10,10 990,990 990,990 10,10 10))'));
delete from many where id%3=0;
update many set g=point(id,id) where id%5=0;
check table many extended;
select count(*), sum(id) from many where mbrwithin(g, geomfromtext('polygon((100 100,100 300,300 300,300 100,100 100))'));
select count(*), sum(id) from many ignore index(g) where mbrwithin(g, geomfromtext('polygon((100 100,100 300,300 300,300 100,100 100))'));
select id from many where mbrequals(g, point(500,500));
delete from many where mbrintersects(g, geomfromtext('polygon((0 0,0 500,500 500,500 0,0 0))'));
select count(*), sum(id) from many;
check table many extended;
alter table many drop key g;
select count(*), sum(id) from many where mbrwithin(g, geomfromtext('polygon((500 500,500 700,700 700,700 500,500 500))'));
create spatial index gg on many(g);
show create table many;
select count(*), sum(id) from many where mbrwithin(g, geomfromtext('polygon((500 500,500 700,700 700,700 500,500 500))'));
alter table many add column x int, force;
check table many extended;
repair table many quick;
repair table many extended;
select count(*), sum(id) from many where mbrwithin(g, geomfromtext('polygon((500 500,500 700,700 700,700 500,500 500))'));
create table copied (id int, g geometry not null, spatial key(g)) engine=myisam select id, g from many;
select count(*), sum(id) from copied where mbrwithin(g, geomfromtext('polygon((500 500,500 700,700 700,700 500,500 500))'));
truncate table copied;
select count(*) from copied where mbrwithin(g, point(1,1));
# a value that the key cannot have
create table late (g geometry not null) engine=myisam;
insert into late values (point(1,1));
update ignore late set g=null;
alter table late add spatial key(g);
alter table late modify g geometry, add spatial key(g);
# plans
explain select id from many where mbrwithin(g, geomfromtext('polygon((500 500,500 510,510 510,510 500,500 500))'));
explain select id from many where mbrequals(point(501,501), g);
explain select id from many where mbrdisjoint(g, point(501,501));
explain select id from many ignore index(gg) where mbrequals(g, point(501,501));
explain delete from many where mbrequals(g, point(501,501));
explain update many set id=-1 where mbrequals(g, point(501,501));
prepare s from 'select id from many where mbrwithin(g, ?) order by id';
set @a=geomfromtext('polygon((500 500,500 520,520 520,520 500,500 500))'), @b=geomfromtext('polygon((600 600,600 630,630 630,630 600,600 600))');
execute s using @a;
execute s using @b;
set @a=null;
execute s using @a;
drop table k1, k2, many, copied, late;
