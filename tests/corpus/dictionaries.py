#!/usr/bin/env python3
"""Real documents for full-text search: the entries of Debian's dictionaries GCIDE, FOLDOC and WordNet, one a row.

    tests/corpus/dictionaries.py [--install] OUT.tsv [ROWS]

writes lines of id, head word and text (UTF-8, LOAD DATA's escapes) and prints how many. Their packages are dict-gcide, dict-foldoc and
dict-wn; with `--install` before OUT.tsv, those that are missing are installed with apt (as root)."""
import gzip
import os
import subprocess
import sys

FOLDER = "/usr/share/dictd"
DICTIONARIES = ["gcide", "foldoc", "wn"]
DIGITS = {c: i for i, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


def number(text):
    """A number as indexes of dictd write it."""
    value = 0
    for c in text:
        value = value * 64 + DIGITS[c]
    return value


def install():
    missing = [f"dict-{d}" for d in DICTIONARIES if not os.path.exists(f"{FOLDER}/{d}.index")]
    if missing:
        quiet = {"stdout": subprocess.DEVNULL, "check": True}
        subprocess.run(["apt-get", "update"], **quiet)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *missing], **quiet)


def entries(name):
    """Head word and text of every entry, each once though many words lead to it, in the order of the file."""
    with gzip.open(f"{FOLDER}/{name}.dict.dz") as f:  # dictzip is gzip with a table in front
        texts = f.read()
    places = {}
    with open(f"{FOLDER}/{name}.index", encoding="utf-8", errors="replace") as f:
        for line in f:
            word, start, length = line.rstrip("\n").split("\t")[:3]
            if not word.startswith("00"):
                places.setdefault((number(start), number(length)), word)
    for (start, length), word in sorted(places.items()):
        yield word, texts[start : start + length].decode("utf-8", "replace")


def escaped(text):
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--install":
        arguments.pop(0)
        install()
    out, most = arguments[0], int(arguments[1]) if len(arguments) > 1 else 1 << 62
    n = 0
    with open(out, "w", encoding="utf-8") as f:
        for name in DICTIONARIES:
            for word, text in entries(name):
                if n == most:
                    break
                n += 1
                # Not beyond what any column in the tests holds.
                f.write(f"{n}\t{escaped(word[:200])}\t{escaped(text)}\n")
    print(n)


main()
