"""Builds bm25s from texts and asks it queries: JSON on the standard input, rows of a table out."""

import json
import os
import sys
import time

import bm25s

given = json.load(sys.stdin)


def tokens(texts):
    return bm25s.tokenize(texts, stopwords=None, show_progress=False)


def ask(index, query):
    index.retrieve(tokens([query]), k=10, show_progress=False, n_threads=1)


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def row(backend, rounds):
    builds = []
    before = resident()
    for _ in range(rounds):
        began = time.perf_counter()
        index = bm25s.BM25(k1=1.2, b=0.75, backend=backend)
        index.index(tokens(given["Texts"]), show_progress=False)
        builds.append(time.perf_counter() - began)
    memory = resident() - before
    ask(index, given["Queries"][0])  # numba compiles
    took = []
    for _ in range(3):
        for query in given["Queries"]:
            began = time.perf_counter()
            ask(index, query)
            took.append(1000 * (time.perf_counter() - began))
    builds.sort()
    took.sort()
    print(
        f"| bm25s {bm25s.__version__}, {backend}, chunks, ten best | {builds[0]:.2f} s | {builds[len(builds) // 2]:.2f} s "
        f"| {took[len(took) // 2]:.2f} ms | {took[int(0.95 * (len(took) - 1))]:.2f} ms | {memory / 1e6:.1f} MB resident |",
        flush=True,
    )


row("numpy", 3)
row("numba", 3)
