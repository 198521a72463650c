#!/bin/bash
# PHP: PDO (emulated and real prepared statements, buffered and not) and mysqli, from Debian: the program clients/pdo.php, the
# answers of both servers compared.
. "$(dirname "$0")/common.sh"

debian php-cli php-mysql
start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE app CHARACTER SET utf8mb4; CREATE DATABASE other"
    timeout 120 php "$here/clients/pdo.php" "$(port_of "$s")" >"$work/$s.answers" 2>"$work/$s.err" || :
done
compare
finish
