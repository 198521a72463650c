set names utf8mb4;
create or replace table j (i int, b bool, d decimal(5,2), f double, s varchar(10), bl blob, bi bit(4), e enum('a','b'), dt date, ts datetime(3), tm time, y year, js json, l longtext);
insert into j values (1,true,1.50,1.5,'x"y','bin',b'101','a','2020-01-02','2020-01-02 03:04:05.5','10:11:12',2020,'{"a": 1}','{"a": 1}');
select json_array(i,b,d,f,s,bl,bi,e,dt,ts,tm,y,js,l) from j;
select json_array(true,false,1=1,i=1,null,not i, i in (1), i is null, exists(select 1)) from j;
select json_object('k',js,'l',l,'m',concat(js,''), 'n', json_extract(js,'$'),'o',json_unquote(js),'p',json_quote('x'),'q',json_type(js),'r',json_value(js,'$.a'),'s',json_valid(js)) from j;
select json_array(ifnull(js,'x'), coalesce(js), (select js), if(1,js,js), case when 1 then js end, max(js)) from j;
select json_array(x) from (select js x from j) d;
select json_array(x) from (select json_array(1) x) d;
select json_quote(1),json_quote('a'),json_quote(js),json_quote(dt),json_quote(e),json_quote(null) from j;
select json_depth(repeat('[',31)),json_valid(concat(repeat('[',31),repeat(']',31))),json_valid(concat(repeat('[',32),repeat(']',32))),json_valid(concat(repeat('[',33),repeat(']',33)));
select json_depth(concat(repeat('[',32),repeat(']',32))),json_extract(concat(repeat('[',33),repeat(']',33)),'$'),json_depth(concat(repeat('{"a":',33),'1',repeat('}',33)));
select json_set('{"a":1}','$.a',b,'$.b',js,'$.c',l,'$.d',s,'$.e',dt,'$.f',null,'$.g',1.50,'$.h',1e100,'$.i',true) from j;
select json_set(null,'$.a',1), json_set('{}',null,1), json_insert('{}','$.a',null), json_array_append('[]','$',null), json_array_insert('[]','$[0]',null), json_remove('{}',null),json_merge('[1]',null),json_merge_patch('{"a":1}',null),json_merge_patch(null,'{"a":1}'),json_merge_patch('{"a":1}',null,'[1]'),json_contains_path(null,'one','$'),json_contains_path('{}',null,'$'),json_contains_path('{}','one',null),json_search(null,'one','a'),json_search('["a"]',null,'a'),json_search('["a"]','one',null),json_search('["a"]','one','a',null,null);
select json_object(), json_array(), json_object('a',1,'a',2), json_object(1,2,null,3,'x"y',4);
select json_detailed('{"a":{},"b":[],"c":[[],{}],"d":"x","e":{"f":[1,2]}}'),json_detailed('[]'),json_detailed('1'),json_detailed('{}'),json_detailed('[[1,[2]],{"a":1}]',2),json_detailed('{"a":[]}',0),json_detailed('{"a":[1]}',20),json_detailed('{"a":[1]}',-1),json_detailed('{"a":[1]}',null);
select json_compact('{"a" : [ 1 , {"b":"x y"} ] }'),json_loose('{"a":[1,{"b":"x y"}],"c":{},"d":[]}'),json_loose(' [ ] '),json_compact(' "a" ');
select json_keys('{"a":1,"a":2,"b\\"":3,"\\u0061":4}') c0, json_keys('{}') c1, json_keys('[1]') c2, json_keys('{"a":{"b":1}}','$.a') c3, json_keys('{"a":1}','$.a') c4, json_keys('{"a":1}','$.*') c5, json_keys('{"a":1}','$.c') c6;
select json_length('{"a":[1,2,3]}','$.a'),json_length('{"a":[1,2,3]}','$.*'),json_length('{"a":[1,2,3]}','$.b'),json_length('[1,2]','$[0]'),json_length('[[1,2],{"a":1,"b":2}]','$[1]');
select json_normalize('{"b":1,"a":[1.50,100,-0,0.001,1e5,-1.2e-3,"x\\u0041\\n"],"A":null,"a":2}') c0;
select json_normalize('1') c0, json_normalize('0') c1, json_normalize('-0.0') c2, json_normalize('123456789012345678901234567890') c3, json_normalize('1e400') c4, json_normalize('0.1e1') c5, json_normalize('"é\\/"') c6, json_normalize('[]') c7, json_normalize('{}') c8;
select json_equals('[1,2]','[2,1]') c0, json_equals('{"a":1,"b":2}','{"b":2.0,"a":1e0}') c1, json_equals(null,'1') c2, json_equals('"A"','"a"') c3, json_equals('"\\u0041"','"A"') c4;
select json_overlaps('[1,2]','[2,3]'),json_overlaps('{"a":1,"b":2}','{"b":2,"c":3}'),json_overlaps('[1]','1'),json_overlaps('1','[1]'),json_overlaps('"a"','"a"'),json_overlaps('[[1,2]]','[1]'),json_overlaps('[[1,2]]','[[1,2]]'),json_overlaps('{"a":[1]}','{"a":[1,2]}'),json_overlaps('[{"a":1}]','{"a":1}'),json_overlaps('{"a":1}','[{"a":1,"b":2}]'),json_overlaps('1','1.0'),json_overlaps('true','true'),json_overlaps('[]','[]'),json_overlaps('{}','{}'),json_overlaps(null,'1'),json_overlaps('[1,[2]]','[[2]]'),json_overlaps('[{"a":1,"b":2}]','[{"a":1}]'),json_overlaps('{"a":{"b":1}}','{"a":{"b":1,"c":2}}');
select json_search('{"a":"abc","b":["ABC","x_y",{"c d":"abc"}]}','all','abc') c0, json_search('{"a":"abc","b":["ABC","x_y",{"c d":"abc"}]}','all','%b%') c1, json_search('["x_y","xzy"]','all','x|_y','|') c2, json_search('["x_y","xzy"]','all','x_y') c3, json_search('["x_y","xzy"]','all','x\\_y') c4, json_search('["10",10]','all','10') c5, json_search('["x"]','two','x') c6, json_search('[["x"],"x"]','one','x') c7, json_search('[["x"],"x"]','all','x',null,'$[0]','$[*]') c8;
select json_array_insert('[1,2]','$[0]',9),json_array_insert('[1,2]','$[last]',9),json_array_insert('[1,2]','$[-1]',9),json_array_insert('[1,2]','$[5]',9),json_array_insert('{"a":[1]}','$.a[0]',9,'$.a[1]',8),json_array_insert('[1]','$',9),json_array_insert('1','$[0]',9),json_array_insert('{"a":1}','$.b[0]',9);
select json_array_append('{"a":1}','$.a',2),json_array_append('{"a":1}','$.b',2),json_array_append('[1,[2]]','$[1]',3,'$[0]',4),json_array_append('1','$',2),json_array_append('[]','$',2),json_array_append('{}','$',2);
select json_remove('{"a":1,"b":2,"c":3}','$.b'),json_remove('[1,2,3]','$[last]','$[0]'),json_remove('[1]','$[0]'),json_remove('{"a":{"b":1}}','$.a.b'),json_remove('{"a":1}','$'),json_remove('{"a":1}','$.*'),json_remove('[1,2,3]','$[5]'),json_remove('{"a":1, "b": 2}','$.a[0]');
select json_merge('1','2'),json_merge('{"a":1}','{"a":2}','{"a":{"b":1}}'),json_merge('{"a":{"b":1}}','{"a":{"c":1}}'),json_merge('[1]','{"a":1}'),json_merge('{"a":1}','[1]'),json_merge('{"a":1}','1');
select json_merge_patch('{"a":1,"b":{"c":1,"d":2}}','{"b":{"c":null,"e":{"f":null,"g":1}}}'),json_merge_patch('1','{"a":null}'),json_merge_patch('{"a":1}','2'),json_merge_patch('{"a":[1]}','{"a":[{"b":null}]}'),json_merge_patch('{"a":null}','{}'),json_merge_patch('{"a":null}','{"b":null}');
select json_value('{"a":"x\\ny\\u00e4\\/","b":true,"c":null,"d":1.50}','$.a') c0, json_value('{"b":true}','$.b') c1, json_value('[{"a":1}]','$[0].a') c2, json_value('{"a":[1],"a":2}','$.a') c3, json_query('{"a":1,"a":[2]}','$.a') c4, json_query('{"a":{"b":[1]}}','$.a') c5, json_query('{"a": [ 1 ,2]}','$.a') c6, json_query('1','$') c7;
select json_unquote('"a\\"b\\\\c\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00"') c0, json_unquote('"a') c1, json_unquote(123) c2, json_unquote('  "a"') c3, json_unquote('"a" ') c4, json_unquote('""') c5, json_unquote('"\\q"') c6;
select json_type('1'),json_type('-1'),json_type('1.0'),json_type('1e2'),json_type('true'),json_type('null'),json_type(null),json_type(1),json_type('"x"'),json_type(' {} '),json_type(12345678901234567890);
select json_contains('{"a":{"b":1,"c":2}}','{"a":{"b":1}}'),json_contains('[1,[2,3]]','[2]'),json_contains('[1,[2,3]]','[[2]]'),json_contains('[{"a":1,"b":2}]','{"a":1}'),json_contains('{"a":1}','{}'),json_contains('[]','[]'),json_contains('[1]','[]'),json_contains('1','[1]'),json_contains('[1]','1'),json_contains('"a"','"A"'),json_contains('true','true'),json_contains('[null]','null'),json_contains('{"a":[1,2]}','1','$.a'),json_contains('{"a":[1,2]}','1','$.*'),json_contains('[1,1]','[1,1,1]'),json_contains('{"a":1}','1'),json_contains('[[1,2]]','[1,2]'),json_contains('[[1,2]]','1'),json_contains('1.0','1'),json_contains('{"a":1}','[1]');
select json_exists('{"a":1}',null),json_exists(null,'$'),json_value('{"a":1}',null);
select json_extract('{"a":1}','$.a','$.a'),json_extract('{"a":1,"b":2}','$.b','$.a'),json_extract('{"a":1}','$.b','$.c'),json_extract('{"a":"x"}','$.a')='x',json_extract('{"a":"1.5"}','$.a')+1,json_extract('{"a":1,"b":{"c":1}}','$.*','$.b.c'),json_extract('{"a":1}','$.a',null),json_extract('{"a":{"a":1}}','$.a','$.a.a'),json_extract('{"a":1,"a":2}','$.a'),json_extract('{"a":{"x":1},"a":{"b":2}}','$.a.b');
select json_extract('x','a');
select json_extract('{"a":1}',concat('$',repeat('.a',31)));
select json_extract('{"a":1}',concat('$',repeat('.a',32)));
select json_extract('{"a":1}',concat('$',repeat('[0]',33)));
select json_set('x','a',1);
select json_set('x','$.a',1);
select json_remove('x','a');
select json_value('x','a');
select json_search('x','one','a',null,'a');
select json_contains_path('x','one','a');
select json_contains('x','y','a');
select json_contains('1','y');
select json_array_insert('[1]','$.a',1);
select json_array_insert('[1]','$',1);
select json_extract('1','$*'), json_extract('1','$**x');
select json_detailed('[[1]]'),json_detailed('[{"a":1}]'),json_detailed('["abc"]'),json_detailed('{"a":[1],"b":[1,2]}'),json_detailed('[[]]'),json_detailed('[[1,2]]'),json_detailed('[true]'),json_detailed('[[[1]]]');
select json_valid(cast('"é"' as char character set latin1)) c0, json_extract(_latin1'{"a":"\xe9"}','$.a') c1, json_valid(_binary'"\xe9"') c2, json_valid(_utf8mb4'"\xe9"') c3, json_valid(_latin1'"\xe9",x') c4;
select json_extract('["1]','$') c0, json_extract('[tru','$') c1, json_extract('[1e]','$') c2, json_extract('[1.e5]','$') c3, json_extract('[-]','$') c4, json_extract('[-x]','$') c5, json_extract('[1x]','$') c6, json_extract('[tRue]','$') c7, json_extract('["\\u00zz"]','$') c8, json_extract('["\\ud800x"]','$') c9, json_extract('["\\ud800\\u0041"]','$') c10, json_extract('["\\udc00"]','$') c11, json_extract('"\\','$') c12, json_extract('"\\u00','$') c13, json_extract('"\\ud800','$') c14, json_extract('{"a"','$') c15, json_extract('{"a":','$') c16, json_extract('{"a":}','$') c17, json_extract('{,}','$') c18, json_extract('[,1]','$') c19, json_extract('{"a":1 "b":2}','$') c20, json_extract('{"a":1,2}','$') c21, json_extract('{1:2}','$') c22, json_extract('[1]x','$') c23, json_extract('-0','$') c24, json_extract('-01','$') c25, json_extract('[00]','$') c26, json_extract('1.2.3','$') c27, json_extract('1e+5','$') c28, json_extract('1e5.0','$') c29, json_extract('1E5','$') c30, json_extract('nulll','$') c31;
select json_array_append('x','$',1), json_array_append('[1','$',1);
select json_merge_patch('x','{}'),json_merge_patch('{}','x');
select json_equals('x','y'),json_equals('1','y'),json_overlaps('x','1');
select json_extract('{"a":1,"b":[1,{"a":2}]}','$.a','$**.a','$.b[0 to 1]');
select json_extract('[1,2,3]','$[0]','$[*]'), json_extract('[[1],[2]]','$[*][0]','$[1]');
select json_object('a',1,'b',null,'c',json_object('x','y'), 'd', '{"a":1}');
select json_object('a');
select json_object(null,1);
select json_array();
select json_object();
select json_extract('{"a": [1, 2, {"b" : 3}], "c" : "x"}', '$.a'), json_extract('{"a": [1, 2, {"b" : 3}], "c" : "x"}', '$.a[2].b'), json_extract('{"a": [1, 2, {"b" : 3}], "c" : "x"}', '$.c'), json_extract('{"a":1,"b":2}', '$.a','$.b'), json_extract('{"a":1,"b":2}', '$.*'), json_extract('[1,2,[3,4]]','$[*]'), json_extract('[1,2,[3,4]]','$[2][0]'), json_extract('{"a":{"b":1},"b":2}','$**.b'), json_extract('[1,2,3]','$[-1]'), json_extract('[1,2,3]','$[last]'),json_extract('[1,2,3]','$[0 to 1]'), json_extract('{"a":1}','$.x');
select json_extract('{"a":1','$.a');
select json_extract('{"a":1}','$.');
select json_extract('{"a":1}','a');
select json_extract('[1]',null), json_extract(null,'$');
select json_value('{"a": "x\\"y", "b":[1], "c":1.50, "d":true, "e":null}', '$.a') c0, json_value('{"a": "x", "b":[1], "c":1.50}', '$.b') c1, json_value('{"c":1.50}', '$.c') c2, json_value('{"d":true}','$.d') c3, json_value('{"e":null}','$.e') c4, json_value('{"b":[1]}','$.b[0]') c5;
select json_query('{"a":"x","b":[1, 2],"c":{"x" : 1}}','$.a'), json_query('{"b":[1, 2]}','$.b'), json_query('{"c":{"x" : 1}}','$.c');
select json_exists('{"a":1}','$.a'), json_exists('{"a":1}','$.b'), json_exists('{"a":1','$.b');
select json_unquote('"abc\\n\\u0041"') c0, json_unquote('abc') c1, json_unquote('[1]') c2, json_unquote(null) c3, json_quote('a"b\n') c4, json_quote('x') c5, json_quote(1) c6, json_quote(null) c7;
select json_type('{}'), json_type('[]'), json_type('"a"'), json_type('1'), json_type('1.5'), json_type('true'), json_type('null'), json_type('1e3'), json_type('x');
select json_length('{"a":1,"b":[1,2]}'), json_length('{"a":1,"b":[1,2]}','$.b'), json_length('1'), json_length('[]'), json_length('[1','$'), json_length('{"a":1}','$.x');
select json_depth('1'), json_depth('[]'), json_depth('{"a":[1,{"b":2}]}'), json_depth('{'), json_depth(null);
select json_keys('{"a":1,"b":{"c":2}}'), json_keys('{"a":1,"b":{"c":2}}','$.b'), json_keys('[1]'), json_keys('{"a":1,"a":2}');
select json_contains('{"a":1,"b":{"c":2}}','1','$.a'), json_contains('{"a":1,"b":{"c":2}}','{"a":1}'), json_contains('[1,2,3]','[1,3]'), json_contains('[1,2,3]','4'), json_contains('[1,[2,3]]','[[3]]'), json_contains('{"a":1}','1','$.x'), json_contains('"a"','"a"'), json_contains('1','1.0');
select json_contains_path('{"a":1}','one','$.a','$.b'), json_contains_path('{"a":1}','all','$.a','$.b'), json_contains_path('{"a":1}','x','$.a');
select json_search('["abc",{"x":"abc"},"d"]','one','abc'), json_search('["abc",{"x":"abc"},"d"]','all','abc'), json_search('["abc",{"x":"abc"},"d"]','all','a%'), json_search('["abc",{"x":"abc"},"d"]','all','d',null,'$[2]'), json_search('["a"]','one','x');
select json_set('{"a":1}','$.a',2,'$.b','x'), json_insert('{"a":1}','$.a',2,'$.b','x'), json_replace('{"a":1}','$.a',2,'$.b','x'), json_set('[1,2]','$[1]',9,'$[5]',7), json_set('{"a": 1, "b" : [1,2]}', '$.b[0]', json_array(1)), json_set('1','$[1]',2), json_set('{"a":1}','$.x.y',1), json_insert('[1]','$[0]',2);
select json_remove('{"a":1,"b":2}','$.a'), json_remove('[1,2,3]','$[1]'), json_remove('{"a":1}','$.x'), json_remove('{"a" : 1 , "b" : [1 , 2]}','$.b[0]'), json_remove('{"a":1}','$');
select json_array_append('[1,2]','$',3), json_array_append('{"a":1}','$.a',2), json_array_append('[[1],2]','$[0]',9), json_array_insert('[1,2]','$[1]',9), json_array_insert('[1,2]','$[9]',9), json_array_insert('{"a":1}','$.a',1);
select json_merge('[1]','[2]'), json_merge('{"a":1}','{"a":2,"b":3}'), json_merge('1','[2]'), json_merge_preserve('{"a":[1]}','{"a":2}'), json_merge_patch('{"a":1,"b":2}','{"a":null,"c":{"d":null,"e":1}}'), json_merge_patch('{"a":1}','[1]'), json_merge_patch('1','{"a":1}');
select json_compact('{ "a" : [ 1 , 2 ] }'), json_loose('{"a":[1,{"b":2}],"c":{}}'), json_detailed('{"a":[1,{"b":2}],"c":{},"d":[]}'), json_pretty('[]'), json_detailed('{"a":1}',2), json_compact('[1');
select json_equals('{"a":1,"b":2}','{"b":2,"a":1}'), json_equals('[1,2]','[2,1]'), json_equals('1','1.0'), json_normalize('{"b":1,"a":[1.0,10,"x"]}'), json_overlaps('[1,2]','[2,3]'), json_overlaps('{"a":1}','{"a":1,"b":2}'), json_overlaps('[1]','1'), json_overlaps('{"a":1}','{"a":2}');
select json_arrayagg(a), json_objectagg(ifnull(c,'n'),b) from (select 1 a, 2 b, 'x' c union select null, 3, 'y') d;
select json_arrayagg(a order by a desc limit 2), json_arrayagg(distinct a) from (select 1 a union all select 2 union all select 2) d;
create or replace table j (id int, d longtext, v varchar(30), n decimal(5,2));
insert into j values (1, '{"a": 1, "b": [1, 2, {"c": "x"}]}', 'one', 1.5), (2, '[1, "two", null]', 'tw"o', null), (3, null, null, 3), (4, 'no json', 'four', 4);
select id, json_extract(d, '$.a'), json_value(d, '$.b[2].c'), json_query(d, '$.b'), json_length(d), json_type(d), json_valid(d) from j order by id;
select id, json_set(d, '$.a', n, '$.z', v) from j where id < 3 order by id;
select json_arrayagg(v), json_objectagg(v, n) from j;
select id % 2 k, json_arrayagg(n order by id desc) from j group by k order by k;
select json_object('list', json_arrayagg(v)) from j;
select json_extract('{"a":{"b":[1,2,{"c":5}]}}', '$.a.b[*].c', '$.a.b[0]'), json_extract('[[1,2],[3,4]]', '$[*][1]'), json_extract('{"x y":1}', '$."x y"');
select json_set('{"a":[]}', '$.a[0]', 'x'), json_insert('{"a":1}', '$.b', json_array(1, 2)), json_replace('[1,2,3]', '$[last]', 9), json_array_append('{"a":{"b":[1]}}', '$.a.b', 2, '$.a.b', json_object());
select json_merge_preserve('[1,2]', '{"a":1}', '3'), json_merge_patch('{"a":{"b":1}}', '{"a":{"c":2}}', '{"d":1}');
select json_contains('{"a":[1,2]}', '[1]', '$.a'), json_contains('[{"a":1},{"b":2}]', '{"b":2}'), json_contains(null, '1'), json_contains('[1]', null);
select json_keys('{}'), json_keys('{"a b":1}'), json_depth('{}'), json_depth('[[[]]]'), json_length('{}'), json_length(null);
select json_unquote(json_extract('{"a":"q\\u00e4"}', '$.a')) c0, json_quote('ä') c1, json_compact(' [ ] ') c2, json_loose('{"a":{}}') c3;
drop table j;
select json_normalize('{"a":null,"a":true,"a":false,"a":123,"a":"string","a":[1,2],"a":[],"a":{"x":1},"a":{},"a":[null],"a":[{}]}');
select json_equals('{"a":4,"a":3,"b":2,"b":1}','{"b":1,"a":3,"b":2,"a":4}'), json_normalize('{"a":{"x":{"y":1}},"a":{"x":{"y":[1,2]}},"a":{"x":{}},"a":"y","a":"x"}');
select json_object('a',json_detailed('{"b":[1,2]}')), json_array(json_compact('[1, 2]'),json_loose('[1,2]'),json_query('{"a":[1,2]}','$.a')), json_array(json_compact(null));
select cast(json_extract('{"x":true}','$.x') as double), cast(json_extract('{"x":"1.5"}','$.x') as decimal(5,2)), sum(json_extract('{"x":"7"}','$.x')), -json_extract('{"x":"7"}','$.x');
select json_arrayagg(1,2);
=> select json_overlaps('[[1]]', '[[1,2]]')
=> select json_overlaps('[1,2]', '[[1,2]]')
=> select json_overlaps('[[1,2]]', '[1,2]')
=> select json_overlaps('{"a":[1,2]}', '{"a":[1]}')
=> select json_overlaps('{"a":[1]}', '{"a":[1,2]}')
=> select json_overlaps('{"a":[1,2]}', '{"a":[2,1]}')
=> select json_overlaps('{"a":[2,1]}', '{"a":[2]}')
=> select json_overlaps('{"a":{"b":1}}', '{"a":{"b":1,"c":2}}')
=> select json_overlaps('{"a":{"b":1,"c":2}}', '{"a":{"b":1}}')
=> select json_overlaps('{"a":{"b":1,"c":2}}', '{"a":{"c":2,"b":1}}')
=> select json_overlaps('[{"b":1,"c":2}]', '[{"b":1}]')
=> select json_overlaps('[{"b":1,"c":2}]', '[{"c":2,"b":1}]')
=> select json_overlaps('[{"b":1}]', '[{"b":1,"c":2}]')
=> select json_overlaps('[[[1,2]]]', '[[[1]]]')
=> select json_overlaps('[[1,[2,3]]]', '[[1,[2]]]')
=> select json_overlaps('[[1,[2]]]', '[[1,[2,3]]]')
=> select json_overlaps('[[1,{"a":1}]]', '[[1]]')
=> select json_overlaps('[[1,{"a":1}]]', '[[1,{"a":1}]]')
=> select json_overlaps('[[1,{"a":1,"b":2}]]', '[[1,{"a":1}]]')
=> select json_overlaps('[[]]', '[[1]]')
=> select json_overlaps('[[1]]', '[[]]')
=> select json_overlaps('[1]', '[[]]')
=> select json_overlaps('[[]]', '[1]')
=> select json_overlaps('[]', '[[]]')
=> select json_overlaps('[[1,2],[3]]', '[[3,4],[1]]')
=> select json_overlaps('[[1]]', '1')
=> select json_overlaps('1','[[1]]')
=> select json_overlaps('[[1,2]]','[1,[1]]')
=> select json_overlaps('[1,[1]]','[[1,2]]')
=> select json_overlaps('{"a":[1,2]}','[{"a":[1]}]')
=> select json_overlaps('[{"a":[1]}]','{"a":[1,2]}')
=> select json_overlaps('[{"a":[1,2]}]','{"a":[1]}')
=> select json_value('{"a": {"b": {"c": 5}}, "k": "v"}', '$**.c')
=> select json_merge_preserve('', NULL)
=> select json_merge_preserve('x', NULL)
=> select json_merge_preserve(NULL, 'x')
=> select json_query(NULL, '$.')
=> select json_value(NULL, '$.')
=> select json_merge_preserve(NULL, 'x')
=> create or replace table t1(id int, c varchar(12) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci, n int, d date)
=> insert into t1 values (1,' ',0,'2020-01-01'),(2,null,null,null),(3,'',-5,'2019-01-01'),(4,null,null,null),(5,' ',3,'2018-01-01'),(6,'',0,'2020-01-01')
=> select group_concat(ifnull(id,0) order by c,id) from t1
=> select group_concat(id order by c,id) from t1
=> select group_concat(ifnull(id,0) order by n,id) from t1
=> select json_arrayagg(id order by n,id) from t1
=> select json_arrayagg(id order by d,id) from t1
=> select json_arrayagg(id order by n desc,id) from t1
=> select json_arrayagg(id order by c desc,id) from t1
=> select json_arrayagg(n order by n desc,id) from t1
=> select json_arrayagg(n order by n,id) from t1
=> select json_arrayagg(distinct n order by n) from t1
=> select json_arrayagg(c order by c) from t1 group by n is null
=> drop table t1
=> select json_query('[1,[2]]','$[*]'), json_query('[[1],2]','$[*]'), json_query('[1,{"a":2}]','$[*]'), json_query('[1,2]','$[*]')
=> select json_query('{"a":1,"b":[1]}','$.*'), json_query('{"a":[1],"b":1}','$.*'), json_query('{"a":1,"b":2}','$.*')
=> select json_query('[1, "a", [], {}]', '$[*]')
=> select json_query('[1, 2.5, [], {}]', '$[*]')
=> select json_query('[null, [], {}]', '$[*]')
=> select json_query('[true, [], {}]', '$[*]')
=> select json_query('[1, 2.5, "a", null, true, [], {}]', '$[*]')
=> select json_query('[1, 2.5, "a", null, true, []]', '$[*]')
=> select json_query('[1, null, [3]]', '$[*]')
=> select json_query('[1, true, [3]]', '$[*]')
=> select json_query('[1, "a", [3]]', '$[*]')
=> select json_query('["a", [3]]', '$[*]')
=> select json_query('["a", "b", [3]]', '$[*]')
=> select json_query('[1, 2, [3]]', '$[*]')
=> select json_query('[1, 2, 3, [3]]', '$[*]')
=> select json_query('[1, 2, 3, 4, [3]]', '$[*]')
=> select json_query('[1, 2, 3, 4, 5, [3]]', '$[*]')
=> select json_query('[1, 2, 3, 4, 5, [3], 5, [7]]', '$[*]')
=> select json_query('[1, 2, 3, 4, 5, [3], 5, [7]]', '$[5]')
=> select json_query('{"a":1,"b":2,"c":[1]}','$.*'), json_query('{"a":1,"b":2,"c":4,"d":[1]}','$.*')
=> select json_query('[[1,2],[3,[4]]]','$[*][*]'), json_query('[[1,2],[3,[4]]]','$[*][1]'), json_query('[[1,[2]],[3,[4]]]','$[*][*]'), json_query('[[1,2],[3,[4]]]','$**[1]')
=> select json_value('[[1],2]','$[*]'), json_value('[[1],[2],2]','$[*]'), json_value('[[1],[2],[4],2]','$[*]'), json_value('{"a":[1],"b":{},"c":3}','$.*')
=> select json_query('{"a":null,"b":[1]}','$.*') a, json_query('{"c":{"a":null}}','$.c.a') b, json_value('[[1],null,3]','$[*]') c, json_query('[null,[3]]','$**') d, json_query('[1,[null,[2]],[3]]','$[*][*]') e
-- members of one name
select json_merge_preserve('{"a":1}','{"a":3,"a":4}'), json_merge_preserve('{"b":1}','{"a":3,"a":4}'), json_merge_preserve('{"a":1,"a":2}','{"a":3}'), json_merge_preserve('{"a":{"x":1},"a":2}','{"a":{"x":3},"a":4}');
select json_merge_patch('{"a":1}','{"a":3,"a":4}'), json_merge_patch('{"a":1,"a":2}','{"a":3}'), json_merge_patch('{"a":1}','{"a":4,"a":null}'), json_merge_patch('{"a":1}','{"a":{"b":2,"b":3}}'), json_merge_patch('[1]','{"a":3,"a":null}'), json_merge_patch('{"n":null}','{"a":{"b":null}}');
