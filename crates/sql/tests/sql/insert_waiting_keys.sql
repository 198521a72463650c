# Rows into a table that has rows: entries of keys wait for the statement's end, but for those of unique keys.
CREATE TABLE t (id INT NOT NULL PRIMARY KEY, k INT, s VARCHAR(20), n INT NOT NULL AUTO_INCREMENT UNIQUE, KEY (k), KEY (s), KEY (k, n)) ENGINE=MyISAM CHARSET=latin1;
INSERT INTO t (id, k, s) SELECT seq, seq * 7919 % 1009, CONCAT('w', seq * 31 % 997) FROM seq_1_to_3000;
INSERT INTO t (id, k, s) SELECT seq, seq * 7919 % 1009, CONCAT('v', seq * 31 % 997) FROM seq_3001_to_9000;
CHECK TABLE t EXTENDED;
SELECT COUNT(*), SUM(id), MAX(n) FROM t;
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (k) WHERE k BETWEEN 100 AND 300;
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s > 'v5';
# the first duplicate ends it: rows before stay, with their keys
INSERT INTO t (id, k, s) SELECT IF(seq = 9500, 17, seq), seq % 13, 'x' FROM seq_9001_to_10000;
CHECK TABLE t EXTENDED;
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s = 'x';
SELECT COUNT(*), SUM(k) FROM t;
# duplicates are left out
INSERT IGNORE INTO t (id, k, s) SELECT seq, seq % 13, 'y' FROM seq_9400_to_9900;
SELECT ROW_COUNT();
CHECK TABLE t EXTENDED;
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s = 'y';
# these change or delete rows in the way
INSERT INTO t (id, k, s) SELECT seq, seq % 13, 'z' FROM seq_9800_to_10200 ON DUPLICATE KEY UPDATE s = 'd';
CHECK TABLE t EXTENDED;
SELECT s, COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s IN ('d', 'y', 'z') GROUP BY s;
REPLACE INTO t (id, k, s) SELECT seq, seq % 17, 'r' FROM seq_9900_to_10300;
CHECK TABLE t EXTENDED;
SELECT s, COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s IN ('d', 'y', 'z', 'r') GROUP BY s;
# nothing waits, one thing at a time, and under LOCK TABLES
SET bulk_insert_buffer_size = 0;
INSERT INTO t (id, k, s) SELECT seq, seq % 19, 'o' FROM seq_20001_to_20500;
SET bulk_insert_buffer_size = 1000;
INSERT INTO t (id, k, s) SELECT seq, seq % 19, 'o' FROM seq_20501_to_21500;
LOCK TABLES t WRITE;
INSERT INTO t (id, k, s) SELECT seq, seq % 19, 'l' FROM t AS u, seq_30001_to_30500 WHERE u.id = 1;
INSERT INTO t (id, k, s) SELECT seq, seq % 19, 'l' FROM seq_30501_to_31000;
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s = 'l';
UNLOCK TABLES;
CHECK TABLE t EXTENDED;
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (s) WHERE s = 'o';
SELECT COUNT(*), SUM(id) FROM t FORCE INDEX (k) WHERE k = 5;
# the next number of a group is found in a key
CREATE TABLE g (a INT NOT NULL, n INT NOT NULL AUTO_INCREMENT, b INT, PRIMARY KEY (a, n), KEY (b)) ENGINE=MyISAM;
INSERT INTO g (a, b) SELECT seq % 5, seq FROM seq_1_to_500;
INSERT INTO g (a, b) SELECT seq % 7, seq FROM seq_1_to_500;
CREATE TABLE h (a INT NOT NULL, n INT NOT NULL AUTO_INCREMENT, b INT, KEY (a, n), KEY (b)) ENGINE=MyISAM;
INSERT INTO h (a, b) SELECT seq % 5, seq FROM seq_1_to_500;
INSERT INTO h (a, b) SELECT seq % 7, seq FROM seq_1_to_500;
SELECT a, MAX(n), COUNT(*) FROM g GROUP BY a;
SELECT a, MAX(n), COUNT(*) FROM h GROUP BY a;
CHECK TABLE g, h EXTENDED;
DROP TABLE t, g, h;
