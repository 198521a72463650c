<?php
// phpMyAdmin by its routes and forms.   php phpmyadmin.php URL PORT
require __DIR__ . '/browser.php';
[, $base, $port] = $argv;
$web = new Browser($base);
$token = '';
// Without what is another one at each run or each server: times, tokens, versions, places; and without the lists of collations and
// engines that many pages show again (tests of their own).
$plain = fn (string $t) => preg_replace(['/\b\w+_uca1400_\w+ /', '/Storage engine( (CSV|MRG_MyISAM|MEMORY|Aria|MyISAM|SEQUENCE|InnoDB))+/', '/PUBLIC No The selected.*? Lock /', '/mariadb\.sys localhost.*? Unlock /', '/127\.0\.0\.1:\d+/', "/\\b$port\\b/", '/\d+\.\d{4} seconds/', '/\d+\.\d+\.\d+-MariaDB\S*/', '/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/', '/[A-Z][a-z]{2} \d\d, \d{4} at \d\d:\d\d(:\d\d)?( [AP]M)?/', '/\b\d\d:\d\d:\d\d\b/', "/$GLOBALS[token]/", '/PHP Version: \S+|Generation Time: .*/', '/(Server version|Host|Generation Time)(&nbsp;| )*:[^\n]*/'],
    ['', 'Storage engine', '', '', 'HERE', 'PORT', 'SECONDS', 'VERSION', 'TIME', 'TIME', 'TIME', 'TOKEN', '', ''], $t);
// A page, or a form sent, in the way of its own scripts: as JSON.
$ask = function (string $route, array $fields = [], ?array $post = null) use ($web, &$token) {
    $query = http_build_query(['route' => $route, 'server' => 1, 'ajax_request' => 'true', 'ajax_page_request' => 'true'] + $fields);
    $a = $web->ask("/index.php?$query", $post === null ? null : ['token' => $token, 'ajax_request' => 'true', 'server' => 1] + $post);
    $j = json_decode($a, true);
    return is_array($j) ? ($j['success'] ?? false ? ($j['message'] ?? json_encode($j)) : 'refused: ' . ($j['error'] ?? '')) . (isset($j['sql_query']) ? ' ' . $j['sql_query'] : '') : $a;
};
$get = fn (string $route, array $fields = []) => $plain(text($ask($route, $fields)));
$send = fn (string $route, array $post, array $fields = []) => $plain(text($ask($route, $fields, $post)));
$sql = fn (string $query, string $db = 'shop') => $send('/import', ['db' => $db, 'is_js_confirmed' => 0, 'pos' => 0, 'goto' => 'index.php?route=/database/sql', 'message_to_show' => '', 'prev_sql_query' => '', 'sql_query' => $query, 'sql_delimiter' => ';', 'show_query' => 1, 'fk_checks' => 0, 'format' => 'sql', 'import_type' => 'query', 'SQL' => 'Go']);
$items = ['db' => 'shop', 'table' => 'items'];

test('form of the login', fn () => strlen($token = field($web->ask('/index.php'), 'token')) > 10);
$login = function (string $password) use ($web, &$token) {
    $page = $web->ask('/index.php'); $token = field($page, 'token');
    $page = $web->ask('/index.php?route=/', ['set_session' => field($page, 'set_session'), 'pma_username' => 'app', 'pma_password' => $password, 'server' => 1, 'route' => '/', 'lang' => 'en', 'token' => $token]);
    if (preg_match('/(?:token:|name="token" value=)"([^"]+)"/', $page, $m)) $token = html_entity_decode($m[1]);
    return $page;
};
test('log in with a wrong password', fn () => preg_match("/Access denied[^<]*|Cannot log in[^<]*/", html_entity_decode($login('wrong'), ENT_QUOTES), $m) ? $m[0] : 'other');
test('log in', fn () => [str_contains($t = $login('secret'), 'Log in') ? 'no' : 'in', str_contains($t, 'app@localhost')]);
test('home', fn () => preg_replace('/PHP.*|Web server.*/', '', $get('/')));
test('databases', fn () => $get('/server/databases'));
test('create a database', fn () => $send('/server/databases/create', ['new_db' => 'shop', 'db_collation' => 'utf8mb4_general_ci']));
$fields = fn (array $columns) => ['field_name' => array_column($columns, 0), 'field_type' => array_column($columns, 1), 'field_length' => array_column($columns, 2), 'field_default_type' => array_column($columns, 3), 'field_default_value' => array_column($columns, 4), 'field_collation' => array_fill(0, count($columns), ''), 'field_attribute' => array_fill(0, count($columns), ''),
    'field_key' => array_column($columns, 5), 'field_comments' => array_column($columns, 6), 'field_virtuality' => array_fill(0, count($columns), ''), 'field_expression' => array_fill(0, count($columns), ''), 'field_adjust_privileges' => []];
