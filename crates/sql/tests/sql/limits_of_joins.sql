CREATE TABLE c (id INT PRIMARY KEY, g INT, s VARCHAR(20), KEY (g))
CREATE TABLE o (id INT PRIMARY KEY, c INT, v INT, s VARCHAR(20), d DATE, KEY (c), KEY d (d, id))
CREATE TABLE n (id INT, t VARCHAR(20))
INSERT INTO c SELECT seq, seq % 7, CONCAT('s', seq % 5) FROM seq_1_to_300
INSERT INTO o SELECT seq, IF(seq % 11 = 0, NULL, seq % 350), seq % 13, CONCAT('s', seq % 5), DATE('2020-01-01') + INTERVAL seq % 400 DAY FROM seq_1_to_3000
INSERT INTO n SELECT seq, CONCAT('t', seq) FROM seq_1_to_50
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.id LIMIT 5
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 5
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 100, 7
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 2500, 7
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.d, o.id LIMIT 9
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.d DESC, o.id DESC LIMIT 9
SELECT o.id, c.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.d DESC, o.id LIMIT 9
SELECT o.id, c.id, c.s FROM o LEFT JOIN c ON c.id = o.c ORDER BY o.id LIMIT 40
SELECT o.id, c.id, c.s FROM o LEFT JOIN c ON c.id = o.c AND c.g = 3 ORDER BY o.id DESC LIMIT 20
SELECT o.id, c.id FROM o LEFT JOIN c ON c.id = o.c WHERE c.id IS NULL ORDER BY o.id LIMIT 20
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c WHERE o.v = 4 ORDER BY o.id LIMIT 6
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c WHERE o.v = 99 ORDER BY o.id LIMIT 6
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c WHERE c.g = 4 ORDER BY o.id LIMIT 6
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c WHERE c.s = 's3' ORDER BY o.id LIMIT 6
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c WHERE o.s = c.s ORDER BY o.id LIMIT 6
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c WHERE o.v > c.g ORDER BY o.id LIMIT 6
SELECT c.id, o.id FROM c JOIN o ON c.id = o.c ORDER BY c.id, o.id LIMIT 6
SELECT c.id, MIN(o.id) FROM c JOIN o ON c.id = o.c GROUP BY c.id ORDER BY c.id LIMIT 6
SELECT DISTINCT c.id FROM c JOIN o ON c.id = o.c ORDER BY c.id LIMIT 6
SELECT o.id, c.id, p.id FROM o JOIN c ON c.id = o.c JOIN o p ON p.id = o.id + 1 ORDER BY o.id DESC LIMIT 4
SELECT o.id, c.id, n.t FROM o JOIN c ON c.id = o.c JOIN n ON n.id = c.id ORDER BY o.id LIMIT 4
SELECT o.id, n.t FROM o, n ORDER BY o.id, n.id LIMIT 4
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c AND c.id IN (SELECT n.id FROM n) ORDER BY o.id LIMIT 4
SELECT o.id, (SELECT MAX(p.id) FROM o p WHERE p.c = c.id) AS m FROM o JOIN c ON c.id = o.c ORDER BY o.id LIMIT 4
SELECT SQL_CALC_FOUND_ROWS o.id, c.id FROM o JOIN c ON c.id = o.c ORDER BY o.id LIMIT 3
SELECT FOUND_ROWS()
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c ORDER BY o.id LIMIT 0
SELECT o.id FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 3 OFFSET 5
(SELECT o.id FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 3) UNION ALL (SELECT o.id FROM o JOIN c ON c.id = o.c ORDER BY o.id LIMIT 3)
SELECT * FROM (SELECT o.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 3) d ORDER BY id
SELECT COUNT(*) FROM (SELECT o.id, c.s FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 700) d
PREPARE p FROM 'SELECT o.id, c.id FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT ?'
SET @n = 2
EXECUTE p USING @n
SET @n = 2000
EXECUTE p USING @n
SET @n = 3
EXECUTE p USING @n
SELECT v + 1 FROM o LIMIT 3
SELECT o.v + c.g FROM o STRAIGHT_JOIN c ON c.id = o.c LIMIT 3
FLUSH STATUS
SELECT o.id, c.id FROM o JOIN c ON c.id = o.c ORDER BY o.id DESC LIMIT 5
SHOW STATUS LIKE 'Handler_read%'
SHOW STATUS LIKE 'Sort%'
EXPLAIN SELECT o.id, c.s FROM o JOIN c ON c.id = o.c WHERE o.v = 3 ORDER BY o.id DESC LIMIT 5
