-- CASE of texts of several collations and character sets: one collation for all of them.
select case _latin1'a' when _latin2'b' then 1 when _latin5'c' collate latin5_turkish_ci then 2 else 3 end as x;
select case _latin1'a' collate latin1_general_ci when _latin1'a' collate latin1_danish_ci then 1 when _latin1'a' collate latin1_swedish_ci then 2 end;
select case _latin1'a' collate latin1_general_ci when _latin1'a' collate latin1_danish_ci then 1 end;
select case _latin1'a' collate latin1_general_ci when _latin1'a' collate latin1_danish_ci then 1 when 'x' then 2 when 'y' then 3 end;
select case _latin1'a' collate latin1_general_ci when _latin1'a' then 1 when _latin1'A' then 2 end, case 'a' when _latin1'A' then 1 when 'a' collate utf8mb4_bin then 2 end;
select nullif(_latin1'a' collate latin1_general_ci, _latin1'a' collate latin1_bin);
create table t (a varchar(10) charset latin1, b varchar(10) charset utf8mb4, c varchar(10) charset latin1 collate latin1_bin, d varbinary(10), e enum('a', 'b') charset latin1, n int); insert into t values ('a', 'A', 'A', 'a', 'a', 1), ('x', 'y', 'z', 'x', 'b', 2), (null, null, null, null, null, null);
select case a when 'A' then 1 when 'X' then 2 end, case b when 'a' then 1 when a then 2 end, case a when b then 1 when 'ä' then 2 end from t;
select case c when 'a' then 1 when 'A' then 2 end, case 'a' when c then 1 when 'A' then 2 end from t;
select case a when c then 1 when 'A' then 2 end from t;
select case a when 'A' then 1 when d then 2 end, case d when 'A' then 1 when 'a' then 2 end from t;
select case e when 'A' then 1 when 'b' then 2 end, case a when e then 1 when 'x' then 2 end, case a when n then 1 when 'A' then 2 end from t;
select case a when null then 1 when 'A' then 2 when 'x' collate latin1_bin then 3 end, case null when 'a' then 1 when 'b' then 2 else 3 end from t;
select case concat(a, b) when 'AA' then 1 when 'xy' then 2 end, case upper(a) when lower(b) then 1 when c then 2 end from t;
select case a when 'a' then 1 when 'A ' collate latin1_bin then 2 end from t; select decode_oracle(a, 'A', 1, 'x' collate latin1_bin, 2) from t;
explain extended select case a when 'A' then 1 when 'x' collate latin1_bin then 2 end from t;
drop table t;