test('create a table', fn () => $send('/table/create', ['do_save_data' => 1, 'db' => 'shop', 'table' => 'items', 'orig_num_fields' => 5, 'num_fields' => 5, 'comment' => 'what is sold', 'tbl_collation' => '', 'tbl_storage_engine' => 'MyISAM', 'connection' => '', 'partition_by' => '', 'partition_expr' => '', 'partition_count' => '', 'subpartition_by' => '', 'subpartition_expr' => '', 'subpartition_count' => '',
    'primary_indexes' => '[{"columns":[{"col_index":"0","size":""}],"Index_choice":"PRIMARY","Key_name":"PRIMARY","Key_block_size":"","Parser":"","Index_comment":"","Index_type":""}]', 'unique_indexes' => '[]', 'indexes' => '[]', 'fulltext_indexes' => '[]', 'spatial_indexes' => '[]', 'field_extra' => [0 => 'AUTO_INCREMENT'], 'field_null' => [1 => 'YES', 2 => 'YES', 4 => 'YES'],
    ...$fields([['id', 'INT', '', 'NONE', '', 'primary_0', ''], ['name', 'VARCHAR', '60', 'NULL', '', 'none_1', 'Łódź'], ['price', 'DECIMAL', '8,2', 'USER_DEFINED', '1.50', 'none_2', ''], ['kind', 'ENUM', "'a','b'", 'USER_DEFINED', 'b', 'none_3', ''], ['made', 'DATETIME', '', 'NULL', '', 'none_4', '']])]));
test('structure of the table', fn () => $get('/table/structure', $items));
// As plain forms: the scripts' way is for editing in place alone.
$replace = fn (array $post) => preg_match('/\d+ rows? (affected|inserted)|MySQL said: .{0,120}|Internal error.{0,200}/', $plain(text($web->ask('/index.php?route=/table/replace&server=1', ['token' => $token] + $post))), $m) ? $m[0] : 'other';
$insert = fn (array $v) => $replace(['db' => 'shop', 'table' => 'items', 'goto' => 'index.php?route=/sql', 'sql_query' => 'SELECT * FROM items', 'submit_type' => 'insert', 'after_insert' => 'back',
    'fields_name' => ['multi_edit' => [['a' => 'id', 'b' => 'name', 'c' => 'price', 'd' => 'kind', 'e' => 'made']]], 'fields_type' => ['multi_edit' => [['a' => 'int', 'b' => 'varchar', 'c' => 'decimal', 'd' => 'enum', 'e' => 'datetime']]], 'fields' => ['multi_edit' => [['a' => ''] + $v]], 'auto_increment' => ['multi_edit' => [['a' => '1']]], 'funcs' => ['multi_edit' => [['a' => '']]], 'fields_null' => ['multi_edit' => [[]]]]);
