#!/bin/bash
# Tools from Debian's packages on both servers: mariadb-dump with routines, triggers and events, both ways; mydumper and
# myloader; percona-toolkit; mariadb-check, -import, -show, -slap, -upgrade; mysqld_exporter. A test passes when the tool ends
# with 0 and, where there is something to compare, gives what the same tool gives on MariaDB.
. "$(dirname "$0")/common.sh"

debian mydumper percona-toolkit prometheus-mysqld-exporter curl mariadb-client
start_servers
cat >"$work/shop.sql" <<'END'
CREATE DATABASE shop CHARACTER SET utf8mb4; USE shop;
CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60), price DECIMAL(8,2), made DATETIME DEFAULT CURRENT_TIMESTAMP,
    KEY n (name), KEY n2 (name, price), FULLTEXT f (name)) ENGINE=MyISAM COMMENT='what is sold';
INSERT INTO items (name, price, made) SELECT CONCAT('item ', seq), seq / 7, '2024-01-01' + INTERVAL seq HOUR FROM seq_1_to_5000;
CREATE TABLE kinds (a INT, b BLOB, c ENUM('x','y'), d BIT(5), e JSON, f POINT, g YEAR, h TIME(3), i DOUBLE, j SET('p','q'), k TEXT,
    v INT AS (a + 1) VIRTUAL, s INT AS (a * 2) STORED, CHECK (a < 100)) ENGINE=MyISAM;
