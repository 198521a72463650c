# shellcheck shell=bash
# What the scripts of this folder share: two fresh servers, packages, and the closing line. To be sourced.
#
#   NAME.sh [ISAMBARD]      the program [default: $ISAMBARD_BIN, else target/release/isambard]
#
# Servers, downloads and details are in $APPLICATIONS_WORK [default: a folder under ${TMPDIR:-/tmp}] and stay there for
# reading, but for the data directories; nothing is written into the repository.
set -eu
name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
isambard=${1:-${ISAMBARD_BIN:-${CARGO_TARGET_DIR:-$root/target}/release/isambard}}
[ -x "$isambard" ] || { echo "no program at $isambard: cargo build --release" >&2; exit 2; }
base=${APPLICATIONS_WORK:-${TMPDIR:-/tmp}/isambard-applications-$(id -u)}
work=$base/$name            # this run
store=$base/store           # what was downloaded, kept for the next run
rm -rf "$work"
mkdir -p "$work" "$store"
started=""
servers="mariadb isambard"
mariadb_port=0 isambard_port=0

stop_all() {
    for p in $started; do kill "$p" 2>/dev/null || :; done
    for p in $started; do
        for _ in $(seq 100); do kill -0 "$p" 2>/dev/null || break; sleep 0.1; done
        kill -9 "$p" 2>/dev/null || :
    done
    wait 2>/dev/null || :
    rm -rf "$work/mariadb.data" "$work/isambard.data"
}
trap stop_all EXIT
trap 'exit 130' INT TERM

# Debian's packages, installed when one is missing. Fails when one cannot be had.
debian() {
    dpkg -s "$@" >/dev/null 2>&1 && return 0
    apt-get update -q >"$work/apt.log" 2>&1
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" >>"$work/apt.log" 2>&1
}

# A Python environment of its own with these packages: venv NAME PACKAGE... Sets $python.
venv() {
    python=$store/venv-$1/bin/python
    [ -x "$python" ] || python3 -m venv "$store/venv-$1"
    shift
    "$python" -m pip install -q --disable-pip-version-check "$@" >"$work/pip.log" 2>&1
}

# The source of a Python package, unpacked: source_of NAME VERSION. Sets $source.
source_of() {
    source=$work/source
    ls "$store/sdist/$1-$2"*.tar.gz >/dev/null 2>&1 ||
        "$python" -m pip download -q --disable-pip-version-check --no-deps --no-binary :all: -d "$store/sdist" "$1==$2" >"$work/download.log" 2>&1
    rm -rf "$source"; mkdir -p "$source"
    tar -xzf "$(ls "$store/sdist/$1-$2"*.tar.gz | head -n 1)" -C "$source" --strip-components=1
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Waits until the command succeeds, 60 s at most.
until_ready() {
    for _ in $(seq 300); do "$@" >/dev/null 2>&1 && return 0; sleep 0.2; done
    echo "not ready: $*" >&2; return 1
}

# The client on one of the servers: sql SERVER [OPTION...]
sql() { local s=$1; shift; mariadb --no-defaults -uroot -S "$work/$s.sock" "$@"; }

port_of() { local p="$1_port"; echo "${!p}"; }

# Starts both servers, each on a socket, a port and an empty directory of its own, and makes this user with all rights:
# app@localhost and app@127.0.0.1, password "secret", besides root without one. Options are for both: --NAME=VALUE.
start_servers() {
    debian mariadb-server
    local sets=() o s
    for o in "$@"; do sets+=(--set "${o#--}"); done
    mariadb_port=$(free_port)
    mariadb-install-db --no-defaults --user=root --auth-root-authentication-method=normal --datadir="$work/mariadb.data" >"$work/install.log" 2>&1
    # A certificate, as Isambard makes itself one.
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost -keyout "$work/key.pem" -out "$work/cert.pem" 2>>"$work/install.log"
    mariadbd --no-defaults --user=root --datadir="$work/mariadb.data" --socket="$work/mariadb.sock" --port="$mariadb_port" \
        --bind-address=127.0.0.1 --pid-file="$work/mariadb.pid" --default-storage-engine=MyISAM --secure-file-priv="" \
        --ssl-cert="$work/cert.pem" --ssl-key="$work/key.pem" --max-allowed-packet=64M --local-infile=1 --performance-schema=OFF "$@" >"$work/mariadb.log" 2>&1 &
    started="$started $!"
    isambard_port=$(free_port)
    "$isambard" serve --datadir "$work/isambard.data" --socket "$work/isambard.sock" --port "$isambard_port" \
        --set max_allowed_packet=64M --set local_infile=1 ${sets[@]+"${sets[@]}"} >"$work/isambard.log" 2>&1 &
    started="$started $!"
    isambard_pid=$!
    for s in $servers; do
        until_ready sql "$s" -e 'SELECT 1'
        sql "$s" -e "CREATE USER app@localhost IDENTIFIED BY 'secret', app@'127.0.0.1' IDENTIFIED BY 'secret';
            GRANT ALL ON *.* TO app@localhost WITH GRANT OPTION; GRANT ALL ON *.* TO app@'127.0.0.1' WITH GRANT OPTION"
    done
}

# The closing line. For each server a file $work/SERVER.results has a line "ok TEST", "failed TEST" or "skipped TEST" per test.
# What fails on Isambard alone and is not in known.txt ("NAME TEST: reason") makes the exit code 1.
finish() {
    local s ok all line="" only new
    for s in isambard mariadb; do
        sort -u -o "$work/$s.results" "$work/$s.results"
        ok=$(grep -c '^ok ' "$work/$s.results" || :)
        all=$(grep -c '^[of]' "$work/$s.results" || :)
        line="$line$s $ok of $all, "
    done
    only=$(comm -23 <(sed -n 's/^failed //p' "$work/isambard.results" | sort) <(sed -n 's/^failed //p' "$work/mariadb.results" | sort))
    # A test that MariaDB passed and that is not even listed on Isambard did not run there: that is a failure, too.
    only=$(printf '%s\n%s\n' "$only" "$(comm -23 <(sed -n 's/^ok //p' "$work/mariadb.results" | sort) <(sed 's/^[a-z]* //' "$work/isambard.results" | sort))" | sed '/^$/d' | sort -u)
    printf '%s\n' "$only" >"$work/only-isambard.txt"
    new=$(printf '%s\n' "$only" | while IFS= read -r t; do
        [ -z "$t" ] || grep -qF "$name $t: " "$here/known.txt" || printf '%s\n' "$t"; done)
    if ! kill -0 "$isambard_pid" 2>/dev/null; then new="$new the server ended"; only="$only the server ended"; fi
    [ -s "$work/mariadb.results" ] && grep -q '^ok ' "$work/mariadb.results" || { echo "$name: no test passed on MariaDB: see $work" >&2; exit 2; }
    echo "$name: ${line}only isambard fails: $(printf '%s\n' "${only:-nothing}" | paste -sd' ' | cut -c1-2000)"
    [ -z "$new" ]
}
