#!/usr/bin/perl
# Typical use of DBD::MariaDB and DBD::mysql, each with statements prepared by the driver and by the server. One line
# "TEST<tab>ANSWER" per test.   perl dbd.pl PORT
use strict;
use warnings;
use utf8;
use DBI qw(:sql_types);
use Data::Dumper;
use Digest::MD5 qw(md5_hex);
use Encode ();

$Data::Dumper::Indent = 0; $Data::Dumper::Terse = 1; $Data::Dumper::Useqq = 1; $Data::Dumper::Sortkeys = 1; $Data::Dumper::Useperl = 1;
binmode STDOUT, ':utf8';
$| = 1;
my $port = $ARGV[0];
my $p;      # how the tests of this turn begin

# Prints what the body gives. An exception is an ERROR, unless the body is refused(...).
sub test {
    my ($name, $body) = @_;
    my $answer = eval { local $SIG{ALRM} = sub { die "took too long\n" }; alarm 60; my $a = Dumper($body->()); alarm 0; $a };
    alarm 0;
    if (!defined $answer) { $answer = 'ERROR ' . $@; $answer =~ s/ at \S+ line \d+.*//s }
    $answer =~ s/[\t\n]/ /g;
    print "$p $name\t$answer\n";
}

# What an error leaves in the handle, without the driver's name before the text.
sub refused {
    my ($name, $h, $body) = @_;
    test($name, sub { eval { $body->(); 1 } and die "not refused\n"; my $text = $h->errstr // $@; [$h->err, $h->state, $text] });
}

my $types = "CREATE TABLE types (id INT AUTO_INCREMENT PRIMARY KEY, t TINYINT, u BIGINT UNSIGNED, d DECIMAL(20,5), f FLOAT, g DOUBLE, y YEAR, da DATE, ti TIME(3),
    dt DATETIME(6), ts TIMESTAMP NULL, c CHAR(5), v VARCHAR(50) NOT NULL DEFAULT 'x', b LONGBLOB, x TEXT, e ENUM('a','b'), s SET('p','q'), bi BIT(9), j JSON, vb VARBINARY(20),
    KEY names (v, c), UNIQUE once (u)) ENGINE=MyISAM CHARACTER SET utf8mb4 COMMENT='all types'";
my @columns = qw(t u d f g y da ti dt ts c v b x e s bi j vb);
my @row = (-7, '18446744073709551615', '12345.67890', 1.5, 2.25e100, 2024, '2024-02-29', '-12:34:56.789', '2024-02-29 23:59:59.123456', '2024-01-02 03:04:05',
    'abc', 'Łódź 東京 😀', "\0\1\xff", 'long' x 1000, 'b', 'p,q', "\x07", '{"a": [1, null]}', "bin\0\xfe");
my $insert = 'INSERT INTO types (' . join(',', @columns) . ') VALUES (' . join(',', ('?') x @row) . ')';
my %binary = map { $_ => 1 } qw(b bi vb);

sub turn {
    my ($driver, $server) = @_;
    my $at = $driver eq 'MariaDB' ? 'mariadb_' : 'mysql_';      # how its attributes begin
    $p = $driver . ($server ? ' server' : ' client');
    my $dsn = "DBI:$driver:database=app;host=127.0.0.1;port=$port;${at}server_prepare=" . ($server ? 1 : 0);
    my %how = (RaiseError => 1, PrintError => 0, AutoCommit => 1);
    $how{mysql_enable_utf8mb4} = 1 if $driver eq 'mysql';
    my $db = DBI->connect($dsn, 'app', 'secret', \%how);
    my $other = sub { DBI->connect($_[0] // $dsn, 'app', 'secret', { %how, %{ $_[1] // {} } }) };
    my $async = $driver eq 'mysql' ? 'async' : 'mariadb_async';

    test 'create', sub { $db->do('DROP TABLE IF EXISTS types'); $db->do('DROP PROCEDURE IF EXISTS twice');
        [$db->do($types), $db->do('CREATE PROCEDURE twice(IN a INT, OUT b INT) BEGIN SELECT a AS first; SELECT a, a + 1 AS next UNION SELECT 7, 8; SET b = a * 2; END')] };
    test 'insert', sub {
        my $s = $db->prepare($insert);
        for my $i (0 .. $#row) { $binary{$columns[$i]} ? $s->bind_param($i + 1, $row[$i], SQL_VARBINARY) : $s->bind_param($i + 1, $row[$i]) }
        [$s->execute, $s->rows, $s->{"${at}insertid"}, $db->{"${at}insertid"}, $db->last_insert_id(undef, undef, 'types', 'id'), $s->{"${at}warning_count"} // 0];
    };
    test 'bytes', sub { $db->selectrow_arrayref('SELECT HEX(v), HEX(b), HEX(vb), HEX(bi), LENGTH(x) FROM types') };
    test 'select', sub { $db->selectall_arrayref('SELECT * FROM types', { Slice => {} }) };
    test 'selectrow_array', sub { [$db->selectrow_array('SELECT id, v FROM types WHERE id = ?', undef, 1)] };
    test 'selectrow_array of none', sub { [$db->selectrow_array('SELECT id FROM types WHERE id = ?', undef, 99)] };
    test 'selectrow_hashref', sub { $db->selectrow_hashref('SELECT id, v, NULL AS n FROM types WHERE v LIKE ?', undef, '%東%') };
    test 'bind types', sub {
        my $s = $db->prepare('SELECT ? + 1, ?, ?, ?, ?, ? IS NULL');
        $s->bind_param(1, 41, SQL_INTEGER); $s->bind_param(2, '0012', SQL_VARCHAR); $s->bind_param(3, '2.50', SQL_DECIMAL);
        $s->bind_param(4, '1e3', SQL_DOUBLE); $s->bind_param(5, '2024-05-06', SQL_DATE); $s->bind_param(6, undef);
        $s->execute; $s->fetchall_arrayref;
    };
    test 'bind of big numbers', sub { $db->selectall_arrayref('SELECT ? AS a, ? AS b, ? AS c', undef, 9223372036854775807, '18446744073709551615', -9223372036854775808) };
    test 'placeholders in strings', sub { $db->selectall_arrayref("SELECT '?', ? /* ? */, `?` FROM (SELECT 1 AS `?`) d -- ?\n WHERE 1 = ?", undef, 'a', 1) };
    test 'limit by placeholder', sub { my $s = $db->prepare('SELECT seq FROM seq_1_to_100 LIMIT ? OFFSET ?'); $s->bind_param(1, 3, SQL_INTEGER); $s->bind_param(2, 10, SQL_INTEGER); $s->execute; $s->fetchall_arrayref };
    test 'column attributes', sub {
        my $s = $db->prepare('SELECT id, u, d, f, v, b, dt, e, bi, j, COUNT(*) AS n, 1.5 AS k, NULL AS z FROM types GROUP BY id'); $s->execute;
        my %m = map { $_ => $s->{$_} } qw(NAME NAME_lc NAME_uc TYPE PRECISION SCALE NULLABLE NUM_OF_FIELDS NUM_OF_PARAMS);
        for my $n (qw(is_auto_increment is_blob is_key is_num is_pri_key length max_length table type type_name)) { $m{$n} = $s->{"$at$n"} }
        $s->finish; \%m;
    };
    test 'repeated execute', sub { my $s = $db->prepare('INSERT INTO types (t, v) VALUES (?, ?)'); [map { $s->execute($_, "n$_"); $db->{"${at}insertid"} } 1 .. 5] };
    test 'execute_array', sub { my $s = $db->prepare('INSERT INTO types (t, v) VALUES (?, ?)'); my $n = $s->execute_array({ ArrayTupleStatus => \my @st }, [11, 12, 13], ['a1', undef // 'a2', 'a3']); [$n, \@st] };
    test 'execute_array with an error', sub { my $s = $db->prepare('INSERT INTO types (id, v) VALUES (?, ?)'); my $n = eval { $s->execute_array({ ArrayTupleStatus => \my @st }, [100, 1, 101], ['o1', 'o2', 'o3']) }; [$n, $db->selectcol_arrayref('SELECT id FROM types WHERE id >= 100 OR id = 1 ORDER BY id')] };
    test 'bind_param_array', sub { my $s = $db->prepare('UPDATE types SET t = ? WHERE id = ?'); $s->bind_param_array(1, [1, 2]); $s->bind_param_array(2, [2, 3]); [scalar $s->execute_array({}), $db->selectall_arrayref('SELECT id, t FROM types WHERE id IN (2, 3)')] };
    test 'update', sub { [$db->do('UPDATE types SET t = 3'), $db->do('UPDATE types SET t = 3'), $db->do('UPDATE types SET t = 4 WHERE id = 99'), $db->{"${at}info"}] };
    test 'replace', sub { [$db->do("REPLACE INTO types (id, v) VALUES (2, 'again')"), $db->do("INSERT INTO types (id, v) VALUES (2, 'more') ON DUPLICATE KEY UPDATE v = CONCAT(v, '!')"), $db->selectrow_array('SELECT v FROM types WHERE id = 2')] };
    test 'returning', sub { $db->selectall_arrayref("INSERT INTO types (v) VALUES ('r1'), ('r2') RETURNING id, v") };
    test 'delete', sub { [$db->do('DELETE FROM types WHERE id > ?', undef, 90), $db->do('DELETE FROM types WHERE id > 900')] };

    # Fetching in every form.
    my $three = 'SELECT id, v, t FROM types ORDER BY id LIMIT 3';
    test 'fetch', sub { my $s = $db->prepare($three); $s->execute; my @r; while (my $r = $s->fetch) { push @r, [@$r] } [\@r, $s->rows, $s->{Active} ? 1 : 0] };
    test 'fetchrow_array', sub { my $s = $db->prepare($three); $s->execute; my @r; while (my @x = $s->fetchrow_array) { push @r, @x } \@r };
    test 'fetchrow_hashref', sub { my $s = $db->prepare($three); $s->execute; my @r; while (my $x = $s->fetchrow_hashref('NAME_uc')) { push @r, $x } \@r };
    test 'bind_columns', sub { my $s = $db->prepare($three); $s->execute; $s->bind_columns(\my ($i, $v, $t)); my @r; while ($s->fetch) { push @r, "$i:$v:" . ($t // 'undef') } \@r };
    test 'fetchall_hashref', sub { my $s = $db->prepare($three); $s->execute; $s->fetchall_hashref('id') };
    test 'fetchall_arrayref of slices', sub { my $s = $db->prepare($three); $s->execute; $s->fetchall_arrayref([0, -1]) };
    test 'fetchall_arrayref in parts', sub { my $s = $db->prepare('SELECT seq FROM seq_1_to_10'); $s->execute; my @n; while (my $part = $s->fetchall_arrayref(undef, 4)) { push @n, scalar @$part; last if @n > 9 } \@n };
    test 'selectall_hashref', sub { $db->selectall_hashref('SELECT v, COUNT(*) n FROM types GROUP BY v', 'v') };
    test 'selectcol_arrayref', sub { $db->selectcol_arrayref('SELECT id, t FROM types ORDER BY id', { Columns => [1, 2] }) };
    test 'many rows', sub { my $n = 0; my $s = $db->prepare('SELECT seq, REPEAT(seq, 3) FROM seq_1_to_20000'); $s->execute; while (my $r = $s->fetch) { $n += length $r->[1] } $n };
    # Not with statements of the server: there the drivers wait for ever, on MariaDB, too.
    test 'use_result', sub { my $h = $other->(); $h->{"${at}use_result"} = 1; my $s = $h->prepare('SELECT seq FROM seq_1_to_20000'); $s->execute; my $n = 0; while (my $r = $s->fetch) { $n += $r->[0] } $n } unless $server;
    test 'two statements at once', sub { my $x = $db->prepare('SELECT seq FROM seq_1_to_3'); my $y = $db->prepare('SELECT seq * 10 FROM seq_1_to_3'); $x->execute; $y->execute; [map { [@{ $x->fetch }, @{ $y->fetch }] } 1 .. 3] };
    test 'quote', sub { [$db->quote("a'b\\c\"\0\n"), $db->quote(undef), $db->quote(12, SQL_INTEGER), $db->quote_identifier('od`d', 'name')] };

    # Large values, both ways.
    test 'large blob', sub {
        my $big = join '', map { chr($_ % 256) x 997 } 1 .. 3000;
        my $s = $db->prepare('INSERT INTO types (b) VALUES (?)'); $s->bind_param(1, $big, SQL_BLOB); $s->execute; my $id = $db->{"${at}insertid"};
        my ($back) = do { local $db->{LongReadLen} = 10_000_000; $db->selectrow_array('SELECT b FROM types WHERE id = ?', undef, $id) };
        [$db->selectrow_array('SELECT LENGTH(b), MD5(b) FROM types WHERE id = ?', undef, $id), md5_hex($big), length $back, md5_hex($back)];
    };
    test 'empty and null', sub { $db->do('INSERT INTO types (id, v, b, x) VALUES (?, ?, ?, ?)', undef, 200, '', '', undef); $db->selectall_arrayref('SELECT v, b, x, LENGTH(b), x IS NULL FROM types WHERE id = 200') };
    test 'unicode', sub { my $t = "ﬁ Ωμέγα עברית 한국어 🧑‍🚀\x{301}"; $db->do('INSERT INTO types (id, v) VALUES (201, ?)', undef, $t); my ($x, $n) = $db->selectrow_array('SELECT v, CHAR_LENGTH(v) FROM types WHERE v = ?', undef, $t); [$x eq $t ? 'same' : $x, $n, length $t] };
    test 'names of columns in unicode', sub { my $s = $db->prepare('SELECT 1 AS `größe`, 2 AS `東`'); $s->execute; my $n = $s->{NAME}; $s->finish; [map { utf8::is_utf8($_) ? $_ : Encode::decode('UTF-8', $_) } @$n] };

    # Errors.
    refused 'syntax error', $db, sub { $db->do('SELEC 1') };
    refused 'unknown table', $db, sub { $db->selectall_arrayref('SELECT * FROM nothing') };
    refused 'unknown column', $db, sub { my $s = $db->prepare('SELECT nothing FROM types'); $s->execute };
    refused 'duplicate', $db, sub { $db->do('INSERT INTO types (id) VALUES (1)') };
    refused 'out of range', $db, sub { $db->do('INSERT INTO types (t) VALUES (?)', undef, 1000) };
    refused 'no default', $db, sub { $db->do('INSERT INTO types (v) VALUES (NULL)') };
    refused 'too few values', $db, sub { my $s = $db->prepare('SELECT ?, ?'); $s->execute(1); die "executed\n" };
    refused 'signal', $db, sub { $db->do("BEGIN NOT ATOMIC SIGNAL SQLSTATE '45123' SET MESSAGE_TEXT = 'Łódź', MYSQL_ERRNO = 5555; END") };
    test 'HandleError', sub { my @seen; my $h = $other->($dsn, { HandleError => sub { push @seen, $_[1]->err; 1 }, RaiseError => 1 }); $h->do('SELECT * FROM nothing'); $h->do('SELEC'); \@seen };
    test 'warnings', sub { my $n = $db->do("INSERT IGNORE INTO types (t) VALUES (1000)"); [$n, $db->{"${at}warning_count"}, $db->selectall_arrayref('SHOW WARNINGS')] };
    test 'wrong password', sub { eval { DBI->connect($dsn, 'app', 'wrong', { RaiseError => 1, PrintError => 0 }) }; [$DBI::err, $DBI::state, $DBI::errstr =~ s/.*(Access)/$1/r] };
    test 'unknown database', sub { eval { DBI->connect($dsn =~ s/=app/=nowhere/r, 'app', 'secret', { RaiseError => 1, PrintError => 0 }) }; [$DBI::err, $DBI::state, $DBI::errstr =~ s/.*(Unknown)/$1/r] };

    # More than one result.
    test 'call', sub {
        # On a connection of its own. The drivers read no further than the first result of a statement of the server.
        my $h = $other->(); my $s = $h->prepare('CALL twice(?, @b)'); $s->execute(21); my @r;
        do { push @r, [$s->{NUM_OF_FIELDS} ? ($s->{NAME}, $s->fetchall_arrayref) : $s->rows] } while (eval { $s->more_results });
        [\@r, $h->selectrow_array('SELECT @b')];
    };
    test 'many statements', sub {
        my $h = $other->("$dsn;${at}multi_statements=1"); my $s = $h->prepare('SELECT 1 AS a; SELECT 2 AS b, 3 AS c; DO 0; SELECT 4', { "${at}server_prepare" => 0 }); $s->execute; my @r;
        do { push @r, $s->{NUM_OF_FIELDS} ? $s->fetchall_arrayref : 'none' } while ($s->more_results); \@r;
    };
    refused 'many statements not allowed', $db, sub { $db->do('SELECT 1; SELECT 2') };

    # The catalog.
    test 'tables', sub { [map { s/.*\.//r } $db->tables(undef, undef, '%', 'TABLE')] };
    test 'table_info', sub { $db->do('CREATE OR REPLACE VIEW seen AS SELECT 1 AS one'); $db->table_info(undef, 'app', '%', undef)->fetchall_arrayref };
    test 'table_info of schemas', sub { my $s = eval { $db->table_info('', '%', '') }; [grep { /^(app|other|mysql)$/ } map { $_->[1] // '' } @{ $s->fetchall_arrayref }] };
    test 'table_info of types', sub { $db->table_info('', '', '', '%')->fetchall_arrayref };
    test 'column_info', sub { $db->column_info(undef, 'app', 'types', '%')->fetchall_arrayref({}) };
    test 'primary_key_info', sub { $db->primary_key_info(undef, 'app', 'types')->fetchall_arrayref };
    test 'primary_key', sub { [$db->primary_key(undef, 'app', 'types')] };
    test 'statistics_info', sub { my $s = $db->statistics_info(undef, 'app', 'types', 0, 0); $s ? [sort { "@$a" cmp "@$b" } map { [map { $_ // '' } @$_[2, 3, 5 .. 9]] } @{ $s->fetchall_arrayref }] : 'none' };
    test 'foreign_key_info', sub { my $s = $db->foreign_key_info(undef, 'app', undef, undef, 'app', 'types'); $s ? $s->fetchall_arrayref : 'none' };
    test 'type_info', sub { [map { [$_->{TYPE_NAME}, $_->{DATA_TYPE}] } $db->type_info(SQL_VARCHAR)] };
    test 'get_info', sub { [$db->get_info(17), $db->get_info(29), $db->get_info(41)] };
    test 'data_sources', sub { [grep { /app|other/ } DBI->data_sources($driver, { host => '127.0.0.1', port => $port, user => 'app', password => 'secret' })] };

    # The connection.
    test 'attributes', sub { [$db->{Name} =~ /app/ ? 1 : 0, length $db->{"${at}hostinfo"} > 0 ? 1 : 0, $db->{"${at}protoinfo"} // $db->{"${at}protocol"}, $db->{"${at}thread_id"} > 0 ? 1 : 0, $db->{"${at}stat"} =~ /^Uptime: / ? 1 : 0, $db->{"${at}serverinfo"} =~ /MariaDB/ ? 1 : 0] };
    test 'ping', sub { [$db->ping ? 1 : 0] };
    test 'transaction', sub { $db->begin_work; $db->do('UPDATE types SET t = 9 WHERE id = 1'); my $a = $db->{AutoCommit} ? 1 : 0; $db->commit; [$a, $db->{AutoCommit} ? 1 : 0, $db->selectrow_array('SELECT t FROM types WHERE id = 1')] };
    test 'rollback', sub { local $db->{AutoCommit} = 0; $db->do('UPDATE types SET t = 10 WHERE id = 1'); $db->rollback; $db->selectrow_array('SELECT t FROM types WHERE id = 1') };
    test 'asynchronous', sub { my $s = $db->prepare('SELECT SLEEP(0.1), ?', { $async => 1, "${at}server_prepare" => 0 }); $s->execute(7); my $n = 0; my $m = "${at}async_ready"; until ($s->$m) { select undef, undef, undef, 0.01; last if $n++ > 1000 } my $r = "${at}async_result"; [$s->$r, $s->fetchrow_array] };
    test 'asynchronous do', sub { my $n = $db->do('UPDATE types SET t = 11 WHERE id = 1', { $async => 1, "${at}server_prepare" => 0 }); my $r = "${at}async_result"; [$n, $db->$r] };
    test 'reconnect', sub {
        my $h = $other->(); $h->{"${at}auto_reconnect"} = 1; $h->do("SET \@mark = 1"); my $id = $h->{"${at}thread_id"};
        $db->do("KILL $id"); select undef, undef, undef, 0.3;
        my @r = eval { $h->selectrow_array('SELECT 5, @mark') }; @r = eval { $h->selectrow_array('SELECT 5, @mark') } unless @r;
        [@r, $h->{"${at}thread_id"} != $id ? 'another' : 'the same'];
    };
    test 'killed', sub {
        my $h = $other->(); my $id = $h->{"${at}thread_id"}; $h->{"${at}auto_reconnect"} = 0; $db->do("KILL $id"); select undef, undef, undef, 0.3;
        eval { $h->do('SELECT 1') }; [$h->err, $h->ping ? 1 : 0];
    };
    test 'killed query', sub {
        my $h = $other->(); my $id = $h->{"${at}thread_id"}; my $s = $h->prepare('SELECT SLEEP(20)', { $async => 1, "${at}server_prepare" => 0 }); $s->execute;
        select undef, undef, undef, 0.3; $db->do("KILL QUERY $id"); my $r = "${at}async_result"; eval { $s->$r; 1 }; [$h->err // $s->err, $s->err ? 'error' : $s->fetchrow_array];
    };
    test 'init command', sub { $other->("$dsn;${at}init_command=SET \@x=42")->selectrow_array('SELECT @x') };
    test 'compression', sub { $other->("$dsn;${at}compression=1")->selectrow_arrayref("SHOW STATUS LIKE 'Compression'") };
    test 'tls', sub { my ($n, $v) = $other->("$dsn;${at}ssl=1" . ($driver eq 'MariaDB' ? ';mariadb_ssl_optional=1' : ';mysql_ssl_optional=1'))->selectrow_array("SHOW STATUS LIKE 'Ssl_version'"); [$n, $v] };
    test 'socket', sub { my ($socket) = $db->selectrow_array('SELECT @@socket'); DBI->connect("DBI:$driver:database=app;${at}socket=$socket", 'app', 'secret', \%how)->selectrow_array('SELECT CURRENT_USER()') };
    test 'local infile', sub {
        my $f = "/tmp/isambard-dbd-$$"; open my $o, '>', $f or die; print $o "1\tone\n2\ttwo\n"; close $o;
        my $h = $other->("$dsn;${at}local_infile=1"); $h->do('CREATE TEMPORARY TABLE l (a INT, b TEXT)'); my $n = $h->do("LOAD DATA LOCAL INFILE '$f' INTO TABLE l"); unlink $f;
        [$n, $h->selectall_arrayref('SELECT * FROM l')];
    };
    test 'change of database', sub { my $h = $other->(); $h->do('USE other'); $h->selectrow_array('SELECT DATABASE()') };
    test 'found rows', sub { my $h = $other->("$dsn;${at}client_found_rows=0"); [$h->do('UPDATE types SET t = 3 WHERE id < 4'), $h->do('UPDATE types SET t = 3 WHERE id < 4')] };
    test 'prepare_cached', sub { my $x = $db->prepare_cached('SELECT ?'); my $y = $db->prepare_cached('SELECT ?'); [$x == $y ? 'same' : 'other', $db->selectrow_array($y, undef, 3)] };
    test 'prepared counters', sub { my $h = $other->(); my $s = $h->prepare('SELECT ?'); $s->execute(1); $s->finish; my %c = map { @$_ } @{ $h->selectall_arrayref("SHOW SESSION STATUS LIKE 'Com_stmt%'") }; \%c };
    test 'clone', sub { my $h = $db->clone; $h->selectrow_array('SELECT DATABASE()') };
    test 'disconnect', sub { my $h = $other->(); [$h->disconnect ? 1 : 0, $h->ping ? 1 : 0, $h->{Active} ? 1 : 0] };
    $db->disconnect;
}

for my $driver (qw(MariaDB mysql)) {
    for my $server (0, 1) { turn($driver, $server) }
}
