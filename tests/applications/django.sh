#!/bin/bash
# Django: its own tests from the source package, those labels that use a database and end in some minutes, through mysqlclient.
. "$(dirname "$0")/common.sh"
version=5.2.19
labels=${LABELS:-basic lookup queries expressions expressions_case expressions_window aggregation aggregation_regress annotations
    delete delete_regress update bulk_create get_or_create ordering or_lookups xor_lookups null_queries many_to_many many_to_one
    one_to_one m2m_through model_inheritance select_related prefetch_related raw_query custom_lookups db_functions dates datetimes
    timezones defer distinct_on_fields filtered_relation from_db_value introspection inspectdb indexes constraints schema
    model_fields migrations serializers fixtures backends composite_pk transactions select_for_update empty force_insert_update
    sessions_tests cache generic_relations known_related_objects multiple_database reverse_lookup string_lookup}

debian libmariadb-dev pkg-config gcc python3-dev
venv django mysqlclient "Django==$version" tblib tzdata PyYAML jinja2 asgiref Pillow sqlparse
source_of django "$version"
start_servers
# Isambard knows the time zones of the machine by itself.
mariadb-tzinfo-to-sql /usr/share/zoneinfo 2>/dev/null | sql mariadb mysql
run() {
    local label
    cat >"$source/tests/on_$1.py" <<END
DATABASES = {
    alias: {"ENGINE": "django.db.backends.mysql", "NAME": alias, "USER": "app", "PASSWORD": "secret", "HOST": "127.0.0.1",
            "PORT": "$(port_of "$1")", "TEST": {"CHARSET": "utf8mb4"}}
    for alias in ("default", "other")
}
SECRET_KEY = "tests"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = False
TEST_RUNNER = "results_django.Runner"
END
    for label in $labels; do
        RESULTS=$work/$1.results PYTHONPATH=$here:$source timeout 300 "$python" runtests.py --settings="on_$1" --parallel 1 --noinput "$label" >>"$work/$1.out" 2>&1 || :
    done
    # A test of which a part failed has failed.
    awk '{ if ($1 == "failed" || !($2 in s)) s[$2] = $1 } END { for (t in s) print s[t], t }' "$work/$1.results" >"$work/$1.sorted"
    mv "$work/$1.sorted" "$work/$1.results"
}
cd "$source/tests"
for s in $servers; do run "$s" & pids="${pids:-} $!"; done
# shellcheck disable=SC2086
wait $pids
finish
