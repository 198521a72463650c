<?php
// Typical use of PDO and mysqli. One line "TEST<tab>ANSWER" per test.   php pdo.php PORT
$port = (int) $argv[1];
function test(string $name, callable $body): void {
    try { $answer = json_encode($body(), JSON_UNESCAPED_UNICODE | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE); }
    catch (Throwable $e) { $answer = 'ERROR ' . strtok($e->getMessage(), "\n"); }
    echo "$name\t$answer\n";
}
function refused(string $name, callable $body): void {
    test($name, function () use ($body) { try { $body(); } catch (PDOException | mysqli_sql_exception $e) { return ['refused', $e->getCode(), $e->getMessage()]; } throw new Exception('done'); });
}
$types = "CREATE TABLE types (id INT AUTO_INCREMENT PRIMARY KEY, t TINYINT, u BIGINT UNSIGNED, d DECIMAL(20,5), f FLOAT, g DOUBLE, y YEAR, da DATE, ti TIME(3),
    dt DATETIME(6), ts TIMESTAMP NULL, c CHAR(5), v VARCHAR(50), b LONGBLOB, x TEXT, e ENUM('a','b'), s SET('p','q'), bi BIT(9), j JSON, vb VARBINARY(20)) CHARACTER SET utf8mb4";
$row = [-7, '18446744073709551615', '12345.67890', 1.5, 2.25e100, 2024, '2024-02-29', '-12:34:56.789', '2024-02-29 23:59:59.123456', '2024-01-02 03:04:05',
    'abc', 'Łódź 東京 😀', "\0\1\xff", str_repeat('long', 1000), 'b', 'p,q', "\x07", '{"a": [1, null]}', 'bin'];
$columns = 't,u,d,f,g,y,da,ti,dt,ts,c,v,b,x,e,s,bi,j,vb';
$insert = "INSERT INTO types ($columns) VALUES (" . implode(',', array_fill(0, count($row), '?')) . ')';
$procedure = 'CREATE PROCEDURE twice(IN a INT, OUT b INT) BEGIN SELECT a AS first; SELECT a, a + 1 AS next; SET b = a * 2; END';

foreach ([true, false] as $emulated) foreach ([true, false] as $buffered) {
    $p = 'pdo ' . ($emulated ? 'emulated' : 'prepared') . ($buffered ? '' : ' unbuffered');
    $db = new PDO("mysql:host=127.0.0.1;port=$port;dbname=app;charset=utf8mb4", 'app', 'secret', [PDO::ATTR_EMULATE_PREPARES => $emulated, PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => $buffered, PDO::MYSQL_ATTR_LOCAL_INFILE => true]);
    $all = fn (string $sql, array $v = [], int $how = PDO::FETCH_ASSOC) => (function () use ($db, $sql, $v, $how) { $s = $db->prepare($sql); $s->execute($v); $r = $s->fetchAll($how); $s->closeCursor(); return $r; })();
    $db->exec('DROP TABLE IF EXISTS types'); $db->exec('DROP PROCEDURE IF EXISTS twice');
    test("$p create", fn () => [$db->exec($types), $db->exec($procedure)]);
    test("$p insert", function () use ($db, $insert, $row) { $s = $db->prepare($insert); $s->execute($row); return [$s->rowCount(), $db->lastInsertId()]; });
    test("$p select", fn () => $all('SELECT * FROM types'));
    test("$p typed", function () use ($db) { $s = $db->prepare('SELECT ? + 1 AS a, ? AS b, ? AS c, ? IS NULL AS d LIMIT ?'); $s->bindValue(1, 4, PDO::PARAM_INT); $s->bindValue(2, true, PDO::PARAM_BOOL); $s->bindValue(3, 'x'); $s->bindValue(4, null, PDO::PARAM_NULL); $s->bindValue(5, 1, PDO::PARAM_INT); $s->execute(); $r = $s->fetchAll(PDO::FETCH_NUM); return $r; });
    test("$p named", fn () => $all('SELECT :a AS a, :b AS b', ['a' => 'it\'s "x" \\ ' . "\0", 'b' => '1']));
    test("$p metadata", function () use ($db) { $s = $db->query('SELECT id, u, d, v, b, dt, COUNT(*) n, 1.5 k FROM types'); $m = []; for ($i = 0; $i < $s->columnCount(); $i++) $m[] = $s->getColumnMeta($i); $s->closeCursor(); return $m; });
    test("$p call", function () use ($db) { $s = $db->prepare('CALL twice(?, @b)'); $s->execute([21]); $r = []; do { if ($s->columnCount()) $r[] = $s->fetchAll(PDO::FETCH_ASSOC); } while ($s->nextRowset()); $s->closeCursor(); return $r; });
    test("$p out", fn () => $all('SELECT @b AS b'));
    if ($emulated) test("$p many statements", function () use ($db) { $s = $db->query('SELECT 1; SELECT 2; DO 0; SELECT 3'); $r = []; do { if ($s->columnCount()) $r[] = $s->fetchAll(PDO::FETCH_NUM); } while ($s->nextRowset()); return $r; });
    refused("$p duplicate", fn () => $db->exec('INSERT INTO types (id) VALUES (1)'));
    refused("$p syntax", fn () => $db->query('SELEC 1'));
    refused("$p unknown column", fn () => $db->prepare('SELECT nothing FROM types')->execute());
    refused("$p truncated", fn () => $db->exec('INSERT INTO types (t) VALUES (1000)'));
    test("$p group", fn () => $all('SELECT id, v FROM types', [], PDO::FETCH_KEY_PAIR));
    test("$p returning", fn () => $all("INSERT INTO types (v) VALUES ('r1'), ('r2') RETURNING id, v"));
    test("$p update", function () use ($db) { return [$db->exec('UPDATE types SET t = 3'), $db->exec('UPDATE types SET t = 3')]; });
    test("$p transaction", function () use ($db) { $db->beginTransaction(); $db->exec("UPDATE types SET t = 4"); $a = $db->inTransaction(); $db->commit(); return [$a, $db->inTransaction()]; });
    test("$p infile", function () use ($db, $all) { $f = tempnam('/tmp', 'l'); file_put_contents($f, "1\tone\n2\ttwo\n"); $db->exec('CREATE TEMPORARY TABLE l (a INT, b TEXT)'); $n = $db->exec("LOAD DATA LOCAL INFILE '$f' INTO TABLE l"); unlink($f); return [$n, $all('SELECT * FROM l')]; });
    test("$p attributes", fn () => [strlen($db->getAttribute(PDO::ATTR_SERVER_VERSION)) > 0, $db->getAttribute(PDO::ATTR_CONNECTION_STATUS), strlen($db->getAttribute(PDO::ATTR_SERVER_INFO)) > 50]);
    test("$p many rows", fn () => count($all('SELECT * FROM seq_1_to_20000')));
    test("$p quote", fn () => $db->quote("a'b\\c\"\0"));
}

mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
$m = new mysqli('127.0.0.1', 'app', 'secret', 'app', $port); $m->set_charset('utf8mb4');
$m->query('DROP TABLE types'); $m->query($types);
test('mysqli insert', function () use ($m, $insert, $row) { $s = $m->prepare($insert); $s->execute($row); return [$s->affected_rows, $s->insert_id, $m->info, $m->warning_count]; });
test('mysqli select', fn () => $m->query('SELECT * FROM types')->fetch_all(MYSQLI_ASSOC));
test('mysqli prepared', function () use ($m) { $s = $m->prepare('SELECT * FROM types WHERE id > ?'); $z = 0; $s->bind_param('i', $z); $s->execute(); return $s->get_result()->fetch_all(MYSQLI_ASSOC); });
test('mysqli fields', fn () => array_map(fn ($f) => (array) $f, $m->query('SELECT id, u, d, v, b, bi, j FROM types')->fetch_fields()));
test('mysqli long data', function () use ($m) { $s = $m->prepare('INSERT INTO types (b) VALUES (?)'); $b = null; $s->bind_param('b', $b); for ($i = 0; $i < 100; $i++) $s->send_long_data(0, str_repeat(chr($i), 10000)); $s->execute(); return $m->query('SELECT LENGTH(b), MD5(b) FROM types WHERE id = ' . $s->insert_id)->fetch_row(); });
test('mysqli cursor', function () use ($m) { $s = $m->prepare('SELECT * FROM seq_1_to_1000'); $s->attr_set(MYSQLI_STMT_ATTR_CURSOR_TYPE, MYSQLI_CURSOR_TYPE_READ_ONLY); $s->execute(); $s->bind_result($v); $n = 0; while ($s->fetch()) $n += $v; return $n; });
test('mysqli multi', function () use ($m) { $m->multi_query('SELECT 1; SELECT 2, 3; DO 0'); $r = []; do { if ($x = $m->store_result()) $r[] = $x->fetch_all(); } while ($m->more_results() && $m->next_result()); return $r; });
test('mysqli info', function () use ($m) { $m->query('UPDATE types SET t = 5 WHERE id = 1'); return [$m->info, $m->affected_rows]; });
test('mysqli async', function () use ($m) { $m->query('SELECT SLEEP(0.1), 7', MYSQLI_ASYNC); $r = [$m]; $e = $j = []; while (!mysqli_poll($r, $e, $j, 2)) $r = [$m]; return $m->reap_async_query()->fetch_row(); });
test('mysqli change user', function () use ($m) { $m->change_user('app', 'secret', 'other'); return $m->query('SELECT DATABASE(), CURRENT_USER()')->fetch_row(); });
test('mysqli stat', fn () => str_starts_with($m->stat(), 'Uptime: '));
test('mysqli ping', fn () => $m->ping());
test('mysqli warnings', function () use ($m) { $m->select_db('app'); $m->query("INSERT IGNORE INTO types (t) VALUES (1000)"); $w = $m->get_warnings(); return [$w->errno, $w->sqlstate, $w->message]; });
refused('mysqli error', fn () => $m->query('SELECT * FROM nothing'));
test('mysqli tls', function () use ($port) { $t = mysqli_init(); $t->options(MYSQLI_OPT_SSL_VERIFY_SERVER_CERT, false); $t->real_connect('127.0.0.1', 'app', 'secret', 'app', $port, null, MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT | MYSQLI_CLIENT_COMPRESS); return $t->query("SHOW STATUS LIKE 'Ssl_version'")->fetch_row(); });