foreach (['first item', 'größer 東京 😀', "it's \"quoted\" \\", 'x'] as $i => $n) test("insert $i", fn () => $insert(['b' => $n, 'c' => $i == 3 ? '99999999999' : 1.5 * $i, 'd' => 'a', 'e' => "2024-01-0$i 03:04:05"]));
test('form of an insert', fn () => strlen($get('/table/change', $items)) > 200);
test('browse', fn () => $get('/sql', $items + ['pos' => 0]));
test('browse sorted', fn () => $get('/sql', $items + ['sql_query' => 'SELECT * FROM `items` ORDER BY `items`.`name` DESC', 'sql_signature' => '']));
test('edit', fn () => $replace(['db' => 'shop', 'table' => 'items', 'submit_type' => 'save', 'sql_query' => 'SELECT * FROM items', 'goto' => 'index.php?route=/sql', 'where_clause' => ['`items`.`id` = 2'], 'fields_name' => ['multi_edit' => [['b' => 'name']]], 'fields_type' => ['multi_edit' => [['b' => 'varchar']]], 'fields' => ['multi_edit' => [['b' => 'changed ✓']]], 'fields_prev' => ['multi_edit' => [['b' => 'größer 東京 😀']]], 'funcs' => ['multi_edit' => [[]]], 'fields_null' => ['multi_edit' => [[]]]]));
test('form of a search', fn () => strlen($get('/table/search', $items)) > 200);
test('search', fn () => $send('/table/search', ['db' => 'shop', 'table' => 'items', 'back' => 'index.php?route=/table/search', 'goto' => 'index.php?route=/sql', 'displayAllColumns' => 'displayAllColumns', 'columnsToDisplay' => ['id', 'name'], 'criteriaColumnNames' => ['id', 'name'], 'criteriaColumnTypes' => ['int(11)', 'varchar(60)'], 'criteriaColumnCollations' => ['', ''], 'criteriaColumnOperators' => ['>', 'LIKE %...%'], 'criteriaValues' => ['0', 'item'], 'criteriaColumnNames' => ['id', 'name'], 'orderByColumn' => '--nil--', 'order' => 'ASC', 'session_max_rows' => 25, 'customWhereClause' => '']));
test('search of the database', fn () => $send('/database/search', ['db' => 'shop', 'criteriaSearchString' => 'item', 'criteriaSearchType' => '1', 'criteriaTables' => ['items'], 'criteriaColumnName' => '', 'submit_search' => 'Go']));
foreach (['SELECT 1 AS one, NULL, "Łódź"', 'SELECT kind, COUNT(*), SUM(price) FROM items GROUP BY kind', 'EXPLAIN SELECT * FROM items WHERE id = 1', 'UPDATE items SET price = price + 1 WHERE id < 3', 'INSERT INTO items (id) VALUES (1)', 'SELEC', 'SHOW CREATE TABLE items', 'CREATE VIEW cheap AS SELECT id, name FROM items WHERE price < 5', 'SELECT * FROM cheap', 'CREATE TABLE second (a INT PRIMARY KEY, t TEXT, KEY (t(5))) ENGINE=MyISAM; INSERT INTO second VALUES (1, "one"), (2, "two"); SELECT COUNT(*) FROM second',
    "CREATE FUNCTION two() RETURNS INT DETERMINISTIC RETURN 2", 'SELECT two()', 'CHECK TABLE items EXTENDED', 'SELECT * FROM nothing', 'CREATE TRIGGER told BEFORE INSERT ON items FOR EACH ROW SET NEW.price = IFNULL(NEW.price, 1)', "CREATE EVENT sweep ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01' DISABLE DO DELETE FROM second"] as $i => $q) test("SQL $i $q", fn () => $sql($q));
