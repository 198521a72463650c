#!/bin/bash
# Node: typical use of mysql2, mysql, mariadb, knex, Sequelize and TypeORM (clients/node.cjs; the packages come without their
# own tests), the answers of both servers compared.
. "$(dirname "$0")/common.sh"

mkdir -p "$store/node"
cd "$store/node"
[ -d node_modules/typeorm ] || { npm init -y && npm install --no-audit --no-fund mysql2@3.24 mysql@2.18 mariadb@3.5 knex@3.3 sequelize@6.37 typeorm@1.1 reflect-metadata; } >"$work/npm.log" 2>&1
start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE app CHARACTER SET utf8mb4; CREATE DATABASE other; CREATE DATABASE typeorm_mysql CHARACTER SET utf8mb4; CREATE DATABASE typeorm_mariadb CHARACTER SET utf8mb4"
    NODE_PATH=$store/node/node_modules timeout 200 node "$here/clients/node.cjs" "$(port_of "$s")" >"$work/$s.answers" 2>"$work/$s.err" || :
done
compare
finish
