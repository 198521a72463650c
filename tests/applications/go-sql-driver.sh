#!/bin/bash
# go-sql-driver/mysql: the test suite that comes with the Go module, against both servers.
. "$(dirname "$0")/common.sh"
version=v1.10.0

mkdir -p "$store/go"
cd "$store/go"
[ -f go.mod ] || go mod init applications >"$work/go.log" 2>&1
module=$(go mod download -json "github.com/go-sql-driver/mysql@$version" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
cp -r "$module" "$work/source"
chmod -R u+w "$work/source"
cd "$work/source"
go test -c -o "$work/driver.test" . >>"$work/go.log" 2>&1

start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE IF NOT EXISTS gotest"
    # The skipped test connects to an address outside of this machine.
    MYSQL_TEST_USER=app MYSQL_TEST_PASS=secret MYSQL_TEST_PROT=tcp MYSQL_TEST_ADDR="127.0.0.1:$(port_of "$s")" MYSQL_TEST_DBNAME=gotest \
        timeout 240 "$work/driver.test" -test.v -test.timeout 230s -test.skip TestConnectorReturnsTimeout >"$work/$s.out" 2>&1 || :
    sed -n 's/^ *--- PASS: \([^ ]*\).*/ok \1/p; s/^ *--- FAIL: \([^ ]*\).*/failed \1/p; s/^ *--- SKIP: \([^ ]*\).*/skipped \1/p' "$work/$s.out" >"$work/$s.results"
done
finish