test('structure of the database', fn () => $get('/database/structure', ['db' => 'shop']));
foreach (['/database/routines', '/database/events', '/database/triggers', '/database/data-dictionary', '/database/designer', '/database/qbe', '/database/tracking', '/database/central-columns', '/database/operations'] as $r) test("page $r", fn () => $get($r, ['db' => 'shop']));
foreach (['/table/operations', '/table/relation', '/table/tracking', '/table/zoom-search', '/table/find-replace', '/table/triggers'] as $r) test("page $r", fn () => $get($r, $items));
$export = fn (string $what, array $more = []) => $plain($web->ask('/index.php?route=/export', ['token' => $token, 'server' => 1, 'db' => 'shop', 'export_type' => 'database', 'export_method' => 'quick', 'quick_or_custom' => 'custom', 'what' => $what, 'table_select' => ['items', 'second'], 'table_structure' => ['items', 'second'], 'table_data' => ['items', 'second'], 'output_format' => 'sendit', 'filename_template' => '@DATABASE@', 'charset' => 'utf-8', 'compression' => 'none', 'maxsize' => ''] + $more));
test('export SQL', fn () => $export('sql', ['sql_include_comments' => 'something', 'sql_header_comment' => '', 'sql_compatibility' => 'NONE', 'sql_structure_or_data' => 'structure_and_data', 'sql_create_table' => 'something', 'sql_auto_increment' => 'something', 'sql_create_view' => 'something', 'sql_procedure_function' => 'something', 'sql_create_trigger' => 'something', 'sql_backquotes' => 'something', 'sql_type' => 'INSERT', 'sql_insert_syntax' => 'both', 'sql_max_query_size' => 50000, 'sql_hex_for_binary' => 'something', 'sql_utc_time' => 'something']));
foreach (['csv' => ['csv_separator' => ',', 'csv_enclosed' => '"', 'csv_escaped' => '"', 'csv_terminated' => 'AUTO', 'csv_null' => 'NULL', 'csv_structure_or_data' => 'data', 'csv_columns' => 'something'], 'json' => ['json_structure_or_data' => 'data', 'json_unicode' => 'something'], 'xml' => ['xml_structure_or_data' => 'data', 'xml_export_contents' => 'something', 'xml_export_tables' => 'something'], 'yaml' => ['yaml_structure_or_data' => 'data'], 'texytext' => ['texytext_structure_or_data' => 'structure_and_data'], 'phparray' => ['phparray_structure_or_data' => 'data'], 'latex' => ['latex_structure_or_data' => 'structure_and_data', 'latex_caption' => 'something']] as $f => $o) test("export $f", fn () => $export($f, $o));
test('import of SQL', fn () => $plain(text($web->ask('/index.php?route=/import', ['token' => $token, 'server' => 1, 'ajax_request' => 'true', 'db' => 'shop', 'import_type' => 'database', 'format' => 'sql', 'charset_of_file' => 'utf-8', 'sql_compatibility' => 'NONE', 'skip_queries' => 0, 'import_file' => new CURLStringFile("CREATE TABLE third (a INT) ENGINE=MyISAM;\nINSERT INTO third VALUES (1),(2);\n", 'a.sql', 'text/plain')]))));
test('imported', fn () => $sql('SELECT COUNT(*) FROM third'));
test('create a user', fn () => $send('/server/privileges', ['adduser_submit' => 'Go', 'pred_username' => 'userdefined', 'username' => 'reader', 'pred_hostname' => 'any', 'hostname' => '%', 'pred_password' => 'userdefined', 'authentication_plugin' => 'mysql_native_password', 'pma_pw' => 'r', 'pma_pw2' => 'r', 'Select_priv' => 'Y', 'ssl_type' => 'NONE', 'max_questions' => 0, 'max_updates' => 0, 'max_connections' => 0, 'max_user_connections' => 0]));
test('users', fn () => $get('/server/privileges', ['viewing_mode' => 'server']));
test('rights of the user', fn () => $get('/server/privileges', ['username' => 'reader', 'hostname' => '%']));
test('rights in the database', fn () => $get('/server/privileges', ['db' => 'shop', 'checkprivsdb' => 'shop', 'viewing_mode' => 'db']));
test('status', fn () => preg_replace('/[\d.,]+( [KMG]iB| B)?/', 'N', substr($get('/server/status'), 0, 150)));
test('variables', fn () => array_map(fn ($v) => str_contains($GLOBALS['variables'] ??= $get('/server/variables'), $v), ['sql mode', 'key buffer size', 'max allowed packet']));
test('status variables', fn () => array_map(fn ($v) => str_contains($GLOBALS['state'] ??= $get('/server/status/variables'), $v), ['Uptime', 'Key reads', 'Handler read key']));
test('processes', fn () => str_contains($get('/server/status/processes'), 'app'));
test('engines', fn () => preg_match_all('/\b(MyISAM|MEMORY|MRG_MyISAM|CSV|Aria|SEQUENCE)\b/', $get('/server/engines'), $m) ? array_values(array_unique($m[0])) : []);
foreach (['/server/collations', '/server/plugins', '/server/engines/MyISAM'] as $r) test("page $r", fn () => strlen($get($r)) > 300);
test('collations', fn () => [preg_match_all('/\b(utf8mb4|uca1400)_\w+/', text($ask('/server/collations')), $m), md5(implode(' ', $m[0]))]);
test('advisor', fn () => strlen($get('/server/status/advisor')) > 100);
test('queries', fn () => str_contains($get('/server/status/queries'), 'select'));
test('relation features', fn () => $get('/check-relations'));
foreach (['analyze', 'check', 'checksum', 'optimize', 'repair'] as $m) test("maintenance $m", fn () => preg_replace('/\b\d{6,}\b/', 'N', $send("/table/maintenance/$m", ['db' => 'shop', 'table' => 'items', 'selected_tbl' => ['items', 'second']])));
test('rename', fn () => $send('/table/operations', ['db' => 'shop', 'table' => 'items', 'submitoptions' => '1', 'new_name' => 'goods', 'prev_comment' => 'what is sold', 'comment' => 'goods now', 'new_tbl_storage_engine' => 'MyISAM', 'new_auto_increment' => '100', 'tbl_collation' => 'utf8mb4_general_ci', 'new_row_format' => 'DYNAMIC', 'new_pack_keys' => 'DEFAULT']));
test('copy', fn () => $send('/table/operations', ['db' => 'shop', 'table' => 'goods', 'submit_copy' => 'Go', 'target_db' => 'shop', 'new_name' => 'copied', 'what' => 'data', 'sql_auto_increment' => '1']));
test('move', fn () => $send('/table/operations', ['db' => 'shop', 'table' => 'copied', 'submit_move' => 'Go', 'target_db' => 'shop', 'new_name' => 'moved', 'sql_auto_increment' => '1']));
test('collation of a table', fn () => $send('/table/operations', ['db' => 'shop', 'table' => 'second', 'submitoptions' => '1', 'new_name' => 'second', 'prev_comment' => '', 'comment' => '', 'tbl_storage_engine' => 'MyISAM', 'new_tbl_storage_engine' => 'MyISAM', 'tbl_collation' => 'utf8mb4_bin']));
test('alter a column', fn () => $send('/table/structure/save', ['db' => 'shop', 'table' => 'goods', 'do_save_data' => 1, 'orig_num_fields' => 1, 'orig_field_where' => '', 'field_where' => 'last', 'field_orig' => ['price'], 'field_type_orig' => ['decimal'], 'field_length_orig' => ['8,2'], 'field_default_type_orig' => ['USER_DEFINED'], 'field_default_value_orig' => ['1.50'], 'field_attribute_orig' => [''], 'field_collation_orig' => [''], 'field_null_orig' => ['YES'], 'field_extra_orig' => [''], 'field_comments_orig' => [''], 'field_virtuality_orig' => [''], 'field_expression_orig' => [''], 'field_move_to' => [''], 'preview_sql' => '',
    ...$fields([['cost', 'DECIMAL', '10,3', 'NONE', '', '', 'changed']])]));
