"""A plugin for pytest: one line "ok TEST" or "failed TEST" per test in the file $RESULTS, and the errors in $RESULTS.errors."""

import os

import pytest

failed = set()


def write(name, text):
    with open(os.environ["RESULTS"] + name, "a", encoding="utf-8") as file:
        file.write(text + "\n")


def test_name(report):
    return report.nodeid.replace("\n", " ").replace(" ", "_")


@pytest.hookimpl
def pytest_runtest_logreport(report):
    if report.failed:
        if report.nodeid not in failed:
            failed.add(report.nodeid)
            write("", "failed " + test_name(report))
            lines = str(report.longrepr).splitlines()
            errors = [line for line in lines if line.startswith("E ")] or lines[-3:]
            write(".errors", test_name(report) + "\n    " + "\n    ".join(errors[-12:]))
    elif report.when == "teardown" and report.nodeid in passed and report.nodeid not in failed:
        write("", "ok " + test_name(report))
    elif report.when == "call" and report.passed:
        passed.add(report.nodeid)


passed = set()
