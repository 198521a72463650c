=> create table tz (id int, d date, z date, t datetime, s varchar(30), ts timestamp null)
=> set sql_mode=''
=> insert into tz values (1,'0000-00-00','2001-00-01','0000-00-00','0000-00-00',0)
=> set sql_mode='no_zero_date,no_zero_in_date'
=> select cast(d as date) from tz
=> select cast(t as date) from tz
=> select cast(d as datetime) from tz
=> select cast(t as datetime) from tz
=> select cast(t as datetime(3)) from tz
=> select cast(ts as date) from tz
=> select date(d) from tz
=> select date(t) from tz
=> select cast(z as date) from tz
=> select cast(z as datetime) from tz
=> select date(z) from tz
=> select cast(s as date) from tz
=> select cast(d as time) from tz
=> select cast(t as time) from tz
=> select timestamp(d) from tz
=> select timestamp(t) from tz
=> select timestamp(s) from tz
=> select if(1,d,t) from tz
=> select case when 1 then d else t end from tz
=> select concat(cast(d as date)) from tz
=> select cast(d as date) = 0 from tz
=> select cast(d as datetime) = t from tz
=> select date(t) = d from tz
=> select date(t)+0 from tz
=> select last_day(d) from tz
=> select dayname(d) from tz
=> select to_days(d) from tz
=> select unix_timestamp(d) from tz
=> select date_format(d,'%Y') from tz
=> select time(t) from tz
=> select * from tz where date(t) = '0000-00-00'
=> select * from tz where cast(d as datetime) is null
=> select cast(0 as date) from tz
=> select cast(id*0 as date) from tz
=> select cast('0000-00-00' as date) from tz
=> select date('0000-00-00') from tz
=> select str_to_date('0000-00-00','%Y-%m-%d') from tz
=> select addtime(t,'1:00:00') from tz
=> drop table tz
=> set sql_mode=default
