#!/bin/sh
# MediaWiki 1.39 on Isambard and on MariaDB: installed, 50 pages written, searched by word, phrase, prefix and
# exclusion, after edits, a move and deletions, and after rebuildtextindex.php. Both must give the same answers.
#
#   tests/applications/mediawiki.sh [ISAMBARD]      the program [default: target/release/isambard]
#
# Debian's packages are installed when they are missing. Ends with 0 when the answers are equal.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
isambard=${1:-${CARGO_TARGET_DIR:-$here/target}/release/isambard}
[ -x "$isambard" ] || { echo "no program at $isambard: cargo build --release" >&2; exit 2; }

packages="mediawiki php-cli php-mysql php-mbstring php-xml php-intl curl mariadb-server"
if ! dpkg -s $packages >/dev/null 2>&1; then
    apt-get update -q >/dev/null
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages >/dev/null
fi
code=/usr/share/mediawiki
work=$(mktemp -d)
chmod 755 "$work"
started=""
stop() { for p in $started; do kill "$p" 2>/dev/null || :; done; wait 2>/dev/null || :; started=""; }
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# A free TCP port of this machine.
port() { php -r '$s = stream_socket_server("tcp://127.0.0.1:0"); echo explode(":", stream_socket_get_name($s, false))[1];'; }

# Waits until the command succeeds, 30 s at most.
until_ready() {
    for _ in $(seq 150); do "$@" >/dev/null 2>&1 && return 0; sleep 0.2; done
    echo "not ready: $*" >&2; return 1
}

serve_mariadb() {
    mariadb-install-db --no-defaults --user=root --auth-root-authentication-method=normal --datadir="$work/mariadb" >/dev/null
    mariadbd --no-defaults --user=root --datadir="$work/mariadb" --socket="$work/mariadb.sock" --skip-networking \
        --pid-file="$work/mariadb.pid" >"$work/mariadb.log" 2>&1 &
    started="$started $!"
}

serve_isambard() {
    "$isambard" serve --datadir "$work/isambard" --socket "$work/isambard.sock" --skip-networking >"$work/isambard.log" 2>&1 &
    started="$started $!"
}

# The texts: deterministic, with words of all frequencies.
texts() {
    mkdir -p "$work/texts"
    php -r '
        $words = explode(" ", "iron bridge steam tunnel railway engine paddle screw boiler rivet dock harbour gauge viaduct "
            . "surveyor telegraph cable launch propeller tide station arch brick timber chain anchor furnace coal");
        mt_srand(1859);
        for ($n = 1; $n <= 50; $n++) {
            $text = "";
            for ($i = 0; $i < 60; $i++) {
                $text .= $words[min(mt_rand(0, 27), mt_rand(0, 27))] . ($i % 12 == 11 ? ". " : " ");
            }
            if ($n % 5 == 0) $text .= "The great eastern ship crossed the ocean. ";
            if ($n % 7 == 0) $text .= "An eastern great wind. Łódź café naïve 東京 ";
            if ($n % 11 == 0) $text .= "Shipwright, shipyard and ships; don\x27t search for C++. ";
            file_put_contents($argv[1] . "/Page" . sprintf("%02d", $n), $text);
        }' "$work/texts"
}


# One search: the number of hits and the titles, sorted: MediaWiki asks for no order, and MariaDB gives another one each time.
search() {
    curl -sG "http://127.0.0.1:$web/api.php" --data-urlencode "srsearch=$1" \
        -d "action=query&list=search&format=json&srlimit=50&srwhat=${2:-text}&srinfo=totalhits" |
        php -r '$a = json_decode(stream_get_contents(STDIN), true); $q = $a["query"] ?? null;
            if ($q === null) { echo "failed: ", substr($a["error"]["info"] ?? "no answer", 0, 200), "\n"; exit; }
            $titles = array_column($q["search"], "title"); sort($titles);
            echo $q["searchinfo"]["totalhits"] ?? "-", ": ", implode(", ", $titles), "\n";'
}

