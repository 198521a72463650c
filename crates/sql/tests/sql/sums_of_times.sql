create table e(k varchar(10), t time, d datetime);
insert into e values('10:00:00','10:00:00','2020-01-01 10:00:00'),('abc','11:00:00','2020-01-01 11:00:00'),(null,null,null),('-838:59:59','838:59:59','2020-02-02');
select addtime(k,'1:0:0') + interval 1 hour, addtime(k,t) - interval 1 minute, date_add(addtime(d,t), interval 1 month) from e;
drop table e;
