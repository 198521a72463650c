<?php
// WordPress by its pages, forms and REST API.   php wordpress.php URL
require __DIR__ . '/browser.php';
$base = $argv[1];
$web = new Browser($base); $guest = new Browser($base);
// Without what is another one at each run: times, tokens, addresses.
$plain = function (mixed $v) use ($base, &$plain) {
    if (is_array($v)) {
        foreach (['date', 'date_gmt', 'modified', 'modified_gmt', '_links', 'guid', 'registered_date', 'class_list', 'template', 'author_avatar_urls', 'avatar_urls', 'author_ip', 'author_user_agent'] as $k) unset($v[$k]);
        return array_map($plain, $v);
    }
    return is_string($v) ? preg_replace(['~' . preg_quote($base) . '~', '/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/', '/nonce=\w+/', '~\b(January|February|March|April|May|June|July|August|September|October|November|December) \d+, \d{4}( at \d+:\d\d [ap]m)?~', '~/\d{4}/\d\d/~', '~\d{8}T\d\d:\d\d:\d\d~', '~\d{4}/\d\d/\d\d at \d+:\d\d [ap]m~', '~\b11?\d? 20\d\d \d\d \d\d \d\d\b|\b\d\d 20\d\d \d\d \d\d \d\d\b~', '~\S+\.code/~', '~\b1[789]\d{8}\b~'],
        ['', 'TIME', 'nonce', 'DAY', '/MONTH/', 'TIME', 'TIME', 'TIME', 'CODE/', 'TIME'], $v) : $v;
};
$page = fn (string $path) => $plain(text($guest->ask($path)));
$admin = fn (string $path) => preg_replace('/\d+ (seconds?|mins?) ago|Version [\d.]+|\d+:\d\d [ap]m|\d{4}\/\d\d\/\d\d/', 'X', $plain(text(preg_replace('#.*<div id="wpbody-content">|<div id="wpfooter".*#s', '', $web->ask("/wp-admin/$path")))));

test('install: languages', fn () => strlen($web->ask('/wp-admin/install.php')) > 1000);
test('install', fn () => text($web->ask('/wp-admin/install.php?step=2', ['weblog_title' => 'Łódź & Co', 'user_name' => 'admin', 'admin_password' => 'Great-Western-1838', 'admin_password2' => 'Great-Western-1838', 'pw_weak' => '1', 'admin_email' => 'a@example.com', 'blog_public' => '0', 'Submit' => 'Install WordPress', 'language' => ''])));
test('install again', fn () => text($web->ask('/wp-admin/install.php')));
test('front page', fn () => $page('/'));
test('wrong password', fn () => [str_contains($g = text((new Browser($base))->ask('/wp-login.php', ['log' => 'admin', 'pwd' => 'wrong'])), 'is incorrect')]);
test('log in', function () use ($web) { $web->ask('/wp-login.php'); $t = $web->ask('/wp-login.php', ['log' => 'admin', 'pwd' => 'Great-Western-1838', 'testcookie' => '1', 'redirect_to' => '']); return [$web->status, str_contains($t, 'wpadminbar')]; });
$nonce = '';
test('nonce', function () use ($web, &$nonce) { $nonce = trim($web->ask('/wp-admin/admin-ajax.php?action=rest-nonce')); return strlen($nonce); });
// The REST API as the administrator.
$rest = function (string $method, string $path, ?array $body = null) use ($web, &$nonce, $plain) {
    [$p, $q] = explode('?', "$path?");
    $r = json_decode($web->ask("/index.php?rest_route=/wp/v2/$p" . ($q === '' ? '' : "&$q"), $body === null ? ($method === 'GET' ? null : '') : json_encode($body), ["X-WP-Nonce: $nonce", 'Content-Type: application/json'], $method === 'GET' ? null : $method), true);
    preg_match('/^X-WP-Total: (\d+)/mi', $web->head, $n);
    return ['status' => $web->status, 'total' => $n[1] ?? null, 'body' => $plain($r)];
};
$names = function (array $answer) { $b = $answer['body']; return [$answer['status'], $answer['total'], isset($b['code']) ? $b['code'] : array_map(fn ($x) => ($x['id'] ?? '') . ' ' . ($x['title']['rendered'] ?? $x['name'] ?? $x['content']['rendered'] ?? $x['title'] ?? ''), $b)]; };
test('index of the API', fn () => array_keys(json_decode($guest->ask('/index.php?rest_route=/'), true)['routes']));
foreach (['News', 'Über uns', 'Reisen 東京'] as $i => $c) test("category $i", fn () => $rest('POST', 'categories', ['name' => $c, 'description' => "of $c", 'parent' => $i == 2 ? 2 : 0]));
foreach (['iron', 'steam', 'café ☕'] as $i => $c) test("tag $i", fn () => $rest('POST', 'tags', ['name' => $c]));
test('category twice', fn () => $rest('POST', 'categories', ['name' => 'News'])['body']['code']);
for ($i = 1; $i <= 12; $i++) test("post $i", fn () => $rest('POST', 'posts', ['title' => "Post $i " . ['Łódź', '😀 emoji', 'it\'s "quoted"', 'plain'][$i % 4], 'content' => "<!-- wp:paragraph --><p>Body $i of iron and " . ($i % 3 ? 'steam' : 'Ωμέγα 🧑‍🚀') . ' \\ \' "</p><!-- /wp:paragraph -->',
    'status' => $i % 6 == 5 ? 'draft' : 'publish', 'date' => sprintf('2024-%02d-%02dT10:00:00', $i % 3 + 1, $i), 'categories' => [1 + $i % 4], 'tags' => [5 + $i % 3], 'excerpt' => "Excerpt $i", 'sticky' => $i == 4, 'meta' => []]));
