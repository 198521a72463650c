-- Answers of correlated subqueries are kept for outer rows that are alike in what the subquery refers to. (Here: exactly alike. MariaDB goes by
-- collations, so it gives HEX('a') for 'A', keeps what RAND in a view gave, and finds no answer for NULL.)
CREATE TABLE o (id INT NOT NULL PRIMARY KEY, a INT, b BIGINT UNSIGNED, d DECIMAL(10,3), f DOUBLE, s VARCHAR(10), t DATETIME(3), dt DATE, tm TIME(2), bl BLOB, e ENUM('x','y'), bt BIT(9), y YEAR);
INSERT INTO o SELECT seq, NULLIF(seq % 4, 3), seq % 3, (seq % 5) / 4, IF(seq % 2, 0e0, -0e0), ELT(1 + seq % 6, 'a', 'A', 'a ', 'ä', 'b', NULL), '2026-01-01 10:00:00.5' + INTERVAL seq % 3 SECOND, '2026-01-01' + INTERVAL seq % 4 DAY, SEC_TO_TIME(seq % 5), ELT(1 + seq % 4, 'x', 'X', '', NULL), 1 + seq % 2, seq % 7, 2000 + seq % 3 FROM seq_1_to_60;
CREATE TABLE i (id INT NOT NULL PRIMARY KEY, a INT, s VARCHAR(10), KEY (a));
INSERT INTO i SELECT seq, seq % 5, ELT(1 + seq % 4, 'a', 'B', 'ä', 'c') FROM seq_1_to_30;
-- every type as what is referred to, the value itself as the answer
SELECT id, (SELECT CONCAT(o.a, '/', COUNT(*)) FROM i WHERE i.a = o.a) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.b, '/', COUNT(*)) FROM i WHERE i.a = o.b) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.d, '/', COUNT(*)) FROM i WHERE i.a > o.d) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.f + 1, '/', COUNT(*)) FROM i WHERE i.a > o.f) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(LENGTH(o.s) < 3, '/', COUNT(*)) FROM i WHERE i.s = o.s) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.t, '/', COUNT(*)) FROM i WHERE o.t > '2026-01-01 10:00:01' + INTERVAL i.a - 3 SECOND) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.dt, '/', COUNT(*)) FROM i WHERE o.dt > '2026-01-01' + INTERVAL i.a DAY) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.tm, '/', COUNT(*)) FROM i WHERE o.tm > SEC_TO_TIME(i.a)) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(HEX(o.bl), '/', COUNT(*)) FROM i WHERE i.s > o.bl) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.e, '/', o.e + 0, '/', COUNT(*)) FROM i WHERE i.a > o.e) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.bt + 0, '/', COUNT(*)) FROM i WHERE i.a > o.bt) FROM o ORDER BY id;
SELECT id, (SELECT CONCAT(o.y, '/', COUNT(*)) FROM i WHERE i.a + 1999 = o.y) FROM o ORDER BY id;
-- the answer's type, its NULL, several columns referred to
SELECT id, (SELECT o.d FROM i WHERE i.id = o.a) FROM o ORDER BY id;
SELECT id, (SELECT o.t FROM i WHERE i.id = o.a) FROM o ORDER BY id;
SELECT id, (SELECT o.bl FROM i WHERE i.id = o.a) FROM o ORDER BY id;
SELECT id, (SELECT MAX(i.id) FROM i WHERE i.a = o.a AND i.s <> o.s) FROM o ORDER BY id;
SELECT id, (SELECT MAX(i.id) FROM i WHERE i.a = o.a AND i.id > o.id) FROM o ORDER BY id;
-- IN, EXISTS, ANY and ALL, rows
SELECT id, o.a IN (SELECT i.a FROM i WHERE i.s > o.s) FROM o ORDER BY id;
SELECT id, o.a NOT IN (SELECT i.a + 1 FROM i WHERE i.s > o.s) FROM o ORDER BY id;
SELECT id, (o.a, o.b) IN (SELECT i.a, i.id FROM i WHERE i.s > o.s) FROM o ORDER BY id;
SELECT id, EXISTS (SELECT 1 FROM i WHERE i.a > o.a AND i.s < o.s) FROM o ORDER BY id;
SELECT id, o.a > ANY (SELECT i.a FROM i WHERE i.s > o.s), o.a < ALL (SELECT i.a FROM i WHERE i.s > o.s) FROM o ORDER BY id;
SELECT id, ROW(o.a, o.b) = (SELECT i.a, i.id FROM i WHERE i.id = o.a) FROM o ORDER BY id;
-- in conditions, groups, orders, joins
SELECT id FROM o WHERE a < (SELECT AVG(i.a) + 1 FROM i WHERE i.s = o.s) ORDER BY id;
SELECT s, MAX((SELECT COUNT(*) FROM i WHERE i.a = o.a)) FROM o GROUP BY s ORDER BY s;
SELECT a, (SELECT COUNT(*) FROM i WHERE i.a = o.a) c FROM o GROUP BY a HAVING c < (SELECT 7 + o.a) ORDER BY a;
SELECT id FROM o ORDER BY (SELECT COUNT(*) FROM i WHERE i.a = o.a), id;
SELECT o.id, i.id FROM o JOIN i ON i.a = o.a AND i.id < (SELECT MIN(x.id) + 9 FROM i x WHERE x.a = o.a) ORDER BY 1, 2;
-- subqueries in subqueries: the inner one refers to the row far out
SELECT id, (SELECT COUNT(*) FROM i WHERE i.a = o.a AND i.id <= (SELECT MAX(x.id) FROM i x WHERE x.a = i.a AND x.id < o.b * 10)) FROM o ORDER BY id;
SELECT id, (SELECT SUM((SELECT COUNT(*) FROM i y WHERE y.a = i.a AND o.a = 1)) FROM i WHERE i.s = o.s) FROM o ORDER BY id;
-- what does not stay the same: user variables, functions with other values each time, routines
SET @n = 0;
SELECT id, (SELECT @n := @n + 1 FROM i WHERE i.id = o.b + 1) FROM o ORDER BY id;
SELECT @n;
SELECT COUNT(DISTINCT x) > 50 FROM (SELECT (SELECT RAND() + i.id * 0 FROM i WHERE i.id = o.b + 1) x FROM o) q;
SELECT COUNT(DISTINCT x) FROM (SELECT (SELECT UUID_SHORT() + i.id * 0 FROM i WHERE i.id = o.b + 1) x FROM o) q;
CREATE FUNCTION next_of(n INT) RETURNS INT BEGIN SET @k = @k + 1; RETURN @k + n; END;
SET @k = 0;
SELECT MAX(x) FROM (SELECT (SELECT next_of(i.id) - i.id FROM i WHERE i.id = o.b + 1) x FROM o) q;
CREATE SEQUENCE q1;
SELECT MAX(x) FROM (SELECT (SELECT NEXTVAL(q1) + i.id * 0 FROM i WHERE i.id = o.b + 1) x FROM o) q;
-- errors of a later row; several rows
SELECT id, (SELECT i.id FROM i WHERE i.a = o.a) FROM o ORDER BY id;
SELECT id, (SELECT i.id FROM i WHERE i.a = o.a AND i.id < 5) FROM o ORDER BY id;
-- without it, and as it is counted
SET optimizer_switch = 'subquery_cache=off';
SELECT SUM((SELECT COUNT(*) FROM i WHERE i.a = o.a AND i.s <> 'a')) FROM o;
SET optimizer_switch = DEFAULT;
FLUSH STATUS;
SELECT id, (SELECT COUNT(*) FROM i WHERE i.a = o.a) FROM o WHERE a IS NOT NULL ORDER BY id;
SHOW STATUS LIKE 'Subquery_cache%';
SELECT id, (SELECT COUNT(*) FROM i WHERE i.a > o.d) FROM o WHERE a IS NOT NULL AND (SELECT MAX(s) FROM i WHERE i.a = o.a) > 'b' ORDER BY id;
SHOW STATUS LIKE 'Subquery_cache%';
PREPARE p FROM 'SELECT SUM((SELECT COUNT(*) FROM i WHERE i.a = o.a AND i.id <> ?)) FROM o';
SET @x = 1;
EXECUTE p USING @x;
SET @x = 2;
EXECUTE p USING @x;
INSERT INTO i VALUES (100, 1, 'z');
EXECUTE p USING @x;
-- changes see what they changed
CREATE TABLE n (id INT NOT NULL PRIMARY KEY, a INT, c INT);
INSERT INTO n SELECT id, a, (SELECT COUNT(*) FROM i WHERE i.a = o.a) FROM o;
CREATE TABLE log (a INT, KEY (a));
CREATE TRIGGER tr AFTER UPDATE ON n FOR EACH ROW INSERT INTO log VALUES (NEW.a);
UPDATE n SET c = (SELECT COUNT(*) FROM log WHERE log.a = n.a) ORDER BY id;
SELECT a, COUNT(*), MAX(c) FROM n GROUP BY a ORDER BY a;
WITH RECURSIVE r (n, m) AS (SELECT 1, 0 UNION ALL SELECT n + 1, (SELECT COUNT(*) FROM i WHERE i.a = n % 3) FROM r WHERE n < 12) SELECT * FROM r ORDER BY n;
CREATE TRIGGER td AFTER DELETE ON n FOR EACH ROW DELETE FROM log WHERE log.a = OLD.a LIMIT 5;
DELETE FROM n WHERE (SELECT COUNT(*) FROM log WHERE log.a = n.a AND log.a <> 9) > 0 AND id < 30;
SELECT a, COUNT(*) FROM n GROUP BY a ORDER BY a;
