# Relations of shapes, each with each. For touching, lines whose ends meet and rings are left out: MariaDB takes those ends for edges.
create table shapes (n int primary key, g geometry not null) engine=myisam;
insert into shapes values (0,geomfromtext('point(1 1)')),(1,geomfromtext('point(2 2)')),(2,geomfromtext('point(0 0)')),(3,geomfromtext('linestring(0 0,4 4)')),(4,geomfromtext('linestring(0 4,4 0)')),(5,geomfromtext('linestring(0 0,4 0)')),(6,geomfromtext('linestring(2 0,6 0)')),(7,geomfromtext('linestring(1 1,2 2)')),(8,geomfromtext('linestring(0 0,4 0,4 4,0 4,0 0)')),(9,geomfromtext('linestring(5 5,6 6)')),(10,geomfromtext('polygon((0 0,0 4,4 4,4 0,0 0))')),(11,geomfromtext('polygon((4 0,4 4,8 4,8 0,4 0))')),(12,geomfromtext('polygon((2 2,2 6,6 6,6 2,2 2))')),(13,geomfromtext('polygon((1 1,1 3,3 3,3 1,1 1))')),(14,geomfromtext('polygon((0 0,0 9,9 9,9 0,0 0),(1 1,1 8,8 8,8 1,1 1))')),(15,geomfromtext('polygon((4 4,4 5,5 5,5 4,4 4))')),(16,geomfromtext('multipoint(0 0,2 2)')),(17,geomfromtext('multipoint(1 1,9 9)')),(18,geomfromtext('multipoint(2 2,3 3)')),(19,geomfromtext('multilinestring((0 0,2 2),(2 2,4 4))')),(20,geomfromtext('multilinestring((0 4,4 0),(10 10,11 11))')),(21,geomfromtext('multipolygon(((0 0,0 2,2 2,2 0,0 0)),((3 3,3 5,5 5,5 3,3 3)))')),(22,geomfromtext('multipolygon(((20 20,20 22,22 22,22 20,20 20)))')),(23,geomfromtext('geometrycollection(point(1 1),linestring(0 0,4 4))')),(24,geomfromtext('geometrycollection(polygon((0 0,0 4,4 4,4 0,0 0)))'));
select a.n, group_concat(ifnull(st_contains(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(st_within(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(st_intersects(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(st_disjoint(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(st_touches(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b where a.n not in (8,16,19) and b.n not in (8,16,19) group by a.n;
select a.n, group_concat(ifnull(st_crosses(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(st_overlaps(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(st_equals(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(round(st_distance(a.g,b.g),9),'x') order by b.n separator ' ') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(mbroverlaps(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b group by a.n;
select a.n, group_concat(ifnull(mbrtouches(a.g,b.g),'x') order by b.n separator '') from shapes a, shapes b where a.n not in (8,16,19) and b.n not in (8,16,19) group by a.n;
select contains(point(1,1),null), st_distance(point(1,1),null), st_contains(point(1,1),geomfromtext('geometrycollection empty')), st_disjoint(geomfromtext('geometrycollection empty'),point(1,1)), st_distance(geomfromtext('geometrycollection empty'),point(1,1));
select st_relate(point(1,1),point(2,2),'T'), st_relate(point(1,1),point(2,2),'T*******X'), st_relate(point(1,1),point(2,2),'F********'), st_relate(point(1,1),point(2,2),null), st_relate(point(1,1),point(2,2),'t********'), st_relate(point(1,1),point(1,1),'2********');
select within(point(1,1),geomfromtext('polygon((0 0,0 2,2 2,2 0,0 0))')), touches(point(0,1),geomfromtext('polygon((0 0,0 2,2 2,2 0,0 0))')), crosses(geomfromtext('linestring(0 0,3 3)'),geomfromtext('polygon((0 0,0 2,2 2,2 0,0 0))')), overlaps(point(1,1),point(1,1));
select st_contains(point(1,1),1);
select st_relate(1,point(1,1),'T********');
# by key and without
alter table shapes add spatial key(g);
select group_concat(n order by n) from shapes where st_within(g, geomfromtext('polygon((0 0,0 4,4 4,4 0,0 0))'));
select group_concat(n order by n) from shapes ignore index(g) where st_within(g, geomfromtext('polygon((0 0,0 4,4 4,4 0,0 0))'));
select group_concat(n order by n) from shapes where st_intersects(g, geomfromtext('linestring(0 3,3 6)'));
select group_concat(n order by n) from shapes ignore index(g) where st_intersects(g, geomfromtext('linestring(0 3,3 6)'));
select group_concat(n order by n) from shapes where st_contains(g, point(2,2));
select group_concat(n order by n) from shapes where st_contains(geomfromtext('polygon((1 1,1 7,7 7,7 1,1 1))'), g);
select group_concat(n order by n) from shapes where st_equals(g, geomfromtext('linestring(4 4,0 0)'));
drop table shapes;