test('future post', fn () => $rest('POST', 'posts', ['title' => 'To come', 'status' => 'future', 'date' => '2099-01-01T00:00:00'])['body']['status'] ?? '');
test('private post', fn () => $rest('POST', 'posts', ['title' => 'Mine', 'status' => 'private'])['body']['status'] ?? '');
test('post with a password', fn () => $rest('POST', 'posts', ['title' => 'Locked', 'content' => 'hidden', 'password' => 'key', 'status' => 'publish', 'date' => '2023-05-05T00:00:00'])['body']['content'] ?? '');
test('page', fn () => $rest('POST', 'pages', ['title' => 'About Łódź', 'content' => 'about iron', 'status' => 'publish']));
test('page below', fn () => $rest('POST', 'pages', ['title' => 'Below', 'content' => 'x', 'status' => 'publish', 'parent' => 2, 'menu_order' => 3])['body']['parent'] ?? '');
test('edit', fn () => $rest('PUT', 'posts/4', ['title' => 'Changed 🚂', 'content' => 'changed content']));
test('edit again', fn () => $rest('PUT', 'posts/4', ['content' => 'changed once more'])['body']['content']);
test('revisions', fn () => $names($rest('GET', 'posts/4/revisions')));
foreach (['', '&search=iron', '&search=' . rawurlencode('Łódź'), '&search=' . rawurlencode('😀'), '&search=nosuchword', '&search=' . rawurlencode("it's"), '&categories=2', '&categories=2,3&tags=6', '&tags=5', '&categories_exclude=1', '&author=1', '&after=2024-02-01T00:00:00&before=2024-03-01T00:00:00', '&orderby=title&order=asc', '&orderby=id&per_page=3&page=2', '&orderby=relevance&search=steam',
    '&status=draft', '&status=future', '&sticky=true', '&include=4,5,6&orderby=include', '&exclude=4', '&slug=post-4-plain', '&offset=4', '&page=99'] as $q) test("posts$q", fn () => $names($rest('GET', "posts?context=view$q")));
test('search of everything', fn () => $names($rest('GET', 'search?search=iron')));
test('categories', fn () => $rest('GET', 'categories?orderby=count&hide_empty=0'));
test('tags by count', fn () => $names($rest('GET', 'tags?orderby=count&order=desc')));
test('delete of a category', fn () => $rest('DELETE', 'categories/4?force=1'));
test('trash', fn () => $rest('DELETE', 'posts/5')['body']['status'] ?? '');
test('from the trash', fn () => $rest('PUT', 'posts/5', ['status' => 'publish'])['body']['status'] ?? '');
test('delete', fn () => $rest('DELETE', 'posts/6?force=1')['body']['deleted'] ?? '');
test('deleted', fn () => $rest('GET', 'posts/6')['body']['code'] ?? '');

