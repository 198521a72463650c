create table region (
  r_regionkey int not null,
  r_name char(25) not null,
  r_comment varchar(152),
  primary key (r_regionkey)
) engine=myisam;
create table nation (
  n_nationkey int not null,
  n_name char(25) not null,
  n_regionkey int not null,
  n_comment varchar(152),
  primary key (n_nationkey)
) engine=myisam;
create table supplier (
  s_suppkey int not null,
  s_name char(25) not null,
  s_address varchar(40) not null,
  s_nationkey int not null,
  s_phone char(15) not null,
  s_acctbal decimal(15,2) not null,
  s_comment varchar(160) not null,
  primary key (s_suppkey),
  key (s_nationkey)
) engine=myisam;
create table part (
  p_partkey int not null,
  p_name varchar(55) not null,
  p_mfgr char(25) not null,
  p_brand char(10) not null,
  p_type varchar(25) not null,
  p_size int not null,
  p_container char(10) not null,
  p_retailprice decimal(15,2) not null,
  p_comment varchar(40) not null,
  primary key (p_partkey)
) engine=myisam;
create table partsupp (
  ps_partkey int not null,
  ps_suppkey int not null,
  ps_availqty int not null,
  ps_supplycost decimal(15,2) not null,
  ps_comment varchar(255) not null,
  primary key (ps_partkey, ps_suppkey),
  key (ps_suppkey)
) engine=myisam;
create table customer (
  c_custkey int not null,
  c_name varchar(25) not null,
  c_address varchar(40) not null,
  c_nationkey int not null,
  c_phone char(15) not null,
  c_acctbal decimal(15,2) not null,
  c_mktsegment char(10) not null,
  c_comment varchar(160) not null,
  primary key (c_custkey),
  key (c_nationkey)
) engine=myisam;
create table orders (
  o_orderkey int not null,
  o_custkey int not null,
  o_orderstatus char(1) not null,
  o_totalprice decimal(15,2) not null,
  o_orderdate date not null,
  o_orderpriority char(15) not null,
  o_clerk char(15) not null,
  o_shippriority int not null,
  o_comment varchar(160) not null,
  primary key (o_orderkey),
  key (o_custkey),
  key (o_orderdate)
) engine=myisam;
create table lineitem (
  l_orderkey int not null,
  l_partkey int not null,
  l_suppkey int not null,
  l_linenumber int not null,
  l_quantity decimal(15,2) not null,
  l_extendedprice decimal(15,2) not null,
  l_discount decimal(15,2) not null,
  l_tax decimal(15,2) not null,
  l_returnflag char(1) not null,
  l_linestatus char(1) not null,
  l_shipdate date not null,
  l_commitdate date not null,
  l_receiptdate date not null,
  l_shipinstruct char(25) not null,
  l_shipmode char(10) not null,
  l_comment varchar(60) not null,
  primary key (l_orderkey, l_linenumber),
  key (l_partkey, l_suppkey),
  key (l_suppkey),
  key (l_shipdate)
) engine=myisam;
create table days (
  d_id int not null,
  d_date date not null,
  d_year int not null,
  d_month int not null,
  primary key (d_id)
) engine=myisam;
create table products (
  g_id int not null,
  g_name varchar(40) not null,
  g_group varchar(20) not null,
  primary key (g_id)
) engine=myisam;
create table stores (
  t_id int not null,
  t_name varchar(40) not null,
  t_region varchar(20) not null,
  primary key (t_id)
) engine=myisam;
create table sales (
  f_day int not null,
  f_product int not null,
  f_store int not null,
  f_count int not null,
  f_amount decimal(12,2) not null,
  key (f_day),
  key (f_product),
  key (f_store)
) engine=myisam;
