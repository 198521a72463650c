"""Django's test runner that also writes a line "ok TEST" or "failed TEST" per test to $RESULTS, and the errors to $RESULTS.errors."""

import os
import unittest

from django.test.runner import DiscoverRunner


def write(name, text):
    with open(os.environ["RESULTS"] + name, "a", encoding="utf-8") as file:
        file.write(text + "\n")


class Result(unittest.TextTestResult):
    def failed(self, test, err):
        write("", f"failed {test.id().split(' ')[0]}")
        lines = self._exc_info_to_string(err, test).splitlines()
        write(".errors", test.id() + "\n    " + "\n    ".join(line[:300] for line in lines[-14:]))

    def addSuccess(self, test):
        super().addSuccess(test)
        write("", f"ok {test.id()}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.failed(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.failed(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.failed(test, err)


class Runner(DiscoverRunner):
    def get_resultclass(self):
        return Result
