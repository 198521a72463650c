CREATE TABLE a (id INT PRIMARY KEY, k INT, KEY (k))
CREATE TABLE b (id INT PRIMARY KEY, k INT, KEY (k))
CREATE TABLE c (id INT PRIMARY KEY, k INT, t TEXT, FULLTEXT (t))
INSERT INTO a SELECT seq, seq % 7 FROM seq_1_to_50
INSERT INTO b SELECT seq, seq % 5 FROM seq_1_to_500
INSERT INTO c SELECT seq, seq % 3, IF(seq % 9 = 0, 'quick fox', 'lazy dog') FROM seq_1_to_20
SELECT a.id, b.id FROM a STRAIGHT_JOIN b ON b.id = a.k
SELECT a.id, b.id FROM b STRAIGHT_JOIN a ON b.id = a.k
SELECT a.id, c.id FROM c STRAIGHT_JOIN a ON a.id = c.id
SELECT a.id, c.id FROM a STRAIGHT_JOIN c ON a.id = c.id
SELECT a.id, c.id FROM a STRAIGHT_JOIN c WHERE MATCH(t) AGAINST('quick')
SELECT a.id, c.id FROM c STRAIGHT_JOIN a WHERE MATCH(t) AGAINST('quick')
SELECT a.id, c.id FROM a JOIN c WHERE MATCH(t) AGAINST('quick')
SELECT STRAIGHT_JOIN a.id, c.id FROM a, c WHERE MATCH(t) AGAINST('quick')
SELECT COUNT(*), SUM(a.id), SUM(b.id) FROM b STRAIGHT_JOIN a STRAIGHT_JOIN c WHERE a.id = b.id AND b.id = c.id
SELECT a.id, b.id, c.id FROM b STRAIGHT_JOIN a STRAIGHT_JOIN c WHERE a.id = b.id AND b.id = c.id
SELECT a.id, b.id, c.id FROM c STRAIGHT_JOIN b STRAIGHT_JOIN a WHERE a.id = b.id AND b.id = c.id
SELECT COUNT(*), SUM(a.id), SUM(b.id), SUM(c.id) FROM c LEFT JOIN (b STRAIGHT_JOIN a ON b.id = a.id) ON c.id = a.k
SELECT COUNT(*), SUM(a.id), SUM(b.id), SUM(c.id) FROM (c RIGHT JOIN b ON c.id = b.k) STRAIGHT_JOIN a ON a.id = b.k
SELECT a.id, b.id, c.id FROM b STRAIGHT_JOIN a ON a.id = b.id LEFT JOIN c ON c.id = a.k WHERE b.id < 12
SELECT COUNT(*) FROM a STRAIGHT_JOIN b STRAIGHT_JOIN c
SELECT a.id, b.id FROM a STRAIGHT_JOIN b WHERE a.id = 3 AND b.id = 7
SELECT * FROM a STRAIGHT_JOIN c USING (id)
SELECT * FROM a NATURAL JOIN c STRAIGHT_JOIN b ON b.id = a.id ORDER BY 1, 2, 3 LIMIT 4
EXPLAIN SELECT b.id FROM a STRAIGHT_JOIN b WHERE b.id = a.k + 1
EXPLAIN SELECT b.id FROM b STRAIGHT_JOIN a WHERE a.id = b.k + 1 AND b.k > 0
UPDATE a STRAIGHT_JOIN b ON a.id = b.id SET a.k = a.k + 1, b.k = b.k + 1 WHERE a.k < 4
SELECT SUM(k) FROM a
DELETE b FROM c STRAIGHT_JOIN b ON c.id = b.id
SELECT COUNT(*) FROM b
