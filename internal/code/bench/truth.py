"""Prints the functions and classes of the Python files below a directory, as
tab-separated path, qualified name, line of the name, by Python's own parser."""
import ast
import os
import sys
import warnings

warnings.simplefilter("ignore")


def walk(node, path, prefix):
    for child in ast.iter_child_nodes(node):
        name = prefix
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = prefix + [child.name]
            print(path, ".".join(name), child.lineno, sep="\t")
        walk(child, path, name)


root = sys.argv[1]
sys.setrecursionlimit(100000)
for dirpath, _, files in sorted(os.walk(root)):
    for f in sorted(files):
        full = os.path.join(dirpath, f)
        try:
            with open(full, "rb") as fp:
                tree = ast.parse(fp.read())
        except (SyntaxError, ValueError):
            continue  # of another version of the language
        walk(tree, os.path.relpath(full, root), [])
