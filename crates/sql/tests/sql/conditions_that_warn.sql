=> create table w (id int, s varchar(5))
=> insert into w values (1,'x')
=> set sql_mode=''
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 'x' = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 'x' = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while 'x' = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while 'x' = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 'x' = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 'x' = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif 'x' = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif 'x' = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case cast('x' as signed) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case cast('x' as signed) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while cast('x' as signed) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while cast('x' as signed) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until cast('x' as signed) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until cast('x' as signed) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif cast('x' as signed) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif cast('x' as signed) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n = 2.5 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n = 2.5 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n = 2.5 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n = 2.5 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2.5 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2.5 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n = 2.5 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n = 2.5 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case (select s from w) = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case (select s from w) = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while (select s from w) = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while (select s from w) = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until (select s from w) = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until (select s from w) = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif (select s from w) = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif (select s from w) = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1/0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1/0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while 1/0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while 1/0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 1/0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 1/0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif 1/0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif 1/0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n in (1,2) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n in (1,2) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n in (1,2) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n in (1,2) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n in (1,2) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n in (1,2) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n in (1,2) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n in (1,2) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when not @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when not @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif not @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif not @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif 1 and @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif 1 and @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n = 2 or 1 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n = 2 or 1 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n = 2 or 1 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n = 2 or 1 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or 1 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or 1 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 or 1 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 or 1 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case if(@n = 2,1,0) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case if(@n = 2,1,0) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while if(@n = 2,1,0) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while if(@n = 2,1,0) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until if(@n = 2,1,0) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until if(@n = 2,1,0) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif if(@n = 2,1,0) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif if(@n = 2,1,0) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif dv = @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif dv = @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case v = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case v = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while v = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while v = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until v = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until v = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif v = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif v = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set sql_mode='strict_all_tables'
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 'x' = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 'x' = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 'x' = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when 'x' = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while 'x' = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while 'x' = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 'x' = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 'x' = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif 'x' = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif 'x' = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when cast('x' as signed) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case cast('x' as signed) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case cast('x' as signed) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when cast('x' as signed) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while cast('x' as signed) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while cast('x' as signed) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until cast('x' as signed) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until cast('x' as signed) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif cast('x' as signed) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif cast('x' as signed) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2.5 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n = 2.5 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n = 2.5 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n = 2.5 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n = 2.5 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n = 2.5 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2.5 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2.5 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n = 2.5 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n = 2.5 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when (select s from w) = 2 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case (select s from w) = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case (select s from w) = 2 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when (select s from w) = 2 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while (select s from w) = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while (select s from w) = 2 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until (select s from w) = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until (select s from w) = 2 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif (select s from w) = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif (select s from w) = 2 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1/0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1/0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1/0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when 1/0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while 1/0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while 1/0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 1/0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until 1/0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif 1/0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif 1/0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n in (1,2) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n in (1,2) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n in (1,2) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n in (1,2) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n in (1,2) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n in (1,2) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n in (1,2) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n in (1,2) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n in (1,2) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n in (1,2) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when not @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when not @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when not @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif not @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif not @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when 1 and @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when 1 and @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif 1 and @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif 1 and @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when @n = 2 or 1 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case @n = 2 or 1 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case @n = 2 or 1 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when @n = 2 or 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while @n = 2 or 1 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while @n = 2 or 1 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or 1 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until @n = 2 or 1 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 or 1 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif @n = 2 or 1 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when if(@n = 2,1,0) then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case if(@n = 2,1,0) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case if(@n = 2,1,0) when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when if(@n = 2,1,0) then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while if(@n = 2,1,0) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while if(@n = 2,1,0) do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until if(@n = 2,1,0) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until if(@n = 2,1,0) or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif if(@n = 2,1,0) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif if(@n = 2,1,0) then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when dv = @n then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when dv = @n then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif dv = @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif dv = @n then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case when v = 0 then set @r = concat(@r,'T'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case v = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case v = 0 when 1 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; case 1 when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; case 1 when v = 0 then set @r = concat(@r,'T'); else set @r = concat(@r,'E'); end case; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; l: while v = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; l: while v = 0 do set @r = concat(@r,'T'); set @k=@k+1; if @k > 2 then leave l; end if; end while; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until v = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; repeat set @k=@k+1; set @r=concat(@r,'R'); until v = 0 or @k > 2 end repeat; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlwarning set @h=@h+1; if 0 then set @r='q'; elseif v = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> set @r='', @h=0, @k=0, @n='x,y'
=> begin not atomic declare v varchar(5) default 'x'; declare iv int default 2; declare dv decimal(5,2) default 2; declare continue handler for sqlexception set @h=@h+1; if 0 then set @r='q'; elseif v = 0 then set @r=concat(@r,'T'); else set @r=concat(@r,'E'); end if; set @r = concat(@r,'.'); end
=> select @r, @h
=> drop table w
=> set sql_mode=default
