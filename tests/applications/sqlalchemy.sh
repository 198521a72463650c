#!/bin/bash
# SQLAlchemy: its own tests from the source package: those of the dialect, of SQL and of reflection,
# as far as they use a database, through PyMySQL, against both servers.
. "$(dirname "$0")/common.sh"
version=2.0.44

venv sqlalchemy "SQLAlchemy==$version" PyMySQL cryptography pytest pytest-timeout
source_of sqlalchemy "$version"
# The tests' tables for transactions and foreign keys are MyISAM, too, on both servers.
sed -i 's/"InnoDB"/"MyISAM"/g' "$source"/lib/sqlalchemy/testing/schema.py

start_servers
run() {
    sql "$1" -e "CREATE OR REPLACE DATABASE test CHARACTER SET utf8mb4; CREATE DATABASE test_schema CHARACTER SET utf8mb4; CREATE DATABASE test_schema_2 CHARACTER SET utf8mb4"
    RESULTS=$work/$1.results PYTHONPATH=$here timeout 900 "$python" -m pytest -q -p results -p no:cacheprovider -p no:logging --backend-only --timeout 60 \
        --maxfail 100000 --dburi "mariadb+pymysql://app:secret@127.0.0.1:$(port_of "$1")/test?charset=utf8mb4" ${TESTS:-test/dialect/mysql test/dialect/test_suite.py test/sql test/engine/test_reflection.py test/engine/test_execute.py} >"$work/$1.out" 2>&1 || :
}
cd "$source"
for s in $servers; do run "$s" & pids="${pids:-} $!"; done
# shellcheck disable=SC2086
wait $pids
sed -i "s/_mariadb+pymysql_[0-9_]*::/::/" "$work"/*.results     # versions in names
finish
