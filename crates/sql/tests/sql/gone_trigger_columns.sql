=> create table t1 (id int primary key, a int, b int, z int)
=> create table lg (id int auto_increment primary key, v text)
=> create trigger g1 before insert on t1 for each row begin declare continue handler for sqlexception begin get diagnostics condition 1 @e=mysql_errno,@m=message_text; insert into lg (v) values (concat(@e,@m)); end; if NEW.a = 1 then set NEW.b = 5; end if; if NEW.a = 2 then set @q = NEW.b; end if; if NEW.a=3 then insert into lg (v) values (NEW.b); end if; if NEW.a = 4 then select NEW.b into @q; end if; if NEW.a=5 then if NEW.b then set @q=1; end if; end if; if NEW.a=6 then begin declare x int default NEW.b; end; end if; if NEW.a = 7 then set NEW.b = NEW.b+1; end if; if NEW.a=8 then case NEW.b when 1 then set @q=1; else set @q=2; end case; end if; if NEW.a = 9 then set @q = (select max(id) from lg where v = NEW.b); end if; if NEW.a=10 then set NEW.z = 3, NEW.b = 3, NEW.z = 4; end if; if NEW.a=11 then signal sqlstate '45000' set message_text = NEW.b; end if; end
=> alter table t1 drop column b
=> insert into t1 values (1,1,1)
=> insert into t1 values (2,2,1)
=> insert into t1 values (3,3,1)
=> insert into t1 values (4,4,1)
=> insert into t1 values (5,5,1)
=> insert into t1 values (6,6,1)
=> insert into t1 values (7,7,1)
=> insert into t1 values (8,8,1)
=> insert into t1 values (9,9,1)
=> insert into t1 values (10,10,1)
=> insert into t1 values (11,11,1)
=> insert into t1 values (12,12,1)
=> select * from t1 order by id
=> select * from lg order by id
=> drop trigger g1
=> delete from lg
=> alter table t1 add b int
=> create trigger g2 before update on t1 for each row begin if NEW.a = 1 then set NEW.b = OLD.b; end if; if NEW.a = 2 then set @q = OLD.b; end if; if NEW.a=3 then insert into lg (v) values (OLD.b); end if; if NEW.a=4 then set NEW.z = 3, NEW.b = 3, NEW.z = 4; end if; end
=> alter table t1 drop column b
=> update t1 set z = z + 1 where id=1
=> update t1 set z = z + 1 where id=2
=> update t1 set z = z + 1 where id=3
=> update t1 set z = z + 1 where id=4
=> update t1 set z = z + 1 where id>4 order by id
=> update t1 set z = z + 1 order by id desc
=> update ignore t1 set z = z + 1 order by id desc
=> insert into t1 values (1,1,1) on duplicate key update z=9
=> select * from t1 order by id
=> select * from lg order by id
=> alter table t1 change a aa int
=> update t1 set z = z + 1 where id=12
=> insert into t1 values (112,1,1)
=> alter table t1 change aa a int, add b int
=> update t1 set z = z + 1 where id=1
=> select * from t1 where id=1
=> drop trigger g2
=> create trigger g3 after delete on t1 for each row set @q = OLD.b
=> alter table t1 drop b
=> delete from t1 where id=1
=> delete from t1 where id=2
=> delete ignore from t1 where id=3
=> truncate t1
=> insert into t1 values (1,1,1),(2,2,2)
=> replace into t1 values (1,1,1)
=> select * from t1