searches() {
    echo "== $1"
    for term in iron viaduct furnace "iron bridge" '"great eastern"' '"eastern great"' 'ship*' 'shipw*' 'steam -boiler' \
        '+coal +furnace -chain' 'tunnel OR gauge' café Łódź 東京 "don't" 'C++' the nosuchword '"steam tunnel" railway' \
        Page07 elephant '~iron (bridge' '***' '"' ; do
        printf '%s => ' "$term"; search "$term"
    done
    for term in Page07 'Page1*' Renamed; do printf 'title %s => ' "$term"; search "$term" title; done
}

wiki() {
    socket=$1; home=$2; mkdir -p "$home"; config=$home/LocalSettings.php
    web=$(port)
    php "$code/maintenance/install.php" --confpath "$home" --dbtype mysql --dbserver "localhost:$socket" --dbname wiki \
        --dbuser root --dbpass '' --server "http://127.0.0.1:$web" --scriptpath '' --lang en --pass 'Great-Western-1838' \
        Wiki Admin >"$home/install.log" 2>&1 || { cat "$home/install.log" >&2; return 1; }
    { echo '$wgMainCacheType = CACHE_NONE; $wgJobRunRate = 0; $wgShowExceptionDetails = true;'
      echo '$wgDBservers = false; $wgMiserMode = false;'; } >>"$config"
    MW_CONFIG_FILE="$config" PHP_CLI_SERVER_WORKERS=2 php -S "127.0.0.1:$web" -t "$code" >"$home/web.log" 2>&1 &
    started="$started $!"
    until_ready curl -sf "http://127.0.0.1:$web/api.php?action=query&meta=siteinfo&format=json"

    run() { name=$1; shift; MW_CONFIG_FILE="$config" php "$code/maintenance/$name.php" "$@" >>"$home/maintenance.log" 2>&1; }
    edit() { printf '%s' "$2" | MW_CONFIG_FILE="$config" php "$code/maintenance/edit.php" --user Admin "$1" >>"$home/maintenance.log" 2>&1; }
    run importTextFiles --user Admin "$work"/texts/*
    run runJobs
    searches "50 pages"

    edit Page03 "An elephant crossed the iron bridge at Maidenhead."
    edit Page10 "$(cat "$work/texts/Page10") The elephant again, elephants everywhere."
    edit Page20 "Nothing of before is left here."
    echo "Page05|Renamed page" >"$home/moves"
    run moveBatch --u Admin "$home/moves"
    printf 'Page15\nPage22\nPage35\n' >"$home/deletions"
    run deleteBatch -u Admin "$home/deletions"
    run runJobs
    searches "after edits, a move and deletions"

    run rebuildtextindex
    searches "after rebuildtextindex.php"
}

texts
serve_mariadb
serve_isambard
for server in mariadb isambard; do
    until_ready mariadb --no-defaults -uroot -S "$work/$server.sock" -e 'SELECT 1'
    wiki "$work/$server.sock" "$work/wiki-$server" >"$work/$server.answers" || {
        echo "MediaWiki on $server failed:" >&2; tail -n 40 "$work/wiki-$server"/*.log >&2; exit 1; }
done
if grep -q 'ERROR' "$work/isambard.log" || grep -q 'failed:' "$work/isambard.answers"; then
    cat "$work/isambard.log" "$work/isambard.answers" >&2
    exit 1
fi
total=$(grep -c '=>' "$work/mariadb.answers")
bad=$(diff "$work/mariadb.answers" "$work/isambard.answers" | tee /dev/stderr | grep -c '^<' || :)
only=nothing
[ "$bad" -eq 0 ] || only="searches (> are Isambard's answers)"
echo "mediawiki: isambard $((total - bad)) of $total, mariadb $total of $total, only isambard fails: $only"
