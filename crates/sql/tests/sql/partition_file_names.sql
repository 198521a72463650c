CREATE TABLE `t2_...................` (a INT) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (6), PARTITION p1 VALUES LESS THAN (9));
ALTER TABLE `t2_...................` ADD PARTITION (PARTITION `p2...............................................` VALUES LESS THAN (19));
ALTER TABLE `t2_...................` REORGANIZE PARTITION p1 INTO (PARTITION `p2...............................................` VALUES LESS THAN (9));
ALTER TABLE `t2_...................` PARTITION BY HASH (a) (PARTITION `p2...............................................`);
CREATE TABLE `t3_...................` (a INT) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (6), PARTITION `p2...............................................` VALUES LESS THAN (9));
CREATE TABLE `t3_...................` PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (6), PARTITION `p2...............................................` VALUES LESS THAN (9)) AS SELECT 1 AS a;
SHOW TABLES; DROP TABLE `t2_...................`; CREATE TABLE t1 (a INT); SHOW TABLES; DROP TABLE t1;
CREATE TABLE m1 (a INT NOT NULL, b CHAR(20), KEY (a)); CREATE TABLE m2 LIKE m1; INSERT INTO m1 SELECT seq, 'x' FROM seq_1_to_99; INSERT INTO m2 SELECT seq, 'y' FROM seq_1_to_99; CREATE TABLE m (a INT NOT NULL, b CHAR(20), KEY (a)) ENGINE=MERGE UNION=(m1,m2); EXPLAIN SELECT * FROM m WHERE a < 5; EXPLAIN SELECT * FROM m1 WHERE a < 5; DROP TABLE m, m1, m2;