// Comments, by the form of a guest and by the API.
foreach (['A first comment', 'Ein zweiter: größer', '😀🚂 東京'] as $i => $c) test("comment $i", function () use ($base, $c, $i) { $b = new Browser($base); $b->ask('/wp-comments-post.php', ['comment_post_ID' => '1', 'author' => "Guest $i", 'email' => "g$i@example.com", 'url' => '', 'comment' => $c, 'comment_parent' => $i == 1 ? '1' : '0']); return $b->status; });
test('comment twice', function () use ($base) { $b = new Browser($base); $t = $b->ask('/wp-comments-post.php', ['comment_post_ID' => '1', 'author' => 'Guest 0', 'email' => 'g0@example.com', 'comment' => 'A first comment']); return [$b->status, text($t)]; });
test('comments to approve', fn () => $names($rest('GET', 'comments?status=hold&orderby=id')));
test('approve', fn () => [$rest('PUT', 'comments/2', ['status' => 'approved'])['body']['status'] ?? '', $rest('PUT', 'comments/3', ['status' => 'approved'])['body']['status'] ?? '', $rest('PUT', 'comments/4', ['status' => 'spam'])['body']['status'] ?? '']);
test('comment by the API', fn () => $rest('POST', 'comments', ['post' => 1, 'content' => 'by the administrator', 'parent' => 2]));
test('comments', fn () => $names($rest('GET', 'comments?orderby=id&order=asc')));
test('comment trashed', fn () => $rest('DELETE', 'comments/2')['body']['status'] ?? '');

// Users and roles.
foreach (['editor', 'author', 'subscriber'] as $r) test("user $r", fn () => $rest('POST', 'users', ['username' => "u$r", 'email' => "$r@example.com", 'password' => 'secret-Pass-1', 'roles' => [$r], 'first_name' => 'Zoë', 'last_name' => $r]));
test('user twice', fn () => $rest('POST', 'users', ['username' => 'ueditor', 'email' => 'other@example.com', 'password' => 'x'])['body']['code'] ?? '');
test('users', fn () => $names($rest('GET', 'users?context=edit&orderby=name')));
test('users by role', fn () => $names($rest('GET', 'users?context=edit&roles=editor,author&search=example')));
test('role changed', fn () => $rest('PUT', 'users/4', ['roles' => ['contributor']])['body']['roles'] ?? '');
test('user deleted', fn () => $rest('DELETE', 'users/3?force=1&reassign=1')['body']['deleted'] ?? '');
test('log in of an editor', function () use ($base) { $b = new Browser($base); $b->ask('/wp-login.php'); $t = $b->ask('/wp-login.php', ['log' => 'ueditor', 'pwd' => 'secret-Pass-1', 'testcookie' => '1']); $o = $b->ask('/wp-admin/options-general.php'); return [str_contains($t, 'wp-admin-bar'), $b->status]; });

// Options, media, menus, widgets, blocks.
test('settings', fn () => $rest('GET', 'settings'));
test('settings changed', fn () => $rest('PUT', 'settings', ['title' => 'Neu ✓', 'description' => 'it\'s new', 'posts_per_page' => 5, 'timezone' => 'Europe/Berlin']));
test('media', function () use ($web, &$nonce, $plain) { $r = json_decode($web->ask('/index.php?rest_route=/wp/v2/media', base64_decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), ["X-WP-Nonce: $nonce", 'Content-Type: image/png', 'Content-Disposition: attachment; filename=dot.png']), true); return $plain([$web->status, $r['code'] ?? null, $r['title']['raw'] ?? null, $r['mime_type'] ?? null, $r['media_details']['width'] ?? null]); });
test('media changed', fn () => $names($rest('GET', 'media?search=dot')));
test('menu', fn () => $rest('POST', 'menus', ['name' => 'Top menu']));
test('menu item', function () use ($rest) { $m = $rest('GET', 'menus')['body'][0]['id'] ?? 0; return $rest('POST', 'menu-items', ['title' => 'Home', 'url' => 'http://example.com/', 'status' => 'publish', 'menus' => $m, 'menu_order' => 1])['status']; });
test('menu items', fn () => $names($rest('GET', 'menu-items')));
test('reusable block', fn () => $rest('POST', 'blocks', ['title' => 'Block', 'content' => '<p>again</p>', 'status' => 'publish'])['body']['title'] ?? '');
foreach (['types', 'statuses', 'taxonomies'] as $p) test($p, fn () => array_keys($rest('GET', $p)['body']));
test('plugins', fn () => array_map(fn ($p) => [$p['plugin'], $p['status']], $rest('GET', 'plugins')['body']));
test('plugin activated', fn () => $rest('PUT', 'plugins/akismet/akismet', ['status' => 'active'])['body']['status'] ?? '');
test('plugin deactivated', fn () => $rest('PUT', 'plugins/akismet/akismet', ['status' => 'inactive'])['body']['status'] ?? '');

