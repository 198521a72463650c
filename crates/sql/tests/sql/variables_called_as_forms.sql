-- Variables of bodies that are called as forms of SET.
CREATE TABLE m (x INT, y INT);
SET names=1;
SET password=1;
SET names='x';
SET @@names=1;
SET SESSION names=1;
SET GLOBAL password=1;
SET @@session.password=1;
SET charset=1;
SET role=1;
SET transaction=1;
=> CREATE PROCEDURE nn() BEGIN DECLARE names INT; DECLARE password INT; SET names=1; SET password=2; SELECT names,password; END
=> CREATE PROCEDURE nn2() BEGIN DECLARE password INT; SET password=2; SELECT password; END
=> CREATE PROCEDURE nn3() BEGIN DECLARE names INT; SET names=2; SELECT names; END
=> CREATE PROCEDURE nn4(names INT) BEGIN SET @a=1, names=2; SELECT names; END
=> CREATE PROCEDURE nn5(password INT) SET @a=1, password=2
=> CREATE PROCEDURE nn6(role INT, charset INT) BEGIN SET role=2; SET charset=1; SELECT role; END
=> CREATE PROCEDURE nn6(charset INT) BEGIN SET charset=1; SELECT charset; END
=> CREATE PROCEDURE nn7(password INT) SET password='x'
=> CREATE PROCEDURE nn7(password INT) SET password=PASSWORD('x')
=> CREATE PROCEDURE nn8(names INT) SET names utf8
=> CREATE PROCEDURE nn8(names INT) SET names 'utf8'
=> CREATE PROCEDURE nn9(names INT) SET NAMES DEFAULT
=> CREATE PROCEDURE nn9(transaction INT) SET transaction=1
=> CREATE PROCEDURE nn10(`names` INT) SET `names`=1
=> CREATE PROCEDURE nn10(`password` INT) SET `password`=1
=> CREATE PROCEDURE nn11(a INT) BEGIN SET names=1; END
=> CREATE PROCEDURE nn12(a INT) BEGIN SET password=1; END
=> CREATE PROCEDURE nn13(names INT) SELECT 1 INTO names
=> CREATE PROCEDURE nn14(password INT) SELECT 1 INTO password
=> CREATE TRIGGER tt BEFORE INSERT ON m FOR EACH ROW BEGIN DECLARE password INT; SET NEW.x=1, password=2; END
=> CREATE PROCEDURE nn15() BEGIN DECLARE names, b INT; SET b=1, names=2; SELECT b,names; END
=> CREATE PROCEDURE nn16() BEGIN DECLARE names ROW(a INT); SET names.a=2; SELECT names.a; END
DROP TABLE m;
DROP PROCEDURE IF EXISTS nn6;
DROP PROCEDURE IF EXISTS nn8;
DROP PROCEDURE IF EXISTS nn9;
DROP PROCEDURE IF EXISTS nn10;
DROP PROCEDURE IF EXISTS nn11;
DROP PROCEDURE IF EXISTS nn12;
DROP PROCEDURE IF EXISTS nn13;
DROP PROCEDURE IF EXISTS nn14;
DROP PROCEDURE IF EXISTS nn16;
