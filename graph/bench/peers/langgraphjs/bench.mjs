// Measures one work of LangGraph JS in this process and prints it as one line of JSON.
//
//   node bench.mjs linear100|fan1000|loop1000|history1000|resume1000 none|memory|sqlite-normal|sqlite-full DIR
//
// "prepare" instead of a work leaves in DIR, an empty folder, the paused thread that resume1000 ends.
// Opening the store and compiling the graph count in resume1000 only. Durability is "sync": a
// step's checkpoint is stored before the next step starts.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Annotation, END, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

const KB = 1000;
const list = (items) => Array.from({ length: items }, (_, i) => i);

function linear() {
  const graph = new StateGraph(Annotation.Root({ count: Annotation }));
  for (const i of list(100)) {
    graph.addNode(`n${i}`, () => ({ count: i + 1 }));
    graph.addEdge(i === 0 ? START : `n${i - 1}`, `n${i}`);
  }
  return graph.addEdge("n99", END);
}

function fan() {
  const sum = Annotation({ reducer: (a, b) => a + b, default: () => 0 });
  return new StateGraph(Annotation.Root({ sum, count: Annotation }))
    .addNode("branch", () => ({ sum: 1 }))
    .addNode("join", ({ sum }) => ({ count: sum }))
    .addConditionalEdges(START, () => list(1000).map((i) => new Send("branch", { i })), ["branch"])
    .addEdge("branch", "join")
    .addEdge("join", END);
}

function loop(line) {
  const history = Annotation({ reducer: (a, b) => a.concat(b), default: () => [] });
  const next = ({ count }) => ({ count: count + 1, ...line });
  return new StateGraph(Annotation.Root({ document: Annotation, count: Annotation, history }))
    .addNode("step", next)
    .addNode("last", next)
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ count }) => (count < 999 ? "step" : "last"), ["step", "last"])
    .addEdge("last", END);
}

const document = "d".repeat(50 * KB);
const looped = { runs: 1, steps: 1000, graph: loop, input: { document, count: 0 }, count: 1000 };
const works = {
  linear100: { runs: 20, steps: 100, graph: linear, input: { count: 0 }, count: 100 },
  fan1000: { runs: 5, steps: 1000, graph: fan, input: { count: 0 }, count: 1000 },
  loop1000: looped,
  history1000: { ...looped, graph: () => loop({ history: ["h".repeat(KB)] }) },
  prepare: { ...looped, interruptBefore: ["last"], count: 999 },
  resume1000: { ...looped, steps: 1, input: null, fromOpen: true },
};

function open(store, file) {
  if (store === "none") return undefined;
  if (store === "memory") return new MemorySaver();
  const saver = SqliteSaver.fromConnString(file);
  saver.db.pragma(`synchronous=${store.replace("sqlite-", "")}`);
  return saver;
}

async function run({ graph, input, count, interruptBefore, fromOpen }, store, file) {
  const opened = performance.now();
  const checkpointer = open(store, file);
  const app = graph().compile({ checkpointer });
  const started = performance.now();
  const state = await app.invoke(input, {
    configurable: { thread_id: "t" },
    recursionLimit: 2000,
    durability: "sync",
    interruptBefore,
  });
  const ended = performance.now();
  checkpointer?.db?.close();
  if (state.count !== count) throw new Error(`count is ${state.count}, want ${count}`);
  return ended - (fromOpen ? opened : started);
}

function size(file) {
  return ["", "-wal", "-shm"]
    .map((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((a, b) => a + b);
}

const [work, store, dir] = process.argv.slice(2);
const { runs, steps } = works[work];
const times = [];
for (const i of list(runs)) times.push(await run(works[work], store, join(dir, `${i}.db`)));

if (work !== "prepare") {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
  const ms = times.sort((a, b) => a - b)[Math.floor(runs / 2)];
  const peak = readFileSync("/proc/self/status", "utf8").match(/VmHWM:\s*(\d+) kB/)[1];
  console.log(JSON.stringify({
    engine: `langgraph-js ${dependencies["@langchain/langgraph"]}`,
    work,
    store,
    runs,
    ms: Number(ms.toFixed(3)),
    per_second: Math.round((steps / ms) * 1000),
    rss_mb: Number(((peak * 1024) / 1e6).toFixed(1)),
    file_mb: Number((size(join(dir, "0.db")) / 1e6).toFixed(3)),
  }));
}
