<?php
// Adminer by its pages and forms.   php adminer.php URL PORT
require __DIR__ . '/browser.php';
[, $base, $port] = $argv;
$web = new Browser($base);
$at = "/?server=127.0.0.1:$port&username=app";
$plain = fn (string $t) => preg_replace(["/\\b$port\\b/", '/\(?\d+\.\d{3} s\)?/', '/\d+\.\d+\.\d+-MariaDB\S*|\d+\.\d+\.\d+/', '/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/', '/\d\d:\d\d:\d\d/', '/performance_schema( utf8mb3_general_ci \? \?)?/', '/(\bPUBLICEdit |mariadb\.syslocalhostEdit )/'], ['PORT', '', 'VERSION', 'TIME', 'TIME', '', ''], $t);
$content = fn (string $html) => $plain(text(preg_replace('#.*?<div id="content">|<div id="menu">.*|<div id="foot".*#s', '', $html)));
$get = fn (string $q) => $content($web->ask($at . $q));
// A form sent: its token is that of the page that shows it.
$send = function (string $q, array $fields) use ($web, $at, $content) { return $content($web->ask($at . $q, $fields + ['token' => field($web->ask($at . $q), 'token')])); };
$column = fn (string $name, string $type, string $length = '', array $more = []) => $more + ['field' => $name, 'orig' => '', 'type' => $type, 'length' => $length, 'unsigned' => '', 'collation' => '', 'on_update' => '', 'on_delete' => '', 'default' => '', 'comment' => ''];

test('log in with a wrong password', fn () => $content($web->ask('/', ['auth' => ['driver' => 'server', 'server' => "127.0.0.1:$port", 'username' => 'app', 'password' => 'wrong', 'db' => '']])));
test('log in', fn () => $plain(preg_replace('/.*?(Select database|Login)/s', '$1', $content($web->ask('/', ['auth' => ['driver' => 'server', 'server' => "127.0.0.1:$port", 'username' => 'app', 'password' => 'secret', 'db' => '']])))));
test('databases', fn () => preg_replace('/(information_schema|mysql|sys|performance_schema)( \S+)*? \?/', '', $get('')));
test('create a database', fn () => $send('&database=', ['name' => 'shop', 'collation' => 'utf8mb4_general_ci']));
test('create a table', fn () => $send('&db=shop&create=', ['name' => 'items', 'Engine' => 'MyISAM', 'Collation' => '', 'Comment' => 'what is sold', 'comments' => 1, 'defaults' => 1, 'auto_increment_col' => 1, 'Auto_increment' => '', 'partition_by' => '',
    'fields' => [1 => $column('id', 'int'), $column('name', 'varchar', '60', ['null' => 1, 'comment' => 'Łódź']), $column('price', 'decimal', '8,2', ['null' => 1]), $column('kind', 'enum', "'a','b'", ['has_default' => 1, 'default' => 'b']), $column('made', 'datetime', '', ['null' => 1])]]));
