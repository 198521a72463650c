-- What random statements found.
SET NAMES utf8mb4;
SET sql_mode = '';
CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(10) CHARACTER SET utf8mb4, l VARCHAR(10) CHARACTER SET latin1, b BINARY(3), bl BLOB, n INT, d DATE, dt DATETIME, ts TIMESTAMP NULL, ti TIME);
INSERT INTO t VALUES (1, 'ß', 'ß', 'a', 'a', NULL, '0000-00-00', '2020-00-01', '0000-00-00', '10:11:12'), (2, 'äb', 'ä', 'b', '', 63, '2016-12-00', '2016-12-26 03:04:43', '2020-01-01', '-10:00:00');
-- a constant text as a condition is the number that it begins with
SELECT id FROM t WHERE '  ';
SELECT id FROM t WHERE 'a';
SELECT id FROM t WHERE '2a';
SELECT id FROM t WHERE space(2);
SELECT id FROM t WHERE '0.0' OR id = 7;
SELECT 1 FROM DUAL WHERE '';
SELECT count(*) FROM t HAVING '';
SELECT count(*) FROM t WHERE from_days(0);
SELECT id FROM t WHERE DATE'2020-01-01';
UPDATE t SET n = 5 WHERE '';
DELETE FROM t WHERE '0';
-- nobody asks for the replacement of what is not there, where bytes are compared
SELECT replace(b, 7, NULL), replace(bl, 'x', NULL), replace(c, 'x', NULL), replace('abc', 'x', NULL), replace(l, 'q', n) FROM t ORDER BY id;
SELECT replace('', 'q', NULL), replace('abc', '', NULL), replace(c, '', n), replace('abc' COLLATE utf8mb4_bin, 'z', NULL), replace('abc' COLLATE utf8mb4_bin, 'a', NULL), replace(b, NULL, 'x') FROM t ORDER BY id;
SELECT locate('', c, 2), locate('', c, 3), locate('', c, 4), locate('', l, 2), locate('', 'abc', 3), locate('', 'abc', 4), locate('', bl, 1), locate('', '', 1), locate('', ''), locate('b', c, 2) FROM t ORDER BY id;
SELECT soundex(c), soundex(l), soundex('éàb'), soundex('hello') FROM t ORDER BY id;
-- the text of a format gives the text made by it its derivation
SELECT coercibility(date_format('2020-01-02', '%U')), coercibility(date_format('2020-01-02', l)), coercibility(time_format('10:00:00', l)), coercibility(date_format('2020-01-02', '%U' COLLATE utf8mb4_bin)) FROM t ORDER BY id;
SELECT concat(l, date_format('2020-01-02', '%M')), concat(l, date_format('2020-01-02', c)), concat(l, time_format('10:00:00', '%H')) FROM t ORDER BY id;
-- digits of the fraction that ADDTIME gives numbers
SELECT addtime(1, '1.5'), addtime(1.5, '1'), addtime('1', '1.5'), addtime(1.25, 1), addtime(1.25e0, 1), subtime(1, '0:0:1.25'), addtime(1, TIME'1:1:1.25');
SELECT addtime('10:00:00', '1 2'), addtime('10:00:00', '2 x'), addtime('10:00:00', '1 2:'), addtime('10:00:00', '1a'), addtime('10:00:00', '112 2'), addtime('10:00:00', '1.5 2'), addtime('10:00:00', 'x');
SELECT timediff(d, d), timediff(d, dt), timediff(ts, ts), timediff('0000-00-00 00:00:00', '0000-00-00 00:00:00') FROM t ORDER BY id;
SELECT unix_timestamp(ts) FROM t ORDER BY id;
SELECT ti + INTERVAL 1 WEEK, ti + INTERVAL 0 WEEK, ti + INTERVAL 5 DAY, timestampadd(WEEK, 1, ti), ti + INTERVAL 1 MONTH FROM t ORDER BY id;
-- a fraction of more than six digits
SELECT ti + INTERVAL 3000000 DAY_MICROSECOND, dt + INTERVAL '1.12345678' SECOND_MICROSECOND, dt + INTERVAL '1:2.1234567' MINUTE_MICROSECOND, dt + INTERVAL 123456789 SECOND_MICROSECOND, dt + INTERVAL 99999 SECOND_MICROSECOND FROM t WHERE id = 2;
-- control characters in warnings
SELECT concat('1', char(0 USING utf8mb4), 'a') + 0, concat('1', char(9 USING utf8mb4), char(10 USING utf8mb4), char(13 USING utf8mb4), 'a') * 1.5, CAST(concat('1', char(26 USING utf8mb4)) AS SIGNED), concat('1', char(0), 'a') + 0;
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT date(d) IS NULL, date(dt) IS NULL FROM t ORDER BY id LIMIT 0;
SET sql_mode = '';
-- hours end at 23 here, and times have no dates
SELECT str_to_date('24:00:00', '%H:%i:%s'), str_to_date('24:00:00', '%T'), str_to_date('23:59:59', '%k:%i:%s'), time_format(ti, '%Y'), time_format(ti, '%H %d') FROM t ORDER BY id;
-- bytes become whole characters of a wide character set
SELECT hex(concat(_ucs2 x'0062' COLLATE ucs2_bin, x'41')), hex(concat(convert(c USING ucs2), x'414243')), hex(replace(convert('b' USING ucs2), x'62', x'41')) FROM t ORDER BY id;
DROP TABLE t;
-- ALTER TABLE gives BIT the number of a text, a date or a time
CREATE TABLE t (id INT, t TIME(3), t0 TIME, d DATE, dt DATETIME(2), c VARCHAR(20), u TIME(6));
INSERT INTO t VALUES (1, '00:00:00', '-00:00:01', '2020-01-02', '2020-01-02 03:04:05.67', '12', '00:05:11.6'), (2, '00:05:12', '00:05:11', '0000-00-00', '0000-00-00', 'ab', '-10:00:00'), (3, NULL, '00:00:01', NULL, NULL, '', '00:00:00.5');
ALTER TABLE t MODIFY t BIT(9), MODIFY t0 BIT(9), MODIFY d BIT(64), MODIFY dt BIT(64), MODIFY c BIT(9), MODIFY u BIT(64);
SELECT id, hex(t), hex(t0), hex(d), hex(dt), hex(c), hex(u) FROM t ORDER BY id;
DROP TABLE t;
CREATE TABLE t (id INT, d DATE NOT NULL, n INT);
INSERT INTO t VALUES (1, '0000-00-00', 1), (2, '2020-01-02', NULL), (3, '0000-00-00', NULL);
-- IS NULL finds zero dates, behind NOT, too
SELECT id FROM t WHERE NOT (n IS NULL OR d IS NOT NULL) ORDER BY id;
SELECT id FROM t WHERE NOT (n IS NOT NULL AND d IS NOT NULL) ORDER BY id;
SELECT id FROM t WHERE NOT (d IS NOT NULL) ORDER BY id;
SELECT id FROM t WHERE NOT (NOT (d IS NULL)) ORDER BY id;
SELECT find_in_set('abc', 'ABC ,abc'), find_in_set('a ', 'a,A '), find_in_set('', ' ,a'), find_in_set(_ucs2'b', _ucs2'b ,b');
DROP TABLE t;
SET sql_mode = DEFAULT;
CREATE TABLE t (c VARCHAR(5));
INSERT INTO t VALUES ('3'), ('A');
ALTER TABLE t MODIFY c BIT(8);
DELETE FROM t WHERE c = 'A';
ALTER TABLE t MODIFY c BIT(8);
SELECT hex(c) FROM t;
DROP TABLE t;
-- how long what REPLACE makes may be: each character may be replaced
CREATE TABLE u (a1 VARCHAR(1), a5 VARCHAR(5), a10 VARCHAR(10), b3 CHAR(3), b7 CHAR(7), c TEXT, n INT, mt MEDIUMTEXT, bi VARBINARY(6));
CREATE TABLE t AS SELECT REPLACE(a5, 'aa', 'bbb') x1, REPLACE(a5, 'aaaa', 'bbb') x2, REPLACE(a10, a5, b7) x3, REPLACE(a10, b7, a1) x4, REPLACE(b3, a5, c) x5, REPLACE(c, b3, b3) x6, REPLACE(n, b3, b7) x7, REPLACE(a10, n, n) x8, REPLACE(bi, a1, b7) x9, REPLACE(a10, 'a', '') x10, REPLACE(a10, NULL, 'x') x11, REPLACE(mt, b3, b7) x12 FROM u;
SHOW CREATE TABLE t;
DROP TABLE t, u;
CREATE TABLE t AS SELECT REPLACE('abc', 'b', '') a UNION SELECT REPLACE('aaa', 'a', 'bbbbbbbbbb');
SELECT * FROM t;
DROP TABLE t;
-- doubles beyond every integer
CREATE TABLE t (tu TINYINT UNSIGNED, su SMALLINT UNSIGNED, mu MEDIUMINT UNSIGNED, iu INT UNSIGNED, bu BIGINT UNSIGNED, y YEAR, i INT);
INSERT IGNORE INTO t VALUES (1e40, 1e40, 1e40, 1e40, 1e40, 1e40, 1e40), (-1e40, -1e40, -1e40, -1e40, -1e40, -1e40, -1e40);
INSERT INTO t (su) VALUES (1e40);
SELECT * FROM t;
DROP TABLE t;