INSERT INTO kinds (a, b, c, d, e, f, g, h, i, j, k) VALUES (1, x'0001FF27', 'y', b'10101', '{"k": [1]}', POINT(1, 2), 2024, '-01:02:03.456', 1e-300, 'p,q', 'Łódź '' \\ "'), (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE parts (a INT, b INT) ENGINE=MyISAM PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE);
INSERT INTO parts SELECT seq, seq FROM seq_1_to_20;
CREATE TABLE log (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(99)) ENGINE=MyISAM;
CREATE SEQUENCE numbers START WITH 7;
CREATE VIEW cheap AS SELECT id, name FROM items WHERE price < 10;
DELIMITER //
CREATE FUNCTION twice(a INT) RETURNS INT DETERMINISTIC RETURN a * 2//
CREATE PROCEDURE fill(IN n INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < n DO INSERT INTO log (what) VALUES (i); SET i = i + 1; END WHILE; END//
CREATE TRIGGER told AFTER DELETE ON items FOR EACH ROW INSERT INTO log (what) VALUES (CONCAT('deleted ', OLD.name))//
CREATE EVENT sweep ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01' DO DELETE FROM log//
DELIMITER ;
CREATE USER reader@'%' IDENTIFIED BY 'r'; GRANT SELECT ON shop.* TO reader@'%'; GRANT UPDATE (price) ON shop.items TO reader@'%';
CREATE ROLE clerk; GRANT INSERT ON shop.log TO clerk; GRANT clerk TO reader@'%';
END

answer() { printf '%s\t%s\n' "$1" "$2" >>"$work/$s.answers"; }
# tool TEST COMMAND...: passes when it ends with 0; its output is in a file of its own.
tool() {
    local test=$1; shift
    out=$work/$s.$(printf '%s' "$test" | tr -c 'a-z0-9\n' _).out
    if timeout 100 "$@" >"$out" 2>"$out.err" </dev/null; then answer "$test" ends; else answer "$test" "ERROR $(tail -n 1 "$out.err" | cut -c1-200)"; fi
}
# The same and what it printed (after the filter that drops versions and times) must be MariaDB's.
same() {
    tool "$@"
    answer "$1: output" "$(sed -e 's/[0-9]*-[0-9]*-[0-9]* [ 0-9]*:[0-9]*:[0-9]*/TIME/g; /^-- \(MariaDB dump\|Host:\|Server version\|Dump completed\)/d; s/10\.11\.19-MariaDB[^ |]*/VERSION/g' "$out" | md5sum | cut -c1-32)"
}
rows() { sql "$s" -N -e "CHECKSUM TABLE $1.items, $1.kinds, $1.parts, $1.log; SELECT MD5(GROUP_CONCAT(TABLE_NAME, TABLE_TYPE, IFNULL(TABLE_ROWS, '-') ORDER BY TABLE_NAME)) FROM information_schema.TABLES WHERE TABLE_SCHEMA = '$1';
    SELECT COUNT(*) FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = '$1'; SELECT COUNT(*) FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = '$1'; SELECT COUNT(*) FROM information_schema.EVENTS WHERE EVENT_SCHEMA = '$1'" 2>&1 | sed 's/^[a-z]*\.//' | tr '\t\n' '  '; }

for s in $servers; do
    : >"$work/$s.answers"
    o="--no-defaults -uroot -S $work/$s.sock"
    p="-u app -p secret -h 127.0.0.1 -P $(port_of "$s")"
    dsn="h=127.0.0.1,P=$(port_of "$s"),u=app,p=secret"
    # shellcheck disable=SC2086
    {
        tool "load" mariadb $o -e "source $work/shop.sql"
        answer "rows" "$(rows shop)"
        same "dump" mariadb-dump $o --routines --triggers --events --skip-dump-date shop
        cp "$out" "$work/$s.dump"
        tool "dump xml" mariadb-dump $o --xml shop items kinds
        answer "dump xml: output" "$(grep -v '<options\|<trigger' "$out" | md5sum | cut -c1-32)"
        tool "dump of users" mariadb-dump $o --system=users,udfs,servers --skip-dump-date --insert-ignore
        answer "dump of users: output" "$(grep 'reader\|app\|clerk' "$out" | grep -v root | md5sum | cut -c1-32)"
        tool "dump all" mariadb-dump $o --all-databases --routines --triggers --events --flush-privileges --master-data=0
        cp "$out" "$work/$s.all"
        tool "dump system" mariadb-dump $o --system=all
        sql "$s" -e "CREATE DATABASE copy CHARACTER SET utf8mb4"
        tool "restore" mariadb $o copy -e "source $work/$s.dump"
        answer "restored rows" "$(rows copy)"
        mkdir -p "$work/$s.tab"; chmod 777 "$work/$s.tab"
        tool "dump tab" mariadb-dump $o --tab="$work/$s.tab" shop items
        tool "import" mariadb-import $o --replace shop "$work/$s.tab/items.txt"
        same "show" mariadb-show $o shop items
        same "check" mariadb-check $o shop
        tool "check all" mariadb-check $o --all-databases
        tool "optimize" mariadb-check $o --optimize shop
        tool "slap" mariadb-slap $o --auto-generate-sql --concurrency=4 --iterations=1 --number-of-queries=200 --engine=MyISAM
        same "admin" mariadb-admin $o ping
        tool "mydumper" mydumper $p -B shop -o "$work/$s.my" -G -E -R -t 2
        tool "myloader" myloader $p -B loaded -d "$work/$s.my" -o -t 2
        answer "loaded rows" "$(rows loaded)"
        same "pt-show-grants" pt-show-grants $dsn --only reader --no-timestamp
        same "pt-duplicate-key-checker" pt-duplicate-key-checker $dsn --databases shop
        same "pt-find" pt-find --host 127.0.0.1 --port "$(port_of "$s")" --user app --password secret shop --print
        tool "pt-online-schema-change" pt-online-schema-change "$dsn,D=loaded,t=log" --alter "ADD COLUMN extra INT DEFAULT 3" --execute --no-version-check
        answer "changed table" "$(sql "$s" -N -e "SELECT GROUP_CONCAT(COLUMN_NAME ORDER BY ORDINAL_POSITION) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA='loaded' AND TABLE_NAME='log'")"
        tool "pt-archiver" pt-archiver --source "A=utf8mb4,$dsn,D=shop,t=items" --purge --where "id > 4900" --limit 50 --no-version-check
        answer "archived" "$(sql "$s" -N -e "SELECT COUNT(*) FROM shop.items; SELECT COUNT(*) FROM shop.log" | tr '\n' ' ')"
        tool "pt-table-sync" pt-table-sync --execute --no-check-slave --no-check-triggers "$dsn,D=shop,t=parts" "D=copy,t=parts" --no-version-check
        tool "pt-kill" pt-kill $(echo "$dsn" | sed 's/,/ --/g; s/h=/--host=/; s/--P=/--port=/; s/--u=/--user=/; s/--p=/--password=/') --busy-time 100 --print --run-time 2 --interval 1
        tool "pt-variable-advisor" pt-variable-advisor "$dsn" --no-version-check
        tool "pt-mysql-summary" pt-mysql-summary --sleep 1 -- --no-defaults -uroot -S "$work/$s.sock"
        sql "$s" -e "SET GLOBAL slow_query_log_file='$work/$s.slow'; SET GLOBAL slow_query_log=1; SET GLOBAL long_query_time=0"
        sql "$s" -e "SELECT SLEEP(0.01); SELECT COUNT(*) FROM shop.items WHERE price > 3; SELECT COUNT(*) FROM shop.items WHERE price > 4"
        sql "$s" -e "SET GLOBAL slow_query_log=0; SET GLOBAL long_query_time=10"
        tool "pt-query-digest" pt-query-digest --no-version-check "$work/$s.slow"
        answer "digest" "$(grep -c '^# Query [0-9]' "$out")"
        web=$(free_port)
        DATA_SOURCE_NAME="app:secret@(127.0.0.1:$(port_of "$s"))/" prometheus-mysqld-exporter --web.listen-address "127.0.0.1:$web" >"$work/$s.exporter" 2>&1 &
        exporter=$!; started="$started $exporter"
        until_ready curl -sf "http://127.0.0.1:$web/metrics" || :
        tool "exporter" curl -sf "http://127.0.0.1:$web/metrics"
        answer "exporter up" "$(grep '^mysql_up\|^mysql_exporter_collector_success' "$out" | sort | md5sum | cut -c1-32)"
        kill "$exporter"
    }
done
# What each dumped, the other reads.
for s in $servers; do
    other=$([ "$s" = mariadb ] && echo isambard || echo mariadb)
    sql "$s" -e "CREATE DATABASE crossed CHARACTER SET utf8mb4"
    tool "restore of the other's dump" mariadb --no-defaults -uroot -S "$work/$s.sock" crossed -e "source $work/$other.dump"
    answer "rows of the other's dump" "$(rows crossed)"
done
# Last: it changes the tables of accounts.
for s in $servers; do tool "upgrade" mariadb-upgrade --no-defaults -uroot -S "$work/$s.sock" --force; done
compare
finish
