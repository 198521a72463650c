# Bytes beside computed texts of other collations; ends of time zones.
create table t(u4 varchar(9), b varbinary(9), k8 varchar(9) charset koi8r);
insert into t values ('abc','q','я');
select regexp_replace(upper(u4),'x',b), hex(regexp_replace(upper(k8),'x',b)), hex(regexp_replace(lower('ABC'),'x',b)) from t;
select regexp_substr(upper(u4),b), regexp_instr(upper(u4),binary 'A'), upper(u4) regexp binary 'A', locate(binary 'A',upper(u4)), instr(upper(u4),binary 'A') from t;
select strcmp(upper(u4), binary 'ABC'), field(binary 'ABC', upper(u4)), upper(u4) = binary 'ABC', upper(u4) like binary 'A%', find_in_set(binary 'ABC', upper(u4)), concat(upper(u4), binary 'x'), replace(upper(u4), binary 'B', 'x'), if(1, upper(u4), b), coalesce(upper(u4), b), greatest(upper(u4), b), least(upper(u4),b), case when 1 then upper(u4) else b end, elt(1,upper(u4),b), ifnull(upper(u4),b), nullif(upper(u4),b), trim(binary 'A' from upper(u4)), substring_index(upper(u4), binary 'B', 1), insert(upper(u4),1,0,b), make_set(1,upper(u4),b), export_set(1,upper(u4),b,'',1), concat_ws(b,upper(u4),'x'), lpad(upper(u4),5,b), rpad(upper(u4),5,b), upper(u4) in (binary 'ABC','x'), upper(u4) between binary 'A' and binary 'B', position(binary 'B' in upper(u4)) from t;
select upper(u4) collate utf8mb3_bin = 'ABC', concat(upper(u4), _utf8mb3'x' collate utf8mb3_bin), reverse(upper(u4)) = binary 'CBA', max(concat(upper(u4),b)), group_concat(upper(u4), b) from t group by u4;
select upper(u4) from t union select b from t;
select hex(weight_string(upper(u4))), soundex(upper(u4)), quote(concat(upper(u4),b)), lower(concat(upper(u4),b)), upper(concat('a',b)), lower(upper(u4)) = binary 'abc' from t;
select case upper(u4) when binary 'ABC' then 1 when binary 'x' then 2 else 3 end, case lower(upper(u4)) when binary 'abc' then 1 when 'x' then 2 else 3 end, case binary 'ABC' when upper(u4) then 1 when 'x' then 2 else 3 end from t;
select convert_tz('2020-01-02','+13:00','+00:00'), convert_tz('2020-01-02','+13:01','+00:00'), convert_tz('2020-01-02','+14:00','+00:00'), convert_tz('2020-01-02','-12:59','+00:00'), convert_tz('2020-01-02','-13:00','+00:00');
set time_zone='+14:00';
set time_zone='+13:00';
set time_zone=default;