test('add an index', fn () => $send('/table/indexes', ['db' => 'shop', 'table' => 'goods', 'do_save_data' => 1, 'create_index' => 1, 'index' => ['Key_name' => 'n', 'Index_choice' => 'INDEX', 'Key_block_size' => '', 'Index_type' => 'BTREE', 'Parser' => '', 'Index_comment' => 'by name', 'columns' => ['names' => ['name', 'id'], 'sub_parts' => ['10', '']]]]));
test('altered', fn () => $get('/table/structure', ['db' => 'shop', 'table' => 'goods']));
test('print of definitions', fn () => $send('/database/structure/show-create', ['db' => 'shop', 'selected_tbl' => ['goods', 'second', 'cheap']]));
test('empty', fn () => $sql('TRUNCATE second'));
test('drop of tables', fn () => $send('/database/structure/drop-table', ['db' => 'shop', 'selected' => ['third', 'moved'], 'mult_btn' => 'Yes', 'query_type' => 'drop_tbl']));
test('bookmark', fn () => $send('/import', ['db' => 'shop', 'sql_query' => 'SELECT 42', 'bkm_label' => 'the answer', 'store_bkm' => 1, 'bkm_user' => 'app', 'format' => 'sql', 'import_type' => 'query', 'SQL' => 'Go']));
test('navigation', fn () => $get('/navigation', ['ajax_request' => 1]));
test('drop of a database', fn () => $send('/server/databases/destroy', ['drop_selected_dbs' => 1, 'selected_dbs' => ['shop']]));
test('log out', fn () => str_contains($web->ask('/index.php?route=/logout', ['token' => $token, 'server' => 1]), 'pma_username'));
