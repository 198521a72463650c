#!/bin/bash
# phpMyAdmin from Debian with its own tables, run by PHP's own web server: databases, tables, rows, SQL, exports, imports, users,
# maintenance by its routes (clients/phpmyadmin.php), the answers of both servers compared.
. "$(dirname "$0")/common.sh"

debian phpmyadmin php-cli php-mysql php-mbstring php-xml php-curl curl
start_servers
# What only MariaDB's installation makes and the pages would list.
sql mariadb -e "DROP DATABASE IF EXISTS sys; DROP DATABASE IF EXISTS test; DELETE FROM mysql.global_priv WHERE User IN ('', 'PUBLIC') OR (User = 'root' AND Host <> 'localhost'); FLUSH PRIVILEGES"
for s in $servers; do
    code=$work/$s.code
    cp -rL /usr/share/phpmyadmin "$code"
    mkdir -p "$work/$s.sessions" "$work/$s.tmp"
    sed -i "s#'/etc/phpmyadmin/config.inc.php'#'$code/config.inc.php'#; s#'/var/lib/phpmyadmin/tmp/'#'$work/$s.tmp/'#" "$code/libraries/vendor_config.php"
    cat >"$code/config.inc.php" <<PHP
<?php
\$cfg['blowfish_secret'] = '0123456789abcdef0123456789abcdef';
\$cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => '127.0.0.1', 'port' => '$(port_of "$s")', 'verbose' => 'here', 'controluser' => 'app', 'controlpass' => 'secret', 'hide_db' => '^(performance_schema)$', 'pmadb' => 'phpmyadmin',
    'bookmarktable' => 'pma__bookmark', 'relation' => 'pma__relation', 'table_info' => 'pma__table_info', 'table_coords' => 'pma__table_coords', 'pdf_pages' => 'pma__pdf_pages', 'column_info' => 'pma__column_info', 'history' => 'pma__history', 'table_uiprefs' => 'pma__table_uiprefs', 'tracking' => 'pma__tracking', 'userconfig' => 'pma__userconfig',
    'recent' => 'pma__recent', 'favorite' => 'pma__favorite', 'users' => 'pma__users', 'usergroups' => 'pma__usergroups', 'navigationhiding' => 'pma__navigationhiding', 'savedsearches' => 'pma__savedsearches', 'central_columns' => 'pma__central_columns', 'designer_settings' => 'pma__designer_settings', 'export_templates' => 'pma__export_templates'];
\$cfg['VersionCheck'] = false; \$cfg['SendErrorReports'] = 'never'; \$cfg['DefaultLang'] = 'en'; \$cfg['ShowServerInfo'] = false;
PHP
    sql "$s" -e "source $code/sql/create_tables.sql" >"$work/$s.tables" 2>&1
    web=$(free_port)
    php -d session.save_path="$work/$s.sessions" -d date.timezone=UTC -S "127.0.0.1:$web" -t "$code" >"$work/$s.web" 2>&1 &
    server=$!; started="$started $server"
    until_ready curl -s "http://127.0.0.1:$web/robots.txt"
    timeout 200 php "$here/clients/phpmyadmin.php" "http://127.0.0.1:$web" "$(port_of "$s")" >"$work/$s.answers" 2>"$work/$s.err" || :
    kill "$server"
    for t in $(sql "$s" -N -e "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'phpmyadmin' ORDER BY 1"); do
        printf 'definition of %s\t%s\n' "$t" "$(sql "$s" -N -e "SHOW CREATE TABLE phpmyadmin.$t" | sed 's/AUTO_INCREMENT=[0-9]* //' | tr '\t' ' ')"
        printf 'check of %s\t%s\n' "$t" "$(sql "$s" -N -e "CHECK TABLE phpmyadmin.$t EXTENDED; SELECT COUNT(*) FROM phpmyadmin.$t" | tr '\t\n' '  ')"
    done >>"$work/$s.answers"
done
rm -rf "$work"/*.code
compare
finish
