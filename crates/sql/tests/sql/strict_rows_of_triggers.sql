=> set sql_mode='strict_trans_tables'
=> create table ln (id int, a int not null)
=> create table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create trigger tn before insert on ln for each row delete from l
=> insert into ln (id) values (1)
=> select * from l
=> insert into l values (1,1),(2,2)
=> insert into ln (id) values (1),(2)
=> select * from l
=> drop trigger tn
=> create function f() returns int begin delete from l; return row_count(); end
=> insert into l values (1,1),(2,2)
=> select f()
=> select * from l
=> insert into l select seq, seq from seq_1_to_2000
=> select f()
=> select count(*) from l
=> insert into l select seq, seq from seq_1_to_2000
=> create trigger tn before insert on ln for each row delete from l
=> insert into ln (id) values (7),(8)
=> select count(*) from l
=> drop trigger tn
=> create trigger tn before insert on ln for each row set @x = f()
=> insert into l values (1,1),(2,2)
=> insert into ln (id) values (9),(10)
=> insert into l values (1,1),(2,2)
=> update ln set id = id + f()
=> select * from l
=> select * from ln order by id
=> drop trigger tn
=> drop function f
=> drop table l
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (null,1); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (null,1),(3,3); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (1,1); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (1,1),(9,9); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (8,'x'); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (8,1),(8,1); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l select null,1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l select 1,1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l select 5,5 from l where false; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l select 5,5 from l where id = 77; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l select 5,5; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n=1 where false; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n=1 where id=77; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n=1 where n=77; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n='x' where id=1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n=2 where id=1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n=n; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete from l where false; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete from l where id=77; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete from l where n = 77; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete from l where id=1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete from l; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; replace into l values (1,2); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert ignore into l values (1,2); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert ignore into l values (null,2); end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; select id into @x from l limit 1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; set @x=1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; insert into l values (7,7) on duplicate key update n=1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l, l2 set l.n=1 where l.id=l2.id; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete l from l join l2 on l.id=l2.id; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete l from l join l2 on false; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n=1 limit 0; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; delete from l limit 0; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> create or replace table ln (id int, a int not null)
=> create or replace table l (id int not null primary key, n int)
=> insert into l values (1,1),(2,2)
=> create or replace table l2 (id int)
=> insert into l2 values (1)
=> create trigger tn before insert on ln for each row begin declare continue handler for sqlexception set @h = 1; update l set n = 7 order by n limit 1; end
=> insert into ln (id) values (1), (2)
=> select count(*) from ln
=> drop trigger tn
=> drop table ln, l, l2
=> create table t (id int primary key, a int, b set('x','y'), unique (b))
=> create table lg (v int)
=> insert into t values (1, 1, 'x')
=> create trigger au after update on t for each row insert into lg values (1)
=> insert into t values (1, 2, 'x'), ('abc', 3, 'y') on duplicate key update b = values(b)
=> select * from t order by id
=> delete from t where id = 0
=> insert into t values (1, 2, 'x'), ('abc', 3, 'y') on duplicate key update a = 7
=> select * from t order by id
=> delete from t where id = 0
=> update t set a = a + 1, b = 'q'
=> insert into t values (2, 2, 'y')
=> update t set b = if(id = 2, concat(rand(), 'q'), 'x,y') order by id
=> update t set a = if(id = 2, concat('q', id), 8) order by id
=> select * from t order by id
=> drop trigger au
=> create trigger bu before update on t for each row insert into lg values (2)
=> update t set a = if(id = 2, concat('q', id), 9) order by id
=> select * from t order by id
=> update t set a = concat('q', id) order by id
=> select * from t order by id
=> drop trigger bu
=> create trigger ad after delete on t for each row insert into lg values (3)
=> replace into t values (1, 5, 'x'), ('def', 6, null)
=> select * from t order by id
=> insert into t select 'ghi', 1, null
=> create trigger ai after insert on t for each row insert into lg values (4)
=> insert into t values (10, 1, null), ('def', 6, null)
=> insert into t (id, a) select 11, 1 union all select 12, 'x'
=> select * from t order by id
=> select v, count(*) from lg group by v
=> drop table t, lg
