=> set sql_mode='STRICT_TRANS_TABLES'
=> create or replace table t (c smallint unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x smallint unsigned default -0.4286; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x smallint unsigned default -3/7; select x; end
=> begin not atomic declare x smallint unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x smallint unsigned default -0.6; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x smallint unsigned default -4e-1; select x; end
=> begin not atomic declare x smallint unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x smallint unsigned default -0.0; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x smallint unsigned default -0e0; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x smallint unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x smallint unsigned default -0.4e0; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x smallint unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x smallint unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x smallint unsigned default -1; select x; end
=> begin not atomic declare x smallint unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x smallint unsigned default -0.00001; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x smallint unsigned default @v; select x; end
=> begin not atomic declare x smallint unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x smallint unsigned default @d; select x; end
=> begin not atomic declare x smallint unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x smallint unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c int unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x int unsigned default -0.4286; select x; end
=> begin not atomic declare x int unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x int unsigned default -3/7; select x; end
=> begin not atomic declare x int unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x int unsigned default -0.6; select x; end
=> begin not atomic declare x int unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x int unsigned default -4e-1; select x; end
=> begin not atomic declare x int unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x int unsigned default -0.0; select x; end
=> begin not atomic declare x int unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x int unsigned default -0e0; select x; end
=> begin not atomic declare x int unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x int unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x int unsigned default -0.4e0; select x; end
=> begin not atomic declare x int unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x int unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x int unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x int unsigned default -1; select x; end
=> begin not atomic declare x int unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x int unsigned default -0.00001; select x; end
=> begin not atomic declare x int unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x int unsigned default @v; select x; end
=> begin not atomic declare x int unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x int unsigned default @d; select x; end
=> begin not atomic declare x int unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x int unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c bigint unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x bigint unsigned default -0.4286; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x bigint unsigned default -3/7; select x; end
=> begin not atomic declare x bigint unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x bigint unsigned default -0.6; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x bigint unsigned default -4e-1; select x; end
=> begin not atomic declare x bigint unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x bigint unsigned default -0.0; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x bigint unsigned default -0e0; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x bigint unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x bigint unsigned default -0.4e0; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x bigint unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x bigint unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x bigint unsigned default -1; select x; end
=> begin not atomic declare x bigint unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x bigint unsigned default -0.00001; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x bigint unsigned default @v; select x; end
=> begin not atomic declare x bigint unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x bigint unsigned default @d; select x; end
=> begin not atomic declare x bigint unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x bigint unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c tinyint unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x tinyint unsigned default -0.4286; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x tinyint unsigned default -3/7; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x tinyint unsigned default -0.6; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x tinyint unsigned default -4e-1; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x tinyint unsigned default -0.0; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x tinyint unsigned default -0e0; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x tinyint unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x tinyint unsigned default -0.4e0; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x tinyint unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x tinyint unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x tinyint unsigned default -1; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x tinyint unsigned default -0.00001; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x tinyint unsigned default @v; select x; end
=> begin not atomic declare x tinyint unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x tinyint unsigned default @d; select x; end
=> begin not atomic declare x tinyint unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x tinyint unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c decimal(5,0) unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x decimal(5,0) unsigned default -0.4286; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x decimal(5,0) unsigned default -3/7; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x decimal(5,0) unsigned default -0.6; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x decimal(5,0) unsigned default -4e-1; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x decimal(5,0) unsigned default -0.0; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x decimal(5,0) unsigned default -0e0; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x decimal(5,0) unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x decimal(5,0) unsigned default -0.4e0; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x decimal(5,0) unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x decimal(5,0) unsigned default -1; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x decimal(5,0) unsigned default -0.00001; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x decimal(5,0) unsigned default @v; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x decimal(5,0) unsigned default @d; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x decimal(5,0) unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c decimal(5,1) unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x decimal(5,1) unsigned default -0.4286; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x decimal(5,1) unsigned default -3/7; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x decimal(5,1) unsigned default -0.6; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x decimal(5,1) unsigned default -4e-1; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x decimal(5,1) unsigned default -0.0; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x decimal(5,1) unsigned default -0e0; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x decimal(5,1) unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x decimal(5,1) unsigned default -0.4e0; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x decimal(5,1) unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x decimal(5,1) unsigned default -1; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x decimal(5,1) unsigned default -0.00001; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x decimal(5,1) unsigned default @v; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x decimal(5,1) unsigned default @d; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x decimal(5,1) unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c float unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x float unsigned default -0.4286; select x; end
=> begin not atomic declare x float unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x float unsigned default -3/7; select x; end
=> begin not atomic declare x float unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x float unsigned default -0.6; select x; end
=> begin not atomic declare x float unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x float unsigned default -4e-1; select x; end
=> begin not atomic declare x float unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x float unsigned default -0.0; select x; end
=> begin not atomic declare x float unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x float unsigned default -0e0; select x; end
=> begin not atomic declare x float unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x float unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x float unsigned default -0.4e0; select x; end
=> begin not atomic declare x float unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x float unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x float unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x float unsigned default -1; select x; end
=> begin not atomic declare x float unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x float unsigned default -0.00001; select x; end
=> begin not atomic declare x float unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x float unsigned default @v; select x; end
=> begin not atomic declare x float unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x float unsigned default @d; select x; end
=> begin not atomic declare x float unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x float unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c year)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x year default -0.4286; select x; end
=> begin not atomic declare x year; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x year default -3/7; select x; end
=> begin not atomic declare x year; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x year default -0.6; select x; end
=> begin not atomic declare x year; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x year default -4e-1; select x; end
=> begin not atomic declare x year; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x year default -0.0; select x; end
=> begin not atomic declare x year; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x year default -0e0; select x; end
=> begin not atomic declare x year; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x year default '-0.4'; select x; end
=> begin not atomic declare x year; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x year default -0.4e0; select x; end
=> begin not atomic declare x year; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x year default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x year; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x year default -1; select x; end
=> begin not atomic declare x year; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x year default -0.00001; select x; end
=> begin not atomic declare x year; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x year default @v; select x; end
=> begin not atomic declare x year; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x year default @d; select x; end
=> begin not atomic declare x year; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x year; set x=y; select x; end
=> select * from t
=> create or replace table t (c bit(4))
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x bit(4) default -0.4286; select x; end
=> begin not atomic declare x bit(4); set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x bit(4) default -3/7; select x; end
=> begin not atomic declare x bit(4); set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x bit(4) default -0.6; select x; end
=> begin not atomic declare x bit(4); set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x bit(4) default -4e-1; select x; end
=> begin not atomic declare x bit(4); set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x bit(4) default -0.0; select x; end
=> begin not atomic declare x bit(4); set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x bit(4) default -0e0; select x; end
=> begin not atomic declare x bit(4); set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x bit(4); set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x bit(4) default -0.4e0; select x; end
=> begin not atomic declare x bit(4); set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x bit(4) default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x bit(4); set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x bit(4) default -1; select x; end
=> begin not atomic declare x bit(4); set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x bit(4) default -0.00001; select x; end
=> begin not atomic declare x bit(4); set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x bit(4) default @v; select x; end
=> begin not atomic declare x bit(4); set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x bit(4) default @d; select x; end
=> begin not atomic declare x bit(4); set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x bit(4); set x=y; select x; end
=> select * from t
=> create or replace table t (c int)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x int default -0.4286; select x; end
=> begin not atomic declare x int; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x int default -3/7; select x; end
=> begin not atomic declare x int; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x int default -0.6; select x; end
=> begin not atomic declare x int; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x int default -4e-1; select x; end
=> begin not atomic declare x int; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x int default -0.0; select x; end
=> begin not atomic declare x int; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x int default -0e0; select x; end
=> begin not atomic declare x int; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x int default '-0.4'; select x; end
=> begin not atomic declare x int; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x int default -0.4e0; select x; end
=> begin not atomic declare x int; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x int default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x int; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x int default -1; select x; end
=> begin not atomic declare x int; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x int default -0.00001; select x; end
=> begin not atomic declare x int; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x int default @v; select x; end
=> begin not atomic declare x int; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x int default @d; select x; end
=> begin not atomic declare x int; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x int; set x=y; select x; end
=> select * from t
=> set sql_mode=''
=> create or replace table t (c smallint unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x smallint unsigned default -0.4286; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x smallint unsigned default -3/7; select x; end
=> begin not atomic declare x smallint unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x smallint unsigned default -0.6; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x smallint unsigned default -4e-1; select x; end
=> begin not atomic declare x smallint unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x smallint unsigned default -0.0; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x smallint unsigned default -0e0; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x smallint unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x smallint unsigned default -0.4e0; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x smallint unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x smallint unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x smallint unsigned default -1; select x; end
=> begin not atomic declare x smallint unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x smallint unsigned default -0.00001; select x; end
=> begin not atomic declare x smallint unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x smallint unsigned default @v; select x; end
=> begin not atomic declare x smallint unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x smallint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x smallint unsigned default @d; select x; end
=> begin not atomic declare x smallint unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x smallint unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c int unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x int unsigned default -0.4286; select x; end
=> begin not atomic declare x int unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x int unsigned default -3/7; select x; end
=> begin not atomic declare x int unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x int unsigned default -0.6; select x; end
=> begin not atomic declare x int unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x int unsigned default -4e-1; select x; end
=> begin not atomic declare x int unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x int unsigned default -0.0; select x; end
=> begin not atomic declare x int unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x int unsigned default -0e0; select x; end
=> begin not atomic declare x int unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x int unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x int unsigned default -0.4e0; select x; end
=> begin not atomic declare x int unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x int unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x int unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x int unsigned default -1; select x; end
=> begin not atomic declare x int unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x int unsigned default -0.00001; select x; end
=> begin not atomic declare x int unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x int unsigned default @v; select x; end
=> begin not atomic declare x int unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x int unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x int unsigned default @d; select x; end
=> begin not atomic declare x int unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x int unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c bigint unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x bigint unsigned default -0.4286; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x bigint unsigned default -3/7; select x; end
=> begin not atomic declare x bigint unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x bigint unsigned default -0.6; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x bigint unsigned default -4e-1; select x; end
=> begin not atomic declare x bigint unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x bigint unsigned default -0.0; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x bigint unsigned default -0e0; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x bigint unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x bigint unsigned default -0.4e0; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x bigint unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x bigint unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x bigint unsigned default -1; select x; end
=> begin not atomic declare x bigint unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x bigint unsigned default -0.00001; select x; end
=> begin not atomic declare x bigint unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x bigint unsigned default @v; select x; end
=> begin not atomic declare x bigint unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x bigint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x bigint unsigned default @d; select x; end
=> begin not atomic declare x bigint unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x bigint unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c tinyint unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x tinyint unsigned default -0.4286; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x tinyint unsigned default -3/7; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x tinyint unsigned default -0.6; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x tinyint unsigned default -4e-1; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x tinyint unsigned default -0.0; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x tinyint unsigned default -0e0; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x tinyint unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x tinyint unsigned default -0.4e0; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x tinyint unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x tinyint unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x tinyint unsigned default -1; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x tinyint unsigned default -0.00001; select x; end
=> begin not atomic declare x tinyint unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x tinyint unsigned default @v; select x; end
=> begin not atomic declare x tinyint unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x tinyint unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x tinyint unsigned default @d; select x; end
=> begin not atomic declare x tinyint unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x tinyint unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c decimal(5,0) unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x decimal(5,0) unsigned default -0.4286; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x decimal(5,0) unsigned default -3/7; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x decimal(5,0) unsigned default -0.6; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x decimal(5,0) unsigned default -4e-1; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x decimal(5,0) unsigned default -0.0; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x decimal(5,0) unsigned default -0e0; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x decimal(5,0) unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x decimal(5,0) unsigned default -0.4e0; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x decimal(5,0) unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x decimal(5,0) unsigned default -1; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x decimal(5,0) unsigned default -0.00001; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x decimal(5,0) unsigned default @v; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x decimal(5,0) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x decimal(5,0) unsigned default @d; select x; end
=> begin not atomic declare x decimal(5,0) unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x decimal(5,0) unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c decimal(5,1) unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x decimal(5,1) unsigned default -0.4286; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x decimal(5,1) unsigned default -3/7; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x decimal(5,1) unsigned default -0.6; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x decimal(5,1) unsigned default -4e-1; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x decimal(5,1) unsigned default -0.0; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x decimal(5,1) unsigned default -0e0; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x decimal(5,1) unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x decimal(5,1) unsigned default -0.4e0; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x decimal(5,1) unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x decimal(5,1) unsigned default -1; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x decimal(5,1) unsigned default -0.00001; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x decimal(5,1) unsigned default @v; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x decimal(5,1) unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x decimal(5,1) unsigned default @d; select x; end
=> begin not atomic declare x decimal(5,1) unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x decimal(5,1) unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c float unsigned)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x float unsigned default -0.4286; select x; end
=> begin not atomic declare x float unsigned; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x float unsigned default -3/7; select x; end
=> begin not atomic declare x float unsigned; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x float unsigned default -0.6; select x; end
=> begin not atomic declare x float unsigned; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x float unsigned default -4e-1; select x; end
=> begin not atomic declare x float unsigned; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x float unsigned default -0.0; select x; end
=> begin not atomic declare x float unsigned; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x float unsigned default -0e0; select x; end
=> begin not atomic declare x float unsigned; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x float unsigned; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x float unsigned default -0.4e0; select x; end
=> begin not atomic declare x float unsigned; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x float unsigned default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x float unsigned; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x float unsigned default -1; select x; end
=> begin not atomic declare x float unsigned; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x float unsigned default -0.00001; select x; end
=> begin not atomic declare x float unsigned; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x float unsigned default @v; select x; end
=> begin not atomic declare x float unsigned; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x float unsigned; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x float unsigned default @d; select x; end
=> begin not atomic declare x float unsigned; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x float unsigned; set x=y; select x; end
=> select * from t
=> create or replace table t (c year)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x year default -0.4286; select x; end
=> begin not atomic declare x year; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x year default -3/7; select x; end
=> begin not atomic declare x year; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x year default -0.6; select x; end
=> begin not atomic declare x year; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x year default -4e-1; select x; end
=> begin not atomic declare x year; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x year default -0.0; select x; end
=> begin not atomic declare x year; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x year default -0e0; select x; end
=> begin not atomic declare x year; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x year default '-0.4'; select x; end
=> begin not atomic declare x year; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x year default -0.4e0; select x; end
=> begin not atomic declare x year; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x year default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x year; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x year default -1; select x; end
=> begin not atomic declare x year; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x year default -0.00001; select x; end
=> begin not atomic declare x year; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x year default @v; select x; end
=> begin not atomic declare x year; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x year; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x year default @d; select x; end
=> begin not atomic declare x year; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x year; set x=y; select x; end
=> select * from t
=> create or replace table t (c bit(4))
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x bit(4) default -0.4286; select x; end
=> begin not atomic declare x bit(4); set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x bit(4) default -3/7; select x; end
=> begin not atomic declare x bit(4); set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x bit(4) default -0.6; select x; end
=> begin not atomic declare x bit(4); set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x bit(4) default -4e-1; select x; end
=> begin not atomic declare x bit(4); set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x bit(4) default -0.0; select x; end
=> begin not atomic declare x bit(4); set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x bit(4) default -0e0; select x; end
=> begin not atomic declare x bit(4); set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x bit(4); set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x bit(4) default -0.4e0; select x; end
=> begin not atomic declare x bit(4); set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x bit(4) default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x bit(4); set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x bit(4) default -1; select x; end
=> begin not atomic declare x bit(4); set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x bit(4) default -0.00001; select x; end
=> begin not atomic declare x bit(4); set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x bit(4) default @v; select x; end
=> begin not atomic declare x bit(4); set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x bit(4); set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x bit(4) default @d; select x; end
=> begin not atomic declare x bit(4); set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x bit(4); set x=y; select x; end
=> select * from t
=> create or replace table t (c int)
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4286)
=> begin not atomic declare x int default -0.4286; select x; end
=> begin not atomic declare x int; set x=-0.4286; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4286; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-3/7)
=> begin not atomic declare x int default -3/7; select x; end
=> begin not atomic declare x int; set x=-3/7; select x; end
=> begin not atomic declare y decimal(10,4) default -3/7; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.6)
=> begin not atomic declare x int default -0.6; select x; end
=> begin not atomic declare x int; set x=-0.6; select x; end
=> begin not atomic declare y decimal(10,4) default -0.6; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-4e-1)
=> begin not atomic declare x int default -4e-1; select x; end
=> begin not atomic declare x int; set x=-4e-1; select x; end
=> begin not atomic declare y decimal(10,4) default -4e-1; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.0)
=> begin not atomic declare x int default -0.0; select x; end
=> begin not atomic declare x int; set x=-0.0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.0; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0e0)
=> begin not atomic declare x int default -0e0; select x; end
=> begin not atomic declare x int; set x=-0e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0e0; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values ('-0.4')
=> begin not atomic declare x int default '-0.4'; select x; end
=> begin not atomic declare x int; set x='-0.4'; select x; end
=> begin not atomic declare y decimal(10,4) default '-0.4'; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.4e0)
=> begin not atomic declare x int default -0.4e0; select x; end
=> begin not atomic declare x int; set x=-0.4e0; select x; end
=> begin not atomic declare y decimal(10,4) default -0.4e0; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (cast(-0.4 as decimal(5,2)))
=> begin not atomic declare x int default cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare x int; set x=cast(-0.4 as decimal(5,2)); select x; end
=> begin not atomic declare y decimal(10,4) default cast(-0.4 as decimal(5,2)); declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-1)
=> begin not atomic declare x int default -1; select x; end
=> begin not atomic declare x int; set x=-1; select x; end
=> begin not atomic declare y decimal(10,4) default -1; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (-0.00001)
=> begin not atomic declare x int default -0.00001; select x; end
=> begin not atomic declare x int; set x=-0.00001; select x; end
=> begin not atomic declare y decimal(10,4) default -0.00001; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@v)
=> begin not atomic declare x int default @v; select x; end
=> begin not atomic declare x int; set x=@v; select x; end
=> begin not atomic declare y decimal(10,4) default @v; declare x int; set x=y; select x; end
=> set @v=-0.3, @d=-0.3e0
=> insert into t values (@d)
=> begin not atomic declare x int default @d; select x; end
=> begin not atomic declare x int; set x=@d; select x; end
=> begin not atomic declare y decimal(10,4) default @d; declare x int; set x=y; select x; end
=> select * from t
=> drop table t