// The pages as a guest sees them, and those of the administrator.
foreach (['/', '/?paged=2', '/?s=iron', '/?s=' . rawurlencode('Ωμέγα'), '/?s=nothing-of-this', '/?cat=2', '/?tag=iron', '/?m=202402', '/?m=20240107', '/?author=1', '/?p=1', '/?p=4', '/?page_id=2', '/?p=9999', '/?feed=rss2', '/?feed=comments-rss2', '/?feed=atom&cat=1'] as $q)
    test("guest $q", fn () => preg_replace('/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]+ \+0000|\d{4}-\d\d-\d\dT[\d:]+Z/', 'TIME', $page($q)));
test('permalinks', function () use ($web) { $f = $web->ask('/wp-admin/options-permalink.php'); $web->ask('/wp-admin/options-permalink.php', ['_wpnonce' => field($f, '_wpnonce'), '_wp_http_referer' => '/wp-admin/options-permalink.php', 'selection' => '/index.php/%year%/%monthnum%/%postname%/', 'permalink_structure' => '/index.php/%year%/%monthnum%/%postname%/', 'submit' => 'Save']); return $web->status; });
foreach (['/index.php/2024/02/', '/index.php/category/news/', '/index.php/tag/steam/', '/index.php/author/admin/', '/index.php/sample-page/', '/index.php/2024/02/nothing/'] as $q) test("guest $q", function () use ($page, $guest, $q) { $t = $page($q); return [$guest->status, $t]; });
foreach (['edit.php?orderby=title&order=asc', 'edit.php?post_status=trash&post_type=post', 'edit.php?s=iron', 'edit.php?post_type=page', 'edit-tags.php?taxonomy=category', 'edit-comments.php?comment_status=spam', 'users.php', 'users.php?role=contributor', 'upload.php?mode=list', 'plugins.php', 'tools.php', 'options-reading.php', 'index.php'] as $q) test("admin $q", fn () => $admin($q));
// WordPress asks for the items of an export, and for the comments of each, in no order.
test('export', function () use ($web, $plain) {
    $t = $plain(preg_replace(['/generator="[^"]*"|<generator>.*?<\/generator>|created="[^"]*"/', '#<(pubDate|wp:(post_date|post_modified|comment_date)(_gmt)?|wp:comment_author_IP)>.*?</\1>#s', '#<wp:postmeta>\s*<wp:meta_key><!\[CDATA\[_edit_lock.*?</wp:postmeta>#s'], '', $web->ask('/wp-admin/export.php?download=true&content=all')));
    $items = explode('<item>', $t); $head = array_shift($items); $items = array_map(fn ($i) => preg_replace('#</item>.*#s', '', $i), $items); sort($items);
    $items = array_map(function ($i) { $c = explode('<wp:comment>', $i); $first = array_shift($c); $c = array_map(trim(...), $c); sort($c); return $first . implode('<wp:comment>', $c); }, $items);
    return [count($items), md5($head . implode($items)), $head, ...$items];
});
test('export of a category', fn () => substr_count($web->ask('/wp-admin/export.php?download=true&content=posts&cat=2&author=0'), '<item>'));
test('cron', function () use ($guest) { $guest->ask('/wp-cron.php?doing_wp_cron'); return $guest->status; });
test('lost password of nobody', fn () => str_contains(text($guest->ask('/wp-login.php?action=lostpassword', ['user_login' => 'nobody', 'redirect_to' => ''])), 'There is no account'));
test('XML-RPC', fn () => $plain(text($guest->ask('/xmlrpc.php', '<?xml version="1.0"?><methodCall><methodName>wp.getPosts</methodName><params><param><value><int>1</int></value></param><param><value><string>admin</string></value></param><param><value><string>Great-Western-1838</string></value></param></params></methodCall>', ["Content-Type: text/xml"]))));
test('log out', function () use ($web) { preg_match('/action=logout[^"\']*_wpnonce=(\w+)/', $web->ask('/wp-admin/profile.php'), $m); $web->ask('/wp-login.php?action=logout&_wpnonce=' . ($m[1] ?? '')); $web->ask('/wp-admin/profile.php'); return str_contains($web->url, 'wp-login.php'); });
