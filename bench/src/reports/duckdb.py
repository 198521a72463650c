"""Runs statements in DuckDB and prints how long each took: [[milliseconds, milliseconds of CPU], ...] or [null, error]."""
import json
import sys
import time

import duckdb

task = json.loads(sys.argv[1])
connection = duckdb.connect(task["file"])
for sql in task["setup"]:
    connection.execute(sql)
results = []
for sql in (sql for sql in task["statements"] for _ in range(task["rounds"])):
    try:
        cpu, wall = time.process_time(), time.perf_counter()
        connection.execute(sql)
        results.append([(time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3])
    except duckdb.Error as error:
        results.append([None, str(error)])
print(json.dumps(results))