test('table', fn () => $get('&db=shop&table=items'));
test('form of the table', fn () => strlen($get('&db=shop&create=items')) > 500);
test('indexes', fn () => $send('&db=shop&indexes=items', ['indexes' => [1 => ['type' => 'PRIMARY', 'columns' => [1 => 'id'], 'lengths' => [1 => ''], 'descs' => [], 'name' => ''], ['type' => 'INDEX', 'columns' => [1 => 'name', 2 => 'price'], 'lengths' => [1 => '10', 2 => ''], 'descs' => [], 'name' => 'np'], ['type' => 'FULLTEXT', 'columns' => [1 => 'name'], 'lengths' => [1 => ''], 'descs' => [], 'name' => 'words']]]));
foreach (['first item', 'größer 東京 😀', "it's \"quoted\" \\"] as $i => $n) test("insert $i", fn () => $send('&db=shop&edit=items', ['fields' => ['id' => '', 'name' => $n, 'price' => 1.5 * $i, 'kind' => $i % 2 + 1, 'made' => '2024-01-02 03:04:05'], 'function' => ['id' => ''], 'save' => 1]));
test('insert by a function', fn () => $send('&db=shop&edit=items', ['fields' => ['id' => '', 'name' => 'upper', 'price' => '3', 'kind' => '1', 'made' => ''], 'function' => ['name' => 'md5', 'made' => 'now'], 'insert' => 1]));
test('insert of too much', fn () => $send('&db=shop&edit=items', ['fields' => ['id' => '', 'name' => 'x', 'price' => '99999999999', 'kind' => '1', 'made' => ''], 'save' => 1]));
test('browse', fn () => $get('&db=shop&select=items'));
foreach (['&columns[0][fun]=count&columns[0][col]=*&columns[1][fun]=&columns[1][col]=kind', '&where[0][col]=name&where[0][op]=LIKE+%25%25&where[0][val]=item', '&where[0][col]=price&where[0][op]=%3E&where[0][val]=1&order[0]=price&desc[0]=1', '&where[0][col]=&where[0][op]==&where[0][val]=2', '&fulltext[2]=first', '&limit=2&page=1', '&where[0][col]=name&where[0][op]=REGEXP&where[0][val]=^gr', '&where[0][col]=made&where[0][op]=IS+NULL'] as $q) test("browse $q", fn () => $get("&db=shop&select=items$q"));
test('edit', fn () => $send('&db=shop&edit=items&where[id]=2', ['fields' => ['id' => '2', 'name' => 'changed ✓', 'price' => '7', 'kind' => '2', 'made' => '2024-01-02 03:04:05'], 'save' => 1]));
test('clone', fn () => $send('&db=shop&select=items', ['check' => ['where[id]=1'], 'fields' => ['id' => '', 'name' => 'cloned', 'kind' => '1'], 'function' => ['price' => 'orig', 'made' => 'orig'], 'clone' => 1, 'save' => 1]));
test('delete', fn () => $send('&db=shop&select=items', ['check' => ['where%5Bid%5D=3'], 'delete' => 1]));
test('import of CSV', fn () => $send('&db=shop&select=items', ['separator' => 'csv', 'import' => 1, 'csv_file' => new CURLStringFile("id,name\n50,fifty\n", 'a.csv', 'text/csv')]));
foreach (['SELECT * FROM items ORDER BY id', 'SELECT 1; SELECT COUNT(*), SUM(price) FROM items; SELECT nothing', 'EXPLAIN SELECT * FROM items WHERE id = 1', 'UPDATE items SET price = price + 1 WHERE id < 3', 'INSERT INTO items (id) VALUES (1)', 'SELEC', 'SHOW CREATE TABLE items', "DELIMITER //\nCREATE FUNCTION two() RETURNS INT DETERMINISTIC RETURN 2//\nDELIMITER ;\nSELECT two()", 'SHOW WARNINGS', 'CHECK TABLE items EXTENDED', "INSERT IGNORE INTO items (price) VALUES ('x')"] as $i => $q)
    test("SQL $i " . strtok($q, "\n"), fn () => $send('&db=shop&sql=', ['query' => $q, 'limit' => '', 'error_stops' => 0]));
