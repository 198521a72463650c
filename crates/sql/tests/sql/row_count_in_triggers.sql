=> create table t (id int auto_increment primary key, c2 year not null)
=> create table lg (what int)
=> create table tt (a int)
=> insert into tt values (1),(2),(3)
=> create procedure p2() begin insert into lg values (1),(2); set @q = concat(@q,'/',row_count()); end
=> create function k2(x int) returns int begin insert into lg values (1),(2); set @q = concat(@q, '/', row_count()); return x; end
=> create or replace trigger g before insert on t for each row begin insert into lg values (1),(2); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row insert into lg values (1),(2)
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin replace into lg values (1),(2); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row replace into lg values (1),(2)
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin insert into lg select 1 from tt; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row insert into lg select 1 from tt
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin update lg set what=what+1 limit 4; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row update lg set what=what+1 limit 4
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin delete from lg limit 2; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row delete from lg limit 2
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin call p2(); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row call p2()
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin set @x = k2(1); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row set @x = k2(1)
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin do k2(1); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row do k2(1)
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin select 1 into @z; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row select 1 into @z
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin insert into lg set what = 1; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row insert into lg set what = 1
=> create or replace trigger g2 before insert on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin if 1 then insert into lg values (1),(2); end if; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g before insert on t for each row begin delete from lg limit 1; set @x = k2(1); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> insert into t (c2) values (2001), (2029)
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row begin insert into lg values (1),(2); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row insert into lg values (1),(2)
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin replace into lg values (1),(2); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row replace into lg values (1),(2)
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin insert into lg select 1 from tt; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row insert into lg select 1 from tt
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin update lg set what=what+1 limit 4; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row update lg set what=what+1 limit 4
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin delete from lg limit 2; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row delete from lg limit 2
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin call p2(); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row call p2()
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin set @x = k2(1); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row set @x = k2(1)
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin do k2(1); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row do k2(1)
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin select 1 into @z; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row select 1 into @z
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin insert into lg set what = 1; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row insert into lg set what = 1
=> create or replace trigger g2 after update on t for each row follows g set @r = concat(@r, '.', row_count())
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g2
=> drop trigger g
=> create or replace trigger g after update on t for each row begin if 1 then insert into lg values (1),(2); end if; set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> create or replace trigger g after update on t for each row begin delete from lg limit 1; set @x = k2(1); set @r = concat(@r, '.', row_count()); end
=> set @r = '', @q=''
=> select 1 from t
=> update t set c2 = c2+1 limit 3
=> select @r, @q
=> drop trigger g
=> drop table t, lg, tt
=> drop procedure p2
=> drop function k2
