#!/bin/bash
# Java: MariaDB Connector/J and Connector/J, as Maven has them (without their own tests): the program clients/Clients.java for types,
# prepared statements, batches, callable statements and database metadata, the answers of both servers compared.
. "$(dirname "$0")/common.sh"

fetch() {
    [ -f "$store/java/$2-$3.jar" ] || mvn -q -B dependency:copy -Dartifact="$1:$2:$3" -DoutputDirectory="$store/java" >>"$work/maven.log" 2>&1
}
mkdir -p "$store/java"
fetch org.mariadb.jdbc mariadb-java-client 3.4.1
fetch com.mysql mysql-connector-j 9.1.0
start_servers
for s in $servers; do
    for driver in mariadb:mariadb-java-client-3.4.1 mysql:mysql-connector-j-9.1.0; do
        sql "$s" -e "CREATE OR REPLACE DATABASE app CHARACTER SET utf8mb4; CREATE OR REPLACE DATABASE other"
        timeout 200 java -cp "$store/java/${driver#*:}.jar" "$here/clients/Clients.java" "${driver%%:*}" \
            "jdbc:${driver%%:*}://127.0.0.1:$(port_of "$s")/app" >>"$work/$s.answers" 2>>"$work/$s.err" || :
    done
done
compare
finish
