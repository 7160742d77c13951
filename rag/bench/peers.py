"""Ranks the files of each case as others would, for comparison: by plain BM25, with bm25s
from PyPI, and by a search for the words of the title, as one does by hand.

    python rag/bench/peers.py BUGS.jsonl CLONES

CLONES holds clones with the full history as owner/name or owner+name/repo. All text
files up to 1 MB take part. It prints how often a file of the fix is among the first.
"""
import json, os, re, subprocess, sys

import bm25s

LIMIT = 1 << 20


def git(clone, *args, data=None):
    return subprocess.run(["git", "-C", clone, *args], input=data, capture_output=True, check=True).stdout


def texts(clone, commit):
    """The paths and contents of a commit's text files."""
    names, blobs = [], []
    for entry in git(clone, "ls-tree", "-r", "-z", "-l", commit).split(b"\0"):
        if entry:
            meta, name = entry.split(b"\t", 1)
            mode, kind, blob, size = meta.split()
            if kind == b"blob" and mode != b"120000" and size.isdigit() and 0 < int(size) <= LIMIT:
                names.append(name.decode("utf-8", "replace"))
                blobs.append(blob)
    out, at, kept = git(clone, "cat-file", "--batch", data=b"\n".join(blobs) + b"\n"), 0, []
    for name in names:
        end = out.index(b"\n", at)
        size = int(out[at:end].split()[2])
        body, at = out[end + 1 : end + 1 + size], end + 2 + size
        if b"\0" not in body[:8000]:
            kept.append((name, body.decode("utf-8", "replace")))
    return kept


def by_bm25(case, clone, files):
    index = bm25s.BM25()
    index.index(bm25s.tokenize([f"{n}\n{t}" for n, t in files], show_progress=False), show_progress=False)
    query = bm25s.tokenize(f"{case['title']}\n{case['body']}", show_progress=False)
    best, _ = index.retrieve(query, k=min(10, len(files)), show_progress=False)
    return [files[i][0] for i in best[0]]


def by_keywords(case, clone, files):
    """Files with the most words of the title first, then those that hold them most often."""
    hits = {}
    for word in {w.lower() for w in re.findall(r"\w{4,}", case["title"])}:
        cmd = ["git", "-C", clone, "grep", "-I", "-i", "-w", "-F", "-c", "-z", "-e", word, case["base_commit"]]
        out = subprocess.run(cmd, capture_output=True).stdout.decode("utf-8", "replace")
        for path, count in re.findall(r"[0-9a-f]{40}:([^\0]*)\0(\d+)\n", out):
            n, all = hits.get(path, (0, 0))
            hits[path] = (n + 1, all + int(count))
    return sorted(hits, key=lambda p: (-hits[p][0], -hits[p][1], p))[:10]


def main(bugs, clones):
    systems = {f"bm25s {bm25s.__version__}": by_bm25, "git grep of the title's words": by_keywords}
    found, cases = {name: {1: 0, 5: 0, 10: 0} for name in systems}, 0
    for line in open(bugs, encoding="utf-8"):
        case = json.loads(line)
        owner, name = case["repo"].split("/")
        clone = next(d for d in (f"{clones}/{owner}/{name}", f"{clones}/{owner}+{name}/repo") if os.path.isdir(d))
        files, gold = texts(clone, case["base_commit"]), set(case["gold_files"])
        cases += 1
        for system, rank in systems.items():
            order = rank(case, clone, files)
            for k in found[system]:
                found[system][k] += bool(gold & set(order[:k]))
    for system, hits in found.items():
        print(f"{system}, {cases} cases: " + "  ".join(f"@{k} {n / cases:.3f}" for k, n in hits.items()))


if __name__ == "__main__":
    main(*sys.argv[1:])
