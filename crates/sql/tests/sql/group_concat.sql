-- GROUP_CONCAT: rows of warning 1260, ties of its ORDER BY.
SET sql_mode = '';
CREATE TABLE g (a INT, b VARCHAR(20));
INSERT INTO g VALUES (1, 'aaaa'), (1, 'bbbb'), (2, 'cccc'), (2, 'dddd'), (2, 'eeee'), (3, 'f'), (4, 'gggggg'), (4, 'h');
SET group_concat_max_len = 6;
-- rows are counted through all groups, each up to the one that is too much
SELECT a, group_concat(b) FROM g GROUP BY a;
SELECT a, group_concat(b ORDER BY b DESC) FROM g GROUP BY a;
SELECT a, group_concat(DISTINCT b) FROM g GROUP BY a;
SELECT a, group_concat(DISTINCT b ORDER BY b) FROM g GROUP BY a;
SELECT a, group_concat(b), group_concat(b, 'x') FROM g GROUP BY a;
SELECT group_concat(b) FROM g;
SELECT a, group_concat(b ORDER BY b) FROM g GROUP BY a WITH ROLLUP;
SELECT DISTINCT group_concat(b) FROM g GROUP BY a;
CREATE TABLE h AS SELECT a, group_concat(b) FROM g GROUP BY a;
SELECT group_concat(b) FROM g UNION SELECT group_concat(b) FROM g;
SELECT group_concat(b) FROM g WHERE a = 1 UNION ALL SELECT group_concat(b) FROM g WHERE a = 4;
CREATE INDEX ga ON g (a);
SELECT a, group_concat(b) FROM g GROUP BY a;
SELECT (SELECT group_concat(b) FROM g x WHERE x.a = y.a) FROM (SELECT 1 a UNION SELECT 2 UNION SELECT 4) y;
DROP INDEX ga ON g;
SET group_concat_max_len = DEFAULT;
-- of rows that are equal for ORDER BY the last comes first
SELECT group_concat(a ORDER BY a MOD 2), group_concat(b ORDER BY a MOD 2) FROM g;
SELECT group_concat(a ORDER BY a MOD 2 DESC), group_concat(b ORDER BY a MOD 2 DESC) FROM g;
SELECT group_concat(DISTINCT a ORDER BY a MOD 2 DESC) FROM g;
SELECT group_concat(DISTINCT b ORDER BY length(b)) FROM g;
SELECT group_concat(b ORDER BY length(b), a MOD 2 SEPARATOR '') FROM g;
SELECT group_concat(seq ORDER BY seq MOD 7) FROM seq_1_to_200;
SET sort_buffer_size = 1024;
SELECT md5(group_concat(seq ORDER BY seq MOD 7)) FROM seq_1_to_20000;
SET sort_buffer_size = DEFAULT;
DROP TABLE g, h;
