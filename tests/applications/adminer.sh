#!/bin/bash
# Adminer from Debian, run by PHP's own web server: databases, tables, rows, SQL, exports, routines, users by its forms
# (clients/adminer.php), the answers of both servers compared.
. "$(dirname "$0")/common.sh"

debian adminer php-cli php-mysql php-mbstring php-curl curl
mkdir -p "$work/code"
echo '<?php include "/usr/share/adminer/adminer.php";' >"$work/code/index.php"
start_servers
# What only MariaDB's installation makes and the pages would list.
sql mariadb -e "DROP DATABASE IF EXISTS sys; DROP DATABASE IF EXISTS test; DELETE FROM mysql.global_priv WHERE User IN ('', 'PUBLIC') OR (User = 'root' AND Host <> 'localhost'); FLUSH PRIVILEGES"
for s in $servers; do
    mkdir -p "$work/$s.sessions"
    web=$(free_port)
    php -d session.save_path="$work/$s.sessions" -d date.timezone=UTC -S "127.0.0.1:$web" -t "$work/code" "$work/code/index.php" >"$work/$s.web" 2>&1 &
    server=$!; started="$started $server"
    until_ready curl -s "http://127.0.0.1:$web/"
    timeout 150 php "$here/clients/adminer.php" "http://127.0.0.1:$web" "$(port_of "$s")" >"$work/$s.answers" 2>"$work/$s.err" || :
    kill "$server"
    for q in "SHOW TABLES FROM shop" "SELECT * FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'shop'" "SHOW GRANTS FOR reader@'%'"; do
        printf 'at the end: %s\t%s\n' "$q" "$(sql "$s" -N -e "$q" 2>&1 | tr '\t\n' '  ')"
    done >>"$work/$s.answers"
done
compare
finish
