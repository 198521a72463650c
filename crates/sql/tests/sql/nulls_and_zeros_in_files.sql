# Files: \N in quotes is NULL, NO_BACKSLASH_ESCAPES has no escape character unless one is named, zeros in front of ZEROFILL and YEAR are written, no fixed widths beside BLOBs, variables of LOAD DATA are texts of the file's set.
set names utf8mb4; set @own = md5(@@datadir), @n = 0;
=> create procedure l(content text, f text) begin set @n = @n + 1, @file = concat('$OUTSIDE/', @own, @n); execute immediate concat('select x''', hex(content), ''' into dumpfile ''', @file, ''''); truncate t; execute immediate concat('load data infile ''', @file, ''' into table t ', f); show warnings; execute immediate 'select * from t'; end
=> create procedure o(q text, f text) begin set @n = @n + 1, @file = concat('$OUTSIDE/', @own, @n); execute immediate concat(q, ' into outfile ''', @file, ''' ', f); select f, hex(load_file(@file)), load_file(@file); end
create table t (a varchar(10), b varchar(10));
call l('"\\N","7x"\n\\N,"a"\n"\\N",\\N\nN,"x\\Ny"\n"\\Nx","\\N""\n', 'fields terminated by '','' enclosed by ''"''');
call l('"\\N","7x"\n\\N,"a"\n"\\N",\\N\nN,"x\\Ny"\n', 'fields terminated by '','' optionally enclosed by ''"''');
call l('"\\N","7x"\n\\N,"a"\n"\\N",\\N\nN,"x\\Ny"\n', 'character set utf8mb4 fields terminated by '','' enclosed by ''"''');
call l('"\\N","7x"\n\\N,"a"\n"\\N",\\N\n', 'fields terminated by '','' enclosed by ''"'' (@a, b) set a = ifnull(@a, ''null'')');
call l('"#N","7x"\n#N,"a"\n"\\N",##N\n', 'fields terminated by '','' enclosed by ''"'' escaped by ''#''');
call l('abc\tx\n', 'character set latin1 (@a, b) set a = upper(@a)'); select charset(@a), coercibility(@a);
call l('abc\tx\n', 'character set binary (@a, b) set a = upper(@a)'); select charset(@a), coercibility(@a);
call l('abc\tx\n', 'character set utf8mb4 (@a, b) set a = upper(@a)'); select charset(@a), coercibility(@a);
create table y (y year, z int(5) zerofill, d decimal(6,2) zerofill, b bit(3), f float(8,2) zerofill, n int, v varchar(4), x longtext); insert into y values (0, 1, 1.5, 1, 1.1, 1, 'a', 'b'), (2000, 22, 22, 5, 2.2, null, null, null);
call o('select y, z, d, f, n, v from y', '');
call o('select y, z, d, f, n, v from y', 'fields terminated by '',''');
call o('select y, z, d, f, n, v from y', 'fields terminated by '',''enclosed by ''"''');
call o('select y, z, d, f, n, v from y', 'fields terminated by '',''optionally enclosed by ''"''');
call o('select y, z, n, v from y', 'fields terminated by ''''');
call o('select y, z, n, v, x from y', 'fields terminated by ''''');
call o('select x, n from y', 'fields terminated by '''' enclosed by ''''');
call o('select max(z), min(y), concat(z), z + 0 from y', '');
drop procedure l; drop procedure o; set sql_mode = 'NO_BACKSLASH_ESCAPES';
=> create procedure l(content text, f text) begin set @n = @n + 1, @file = concat('$OUTSIDE/', @own, @n); execute immediate concat('select x''', hex(content), ''' into dumpfile ''', @file, ''''); truncate t; execute immediate concat('load data infile ''', @file, ''' into table t ', f); show warnings; execute immediate 'select * from t'; end
=> create procedure o(q text, f text) begin set @n = @n + 1, @file = concat('$OUTSIDE/', @own, @n); execute immediate concat(q, ' into outfile ''', @file, ''' ', f); select f, hex(load_file(@file)), load_file(@file); end
call l(x'5C4E0961620A615C74625C095C4E0A', '');
call l(x'5C4E0961620A615C74625C095C4E0A', 'fields escaped by ''\''');
call l(x'5C4E2C61620A', 'fields terminated by '',''');
call o('select n, v, ''a\b'' from y', '');
call o('select n, v, ''a\b'' from y', 'fields escaped by ''\''');
call o('select n, v, ''a\b'' from y', 'fields enclosed by ''"''');
drop procedure l; drop procedure o; set sql_mode = default; drop table t; drop table y;
create sequence s; select setval(s, 5, true), setval(s, 10, false), nextval(s), setval(s, 20, 0), nextval(s); drop sequence s;
create table bb (b bit(16), n int); insert into bb values (9, 1), (0x095c, 2), (0x0a00, 3), (0x2231, 4), (0x4e5c, 5);
call o('select b, n from bb', '');
call o('select b, n from bb', 'fields terminated by ''1''');
call o('select b, n from bb', 'fields enclosed by ''"''');
call o('select b, n from bb', 'fields terminated by ''1'' optionally enclosed by ''2''');
call o('select coalesce(b), b + 0, max(n) from bb group by b', '');
drop table bb;
