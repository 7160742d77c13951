"""Measures one work of LangGraph Python in this process and prints it as one line of JSON.

    python bench.py linear100|fan1000|loop1000|history1000|resume1000 none|memory|sqlite-normal|sqlite-full DIR

"prepare" instead of a work leaves in DIR, an empty folder, the paused thread that resume1000 ends.
Opening the store and compiling the graph count in resume1000 only. Durability is "sync": a
step's checkpoint is stored before the next step starts.
"""

import json
import operator
import re
import sqlite3
import sys
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated, Callable, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

KB = 1000


class Line(TypedDict):
    count: int


class Fan(TypedDict):
    sum: Annotated[int, operator.add]
    count: int


class Loop(TypedDict):
    document: str
    count: int
    history: Annotated[list[str], operator.add]


def linear():
    graph = StateGraph(Line)
    for i in range(100):
        graph.add_node(f"n{i}", lambda _, i=i: {"count": i + 1})
        graph.add_edge(f"n{i - 1}" if i else START, f"n{i}")
    return graph.add_edge("n99", END)


def fan():
    return (
        StateGraph(Fan)
        .add_node("branch", lambda _: {"sum": 1})
        .add_node("join", lambda state: {"count": state["sum"]})
        .add_conditional_edges(START, lambda _: [Send("branch", {"i": i}) for i in range(1000)], ["branch"])
        .add_edge("branch", "join")
        .add_edge("join", END)
    )


def loop(**line):
    def step(state):
        return {"count": state["count"] + 1, **line}

    return (
        StateGraph(Loop)
        .add_node("step", step)
        .add_node("last", step)
        .add_edge(START, "step")
        .add_conditional_edges("step", lambda state: "step" if state["count"] < 999 else "last", ["step", "last"])
        .add_edge("last", END)
    )


@dataclass
class Work:
    runs: int
    steps: int
    graph: Callable[[], StateGraph]
    input: dict | None
    count: int
    interrupt_before: list[str] | None = None
    from_open: bool = False


looped = Work(1, 1000, loop, {"document": "d" * 50 * KB, "count": 0}, 1000)
works = {
    "linear100": Work(20, 100, linear, {"count": 0}, 100),
    "fan1000": Work(5, 1000, fan, {"count": 0}, 1000),
    "loop1000": looped,
    "history1000": replace(looped, graph=lambda: loop(history=["h" * KB])),
    "prepare": replace(looped, interrupt_before=["last"], count=999),
    "resume1000": replace(looped, steps=1, input=None, from_open=True),
}


def open_store(store, file):
    if store == "none":
        return None
    if store == "memory":
        return InMemorySaver()
    connection = sqlite3.connect(file, check_same_thread=False)
    connection.execute("PRAGMA synchronous=" + store.removeprefix("sqlite-"))
    return SqliteSaver(connection)


def run(work, store, file):
    opened = perf_counter()
    saver = open_store(store, file)
    app = work.graph().compile(checkpointer=saver)
    started = perf_counter()
    state = app.invoke(
        work.input,
        {"configurable": {"thread_id": "t"}, "recursion_limit": 2000},
        durability="sync" if saver else None,
        interrupt_before=work.interrupt_before,
    )
    ended = perf_counter()
    if isinstance(saver, SqliteSaver):
        saver.conn.close()
    if state["count"] != work.count:
        raise RuntimeError(f"count is {state['count']}, want {work.count}")
    return (ended - (opened if work.from_open else started)) * 1000


def main(name, store, directory):
    work = works[name]
    ms = median([run(work, store, Path(directory, f"{i}.db")) for i in range(work.runs)])
    if name == "prepare":
        return
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())[1]
    result = {
        "engine": f"langgraph-py {version('langgraph')}",
        "work": name,
        "store": store,
        "runs": work.runs,
        "ms": round(ms, 3),
        "per_second": round(work.steps / ms * 1000),
        "rss_mb": round(int(peak) * 1024 / 1e6, 1),
        "file_mb": round(sum(f.stat().st_size for f in Path(directory).glob("0.db*")) / 1e6, 3),
    }
    print(json.dumps(result, separators=(",", ":")))


main(*sys.argv[1:])
