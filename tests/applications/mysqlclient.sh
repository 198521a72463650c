#!/bin/bash
# mysqlclient (MySQLdb): its own tests against both servers, built with Debian's client library.
. "$(dirname "$0")/common.sh"
version=2.3.2

debian libmariadb-dev pkg-config gcc python3-dev
venv mysqlclient "mysqlclient==$version" pytest pytest-timeout
source_of mysqlclient "$version"
sed -i 's/ENGINE=INNODB/ENGINE=MyISAM/' "$source"/tests/*.py
start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE IF NOT EXISTS test"
    printf '[MySQLdb-tests]\nhost=127.0.0.1\nport=%s\nuser=app\npassword=secret\ndatabase=test\ndefault-character-set=utf8mb4\n' "$(port_of "$s")" >"$work/$s.cnf"
    (cd "$source/tests" && TESTDB=$work/$s.cnf RESULTS=$work/$s.results PYTHONPATH=$here timeout 240 "$python" -m pytest -q -p results -p no:cacheprovider \
        --timeout 60 . >"$work/$s.out" 2>&1) || :
done
finish
