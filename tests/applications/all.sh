#!/bin/bash
# Every application of this folder in turn, on Isambard and on MariaDB, and the table of what passes: results.md.
#
#   tests/applications/all.sh [ISAMBARD [NAME...]]      some minutes each; the rows of others stay in the table as they are
set -u
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-}
[ $# -gt 0 ] && shift
names=${*:-go-sql-driver node php perl java tools pymysql mysqlclient sqlalchemy django wordpress mediawiki phpmyadmin adminer}
table=$here/results.md
touch "$table"
bad=0
for name in $names; do
    line=$("$here/$name.sh" ${program:+"$program"} | tee >(cat >&2) | tail -n 1)
    case "$line" in *"only isambard fails: nothing"*) ;; *) bad=1 ;; esac
    # NAME: isambard P of N, mariadb P of N, only isambard fails: ...
    row=$(printf '%s\n' "$line" | sed -n 's/^\([^:]*\): isambard \(.*\), mariadb \(.*\), only isambard fails: \(.*\)$/| \1 | \2 | \3 | \4 |/p' | cut -c1-600)
    [ -n "$row" ] || row="| $name | did not run | | |"
    grep -v "^| $name |" "$table" | grep '^| [a-z]' | grep -v '^| application' >"$table.new"
    printf '%s\n' "$row" >>"$table.new"
    {
        echo "# Applications on Isambard and on MariaDB 10.11 with MyISAM"
        echo
        echo "Written by \`tests/applications/all.sh\`: tests that pass, of how many. What fails on both is not Isambard's (no transactions, no foreign keys in MyISAM)."
        echo
        echo "| application | Isambard | MariaDB | fails on Isambard alone |"
        echo "|---|---:|---:|---|"
        sort "$table.new"
    } >"$table"
    rm -f "$table.new"
done
exit "$bad"
