=> create table u3 (id int, n4 bigint unsigned)
=> insert into u3 values (1,18446744073709551615),(2,3)
=> create function ff() returns int begin set @n=@n+1; return 1; end
=> set @n=0
=> select sum(-n4) from u3 limit 0
=> select sql_calc_found_rows -n4 from u3 limit 0
=> select sql_calc_found_rows id from u3 limit 0
=> select found_rows()
=> select id from u3 where ff() limit 0
=> select @n
=> select count(*) from u3 where ff() limit 0
=> select @n
=> select distinct ff() from u3 limit 0
=> select @n
=> select sql_calc_found_rows id from u3 group by id limit 0
=> select found_rows()
=> select id from u3 union select id+ff() from u3 limit 0
=> select @n
=> select sql_calc_found_rows id from u3 union all select id from u3 limit 0
=> select found_rows()
=> select * from (select -n4 from u3 group by 1 limit 0) q
=> insert into u3 select -n4, 1 from u3 limit 0
=> select id from u3 where id in (select -n4 from u3 group by 1 limit 0)
=> select exists(select -n4 from u3 group by 1 limit 0)
=> with c as (select -n4 from u3 group by 1 limit 0) select * from c
=> set sql_select_limit=0
=> select -n4 from u3 group by 1
=> select sum(-n4) from u3
=> set sql_select_limit=default
=> explain select -n4 from u3 group by 1 limit 0
=> explain select id from u3 union select id from u3 limit 0
=> prepare s from 'select -n4 from u3 group by 1 limit ?'
=> set @z=0
=> execute s using @z
=> select id, count(id) over (partition by -n4) as x from u3 order by x desc limit 0
=> select -n4 from u3 limit 5 offset 10
=> (select id from u3) union (select -n4 from u3) limit 0
=> update u3 set id=-n4 limit 0
=> delete from u3 where -n4 > 0 limit 0
=> select (select sum(id) from u3 where -n4 limit 0)
