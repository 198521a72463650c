#!/bin/bash
# WordPress from Debian, run by PHP's own web server: installed, written, searched, administered by its forms and its REST API
# (clients/wordpress.php), the answers of both servers compared, and then what is in the database.
. "$(dirname "$0")/common.sh"

debian wordpress php-cli php-mysql php-mbstring php-xml php-curl curl
start_servers
for s in $servers; do
    sql "$s" -e "CREATE DATABASE app CHARACTER SET utf8mb4"
    code=$work/$s.code
    cp -rL /usr/share/wordpress "$code"
    mkdir -p "$code/wp-content/themes/plain" "$code/wp-content/uploads"
    # A theme of ours: Debian's are packages of their own.
    printf '/*\nTheme Name: Plain\n*/\n' >"$code/wp-content/themes/plain/style.css"
    echo "<?php add_filter('wp_is_comment_flood', '__return_false', 99);" >"$code/wp-content/themes/plain/functions.php"
    cat >"$code/wp-content/themes/plain/index.php" <<'PHP'
<?php wp_head(); bloginfo('name'); echo ' | '; bloginfo('description'); echo ' | '; wp_title(); wp_nav_menu(['fallback_cb' => false]);
if (!have_posts()) echo 'nothing found';
while (have_posts()) { the_post(); echo '<div>'; the_title(); echo ' by '; the_author(); echo ' in '; the_category(', '); the_tags(); the_content(); echo '</div>';
    if (is_singular()) { comments_template(); previous_post_link(); next_post_link(); } }
echo paginate_links(); wp_list_categories(); wp_tag_cloud(); wp_get_archives(['show_post_count' => true]); wp_list_pages(); wp_footer();
PHP
    cat >"$code/wp-config.php" <<PHP
<?php
define('DB_NAME', 'app'); define('DB_USER', 'app'); define('DB_PASSWORD', 'secret'); define('DB_HOST', '127.0.0.1:$(port_of "$s")');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', ''); \$table_prefix = 'wp_';
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as \$k) define(\$k, "salt of \$k");
define('WP_DEFAULT_THEME', 'plain'); define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('AUTOMATIC_UPDATER_DISABLED', true); define('WP_DEBUG', true); define('WP_DEBUG_DISPLAY', false); define('WP_DEBUG_LOG', '$work/$s.debug');
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
PHP
    web=$(free_port)
    php -d sendmail_path=/bin/true -d upload_max_filesize=8M -S "127.0.0.1:$web" -t "$code" >"$work/$s.web" 2>&1 &
    server=$!; started="$started $server"
    until_ready curl -s "http://127.0.0.1:$web/readme.html"
    timeout 250 php "$here/clients/wordpress.php" "http://127.0.0.1:$web" >"$work/$s.answers" 2>"$work/$s.err" || :
    kill "$server"
    # What is in the database: rows, definitions, and errors that WordPress met.
    for t in $(sql "$s" -N -e "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'app' ORDER BY 1"); do
        printf 'rows of %s\t%s\n' "$t" "$(sql "$s" -N -e "SELECT COUNT(*) FROM app.$t")"
        printf 'definition of %s\t%s\n' "$t" "$(sql "$s" -N -e "SHOW CREATE TABLE app.$t" | sed 's/AUTO_INCREMENT=[0-9]* //' | tr '\t' ' ')"
        printf 'check of %s\t%s\n' "$t" "$(sql "$s" -N -e "CHECK TABLE app.$t EXTENDED" | tr '\t' ' ')"
    done >>"$work/$s.answers"
    printf 'errors of the database\t%s\n' "$(grep 'WordPress database error' "$work/$s.debug" 2>/dev/null | sed 's/^\[[^]]*\] //' | sort | uniq -c | tr -s '\n ' ' ')" >>"$work/$s.answers"
done
rm -rf "$work"/*.code
compare
finish
