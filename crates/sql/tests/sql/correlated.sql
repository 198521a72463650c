-- Correlated subqueries run for row after row with the operators of the row before: nothing of that row may be left.
CREATE TABLE o (id INT NOT NULL PRIMARY KEY, g INT, s VARCHAR(20), n INT);
CREATE TABLE i (id INT NOT NULL PRIMARY KEY, o INT, v INT, t VARCHAR(20), KEY (o), KEY (v));
CREATE TABLE e (id INT, o INT);
INSERT INTO o SELECT seq, seq % 5, CONCAT('s', seq % 7), IF(seq % 4 = 0, NULL, seq % 9) FROM seq_1_to_40;
INSERT INTO i SELECT seq, seq % 23, IF(seq % 6 = 0, NULL, seq % 11), CONCAT('s', seq % 5) FROM seq_1_to_90;
-- EXISTS by key, by a scan, with rows in some rows only
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.o = o.id) ORDER BY id;
SELECT id FROM o WHERE NOT EXISTS (SELECT 1 FROM i WHERE i.o = o.id) ORDER BY id;
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.t = o.s AND i.v > o.g) ORDER BY id;
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.v + 0 = o.n LIMIT 1) ORDER BY id;
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.o = o.id LIMIT 0) ORDER BY id;
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.o = o.id LIMIT 2, 1) ORDER BY id;
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM e WHERE e.o = o.id) ORDER BY id;
-- conditions without columns of the subquery's own tables
SELECT id, EXISTS (SELECT 1 FROM i WHERE o.g = 2) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM i WHERE o.g = 2) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM i WHERE o.g = 2 AND i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT o.g + 1) FROM o ORDER BY id;
SELECT id, (SELECT o.g + 1 WHERE o.g < 3) FROM o ORDER BY id;
-- IN, ANY, ALL
SELECT id FROM o WHERE id IN (SELECT i.v FROM i WHERE i.o > o.g) ORDER BY id;
SELECT id, n IN (SELECT i.v FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, n NOT IN (SELECT i.v FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (id, g) IN (SELECT i.o, i.v FROM i WHERE i.t = o.s) FROM o ORDER BY id;
SELECT id, n > ALL (SELECT i.v FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, n < ANY (SELECT i.v FROM i WHERE i.o = o.g) FROM o ORDER BY id;
-- one value
SELECT id, (SELECT i.v FROM i WHERE i.id = o.id) FROM o ORDER BY id;
SELECT id, (SELECT i.t FROM i WHERE i.o = o.id ORDER BY i.id DESC LIMIT 1) FROM o ORDER BY id;
SELECT id, (SELECT i.v FROM i WHERE i.o = o.id ORDER BY i.id LIMIT 1) IS NULL FROM o ORDER BY id;
SELECT id, (SELECT i.v FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT i.id, i.v FROM i WHERE i.id = o.id) FROM o;
SELECT id FROM o WHERE (g, n) = (SELECT i.v, i.o FROM i WHERE i.id = o.id) ORDER BY id;
-- aggregates, with groups within
SELECT id, (SELECT COUNT(*) FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT SUM(v) FROM i WHERE i.o = o.id), (SELECT MAX(v) FROM i WHERE i.o = o.g) FROM o ORDER BY id;
SELECT id, (SELECT MIN(id) FROM i WHERE i.o = o.id), (SELECT MAX(id) FROM i WHERE i.v < o.n) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(DISTINCT t) FROM i WHERE i.o >= o.id) FROM o ORDER BY id;
SELECT id, (SELECT GROUP_CONCAT(i.t ORDER BY i.id) FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) c FROM i WHERE i.o <= o.id GROUP BY i.t ORDER BY c DESC, i.t LIMIT 1) FROM o ORDER BY id;
SELECT id, (SELECT SUM(v) FROM i WHERE i.o <= o.id GROUP BY i.t HAVING SUM(v) > o.id ORDER BY i.t LIMIT 1) FROM o ORDER BY id;
SELECT id, EXISTS (SELECT i.t FROM i WHERE i.o = o.id GROUP BY i.t HAVING COUNT(*) > 1) FROM o ORDER BY id;
SELECT id FROM o WHERE g IN (SELECT COUNT(*) FROM i WHERE i.o = o.id GROUP BY i.t) ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM i WHERE i.o = o.id GROUP BY i.t WITH ROLLUP LIMIT 1) FROM o ORDER BY id;
SELECT g, SUM((SELECT COUNT(*) FROM i WHERE i.o = o.id)) FROM o GROUP BY g ORDER BY g;
SELECT g, COUNT(*) FROM o GROUP BY g HAVING EXISTS (SELECT 1 FROM i WHERE i.v = g + 5) ORDER BY g;
-- joins within: look-up, hash, buffer, outer
SELECT id, (SELECT COUNT(*) FROM i JOIN o p ON p.id = i.o WHERE i.v = o.n) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM i JOIN i j ON j.t = i.t WHERE i.o = o.id AND j.v > o.g) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM i, e WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM i LEFT JOIN o p ON p.id = i.v AND p.g = o.g WHERE i.o = o.id AND p.id IS NULL) FROM o ORDER BY id;
SELECT id, (SELECT SUM(p.id) FROM i LEFT JOIN (o p JOIN i q ON q.id = p.id) ON p.g = i.v WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM o p, o q WHERE p.g = o.g AND q.n = p.n AND q.id > o.id) FROM o ORDER BY id;
-- DISTINCT, UNION, derived tables within
SELECT id, (SELECT COUNT(*) FROM (SELECT DISTINCT t FROM i) d WHERE d.t < o.s) FROM o ORDER BY id;
SELECT id, (SELECT DISTINCT i.t FROM i WHERE i.o = o.id LIMIT 1) IS NULL FROM o ORDER BY id;
SELECT id, n IN (SELECT i.v FROM i WHERE i.o = o.id UNION SELECT o.n FROM e) FROM o ORDER BY id;
SELECT id, EXISTS (SELECT 1 FROM i WHERE i.o = o.id UNION ALL SELECT 1 FROM e) FROM o ORDER BY id;
SELECT id, (SELECT COUNT(*) FROM seq_1_to_20 q WHERE q.seq < o.n) FROM o ORDER BY id;
-- nested
SELECT id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.o = o.id AND EXISTS (SELECT 1 FROM o p WHERE p.n = i.v AND p.g = o.g)) ORDER BY id;
SELECT id, (SELECT SUM((SELECT COUNT(*) FROM o p WHERE p.g = i.v AND p.id > o.id)) FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id, (SELECT MAX((SELECT MAX(p.id) FROM o p WHERE p.g <= i.v)) FROM i WHERE i.o = o.id) FROM o ORDER BY id;
SELECT id FROM o WHERE id IN (SELECT i.o FROM i WHERE i.v IN (SELECT p.n FROM o p WHERE p.g = o.g AND p.id <> i.id)) ORDER BY id;
-- in other statements, with parameters, variables, warnings, errors
SELECT id, (SELECT i.t + 0 FROM i WHERE i.id = o.id) FROM o WHERE id < 4 ORDER BY id;
SELECT id, (SELECT i.id FROM i WHERE i.o = o.id) FROM o WHERE id < 3;
PREPARE p FROM 'SELECT id, (SELECT COUNT(*) FROM i WHERE i.o = o.id AND i.v > ?) FROM o WHERE id < ? ORDER BY id';
SET @a = 3, @b = 12;
EXECUTE p USING @a, @b;
SET @a = 7, @b = 9;
EXECUTE p USING @a, @b;
PREPARE p FROM 'SELECT id, (SELECT i.id FROM i WHERE i.o = o.id ORDER BY i.id LIMIT ?, 1) FROM o ORDER BY id';
SET @a = 1;
EXECUTE p USING @a;
UPDATE o SET n = (SELECT COUNT(*) FROM i WHERE i.o = o.id) WHERE g < 3;
SELECT * FROM o ORDER BY id;
DELETE FROM o WHERE NOT EXISTS (SELECT 1 FROM i WHERE i.o = o.id AND i.v > 2);
SELECT * FROM o ORDER BY id;
SELECT SQL_CALC_FOUND_ROWS id FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.o = o.id LIMIT 1) ORDER BY id LIMIT 3;
SELECT FOUND_ROWS();
DROP TABLE o, i, e;