foreach (['sql' => 'CREATE', 'csv' => 'none', 'tsv' => 'none', 'csv;' => 'none'] as $format => $style) test("export $format", fn () => $plain($web->ask("$at&db=shop&dump=", ['output' => 'text', 'format' => $format, 'db_style' => $style === 'none' ? '' : 'DROP+CREATE', 'table_style' => 'DROP+CREATE', 'data_style' => 'INSERT', 'routines' => 1, 'events' => 1, 'triggers' => 1, 'auto_increment' => 1, 'tables' => ['items'], 'data' => ['items'], 'token' => field($web->ask("$at&db=shop&dump="), 'token')])));
test('view', fn () => $send('&db=shop&view=', ['name' => 'cheap', 'select' => 'SELECT id, name FROM items WHERE price < 5']));
test('form of the view', fn () => $get('&db=shop&view=cheap'));
test('browse of the view', fn () => $get('&db=shop&select=cheap'));
test('trigger', fn () => $send('&db=shop&trigger=items&name=', ['Trigger' => 'told', 'Timing' => 'BEFORE', 'Event' => 'INSERT', 'Type' => 'FOR EACH ROW', 'Statement' => 'SET NEW.price = IFNULL(NEW.price, 1)']));
test('procedure', fn () => $send('&db=shop&procedure=', ['name' => 'twice', 'definition' => 'SELECT a * 2 AS b, (SELECT COUNT(*) FROM items) AS n', 'fields' => [1 => ['field' => 'a', 'type' => 'int', 'length' => '', 'unsigned' => '', 'collation' => '', 'inout' => 'IN']]]));
test('call', fn () => $send('&db=shop&call=twice', ['fields' => ['0' => '21', 'a' => '21'], 'function' => []]));
test('event', fn () => $send('&db=shop&event=', ['EVENT_NAME' => 'sweep', 'STARTS' => '2030-01-01 00:00:00', 'ENDS' => '', 'INTERVAL_VALUE' => '1', 'INTERVAL_FIELD' => 'DAY', 'STATUS' => 'DISABLED', 'EVENT_COMMENT' => 'daily', 'ON_COMPLETION' => '1', 'EVENT_DEFINITION' => 'DELETE FROM items WHERE id > 1000']));
test('form of the event', fn () => $get('&db=shop&event=sweep'));
test('database', fn () => preg_replace('/\b[\d,]{4,}\b/', 'N', $get('&db=shop')));
test('schema', fn () => $get('&db=shop&schema='));
test('search in all tables', fn () => preg_replace('/\b[\d,]{4,}\b/', 'N', $send('&db=shop', ['query' => 'place', 'op' => 'LIKE %%', 'search' => 'Search', 'tables' => ['items']])));
foreach (['check', 'optimize', 'repair', 'analyze'] as $what) test($what, fn () => preg_replace('/\b[\d,]{4,}\b/', 'N', $send('&db=shop', ['tables' => ['items'], $what => 1])));
test('copy of a table', fn () => preg_replace('/\b[\d,]{4,}\b/', 'N', $send('&db=shop', ['tables' => ['items'], 'copy' => 1, 'target' => 'shop'])));
test('copied', fn () => $get('&db=shop&table=copy_items'));
test('truncate', fn () => preg_replace('/\b[\d,]{4,}\b/', 'N', $send('&db=shop', ['tables' => ['copy_items'], 'truncate' => 1])));
test('drop of a table', fn () => preg_replace('/\b[\d,]{4,}\b/', 'N', $send('&db=shop', ['tables' => ['copy_items'], 'drop' => 1])));
test('create a user', fn () => $send('&user=', ['host' => '%', 'user' => 'reader', 'pass' => 'r', 'objects' => [0 => 'shop.*'], 'grants' => [0 => ['SELECT' => 1, 'INSERT' => 1]]]));
test('users', fn () => $get('&privileges='));
test('form of the user', fn () => $get('&user=reader&host=%25'));
test('variables', fn () => preg_match_all('#<th><code[^>]*>(\w+)</code>#', $web->ask("$at&variables="), $m) > 100 ? count(array_intersect(['sql_mode', 'max_allowed_packet', 'key_buffer_size', 'version', 'socket'], $m[1])) : 'few');
test('status', fn () => preg_match_all('#<th><code[^>]*>(\w+)</code>#', $web->ask("$at&status="), $m) > 100 ? count(array_intersect(['Uptime', 'Key_reads', 'Com_select', 'Handler_read_key'], $m[1])) : 'few');
test('processes', fn () => [str_contains($t = $get('&processlist='), 'SHOW FULL PROCESSLIST'), str_contains($t, 'app')]);
test('alter', fn () => $send('&db=shop&create=items', ['name' => 'goods', 'Engine' => 'Aria', 'Collation' => 'utf8mb4_unicode_ci', 'Comment' => 'now goods', 'comments' => 1, 'defaults' => 1, 'auto_increment_col' => 1, 'Auto_increment' => '100', 'partition_by' => '',
    'fields' => [1 => $column('id', 'bigint', '', ['orig' => 'id', 'unsigned' => 'unsigned']), $column('title', 'varchar', '80', ['orig' => 'name', 'null' => 1, 'collation' => 'utf8mb4_bin']), $column('made', 'datetime', '', ['orig' => 'made', 'null' => 1]), $column('extra', 'json', '', ['null' => 1])]]));
test('altered', fn () => $get('&db=shop&table=goods'));
test('drop of a database', fn () => preg_replace('/.*?(Database|Unknown)/s', '$1', $send('&db=shop&database=', ['drop' => 1, 'name' => 'shop', 'collation' => ''])) !== '');
test('dropped', fn () => str_contains($get(''), 'shop'));
