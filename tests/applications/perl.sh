#!/bin/bash
# Perl: DBD::MariaDB and DBD::mysql from Debian, with statements prepared by the driver and by the server: the program
# clients/dbd.pl, the answers of both servers compared.
. "$(dirname "$0")/common.sh"

debian libdbd-mariadb-perl libdbd-mysql-perl perl
start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE app CHARACTER SET utf8mb4; CREATE DATABASE other"
    timeout 150 perl "$here/clients/dbd.pl" "$(port_of "$s")" >"$work/$s.answers" 2>"$work/$s.err" || :
done
compare
finish
