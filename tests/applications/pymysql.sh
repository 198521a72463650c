#!/bin/bash
# PyMySQL: its own tests against both servers. They are those of 0.10.1, the last source package that has them.
. "$(dirname "$0")/common.sh"
version=0.10.1

venv pymysql cryptography pytest pytest-timeout
source_of PyMySQL "$version"
sed -i "s/ENGINE=INNODB/ENGINE=MyISAM/" "$source"/pymysql/tests/thirdparty/test_MySQLdb/*.py
start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE IF NOT EXISTS test1; CREATE DATABASE IF NOT EXISTS test2"
    cat >"$source/pymysql/tests/databases.json" <<END
[{"host": "localhost", "unix_socket": "$work/$s.sock", "user": "root", "passwd": "", "db": "test1", "use_unicode": true, "local_infile": true},
 {"host": "127.0.0.1", "port": $(port_of "$s"), "user": "app", "passwd": "secret", "db": "test2"}]
END
    (cd "$source" && RESULTS=$work/$s.results PYTHONPATH=$here USER=root timeout 240 "$python" -m pytest -q -p results -p no:cacheprovider \
        --timeout 60 pymysql/tests >"$work/$s.out" 2>&1) || :
done
finish
