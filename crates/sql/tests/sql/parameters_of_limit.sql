-- What parameters of LIMIT may be.
create table t (a int); insert into t values (1), (2), (3), (4);
prepare s from 'select * from t order by a limit ?'; execute s using 1; execute s using 0; execute s using -1; execute s using null; execute s using 'x'; execute s using 1.5; execute s using '2'; execute s using '-2'; execute s using -1.5; execute s using 1.4999; execute s using 1.5e0; execute s using '3x'; execute s using '2.7'; execute s using '99999999999999999999999'; execute s using 18446744073709551615; execute s using 99999999999999999999999; execute s using 1e30; execute s using 0x02; execute s using date'2001-01-01'; execute s using time'00:00:02'; execute s using b'10'; execute s using true;
set @a = -1; execute s using @a; set @a = '1'; execute s using @a; set @a = null; execute s using @a; set @a = 1.9; execute s using @a; execute s using @undefined;
prepare s from 'select * from t order by a limit ?, ?'; execute s using '1', '2'; execute s using -1, 3; execute s using 1.5, 1; execute s using null, 2; execute s using 'x', 'y';
prepare s from 'delete from t order by a limit ?'; execute s using 'x'; execute s using -1; execute s using '1'; select * from t; execute s using null; select count(*) from t;
prepare s from 'update t set a = a + 10 order by a limit ?'; execute s using '1'; execute s using -1; execute s using 1.5; select * from t;
prepare s from 'select * from t union all select * from t order by a limit ?'; execute s using '1'; execute s using -1; execute s using 'x';
prepare s from 'select a, count(*) from t group by a order by a limit ?'; execute s using '1'; execute s using -1; execute s using '1x';
prepare s from 'select * from t order by a limit rows examined ?'; execute s using '100'; execute s using -1;
prepare s from 'select (select a from t order by a limit ?) x'; execute s using '1'; execute s using -1; execute s using null;
prepare s from 'insert into t select a from t order by a limit ?'; execute s using '1'; execute s using -1; execute s using null;
prepare s from 'select ?, a from t order by a limit ?'; execute s using 'x', 1; execute s using -1, 1; execute s using 1, '2'; execute s using '1', -2;
execute immediate 'select * from t limit ?' using '1'; execute immediate 'select * from t limit ?' using -1;
prepare s from 'select * from t order by a fetch first ? rows with ties'; execute s using '1'; execute s using -1; execute s using null;
drop table t;
