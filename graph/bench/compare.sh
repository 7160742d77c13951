#!/usr/bin/env bash
# Measures the engine and its peers at the same work, and prints JSON lines, one for each process.
# Every work runs five times (history1000 of the peers once) in a process of its own, the engines in
# turn. A peer that cannot be installed is named on stderr and skipped.
#
#   compare.sh [DIR] | go run ./graph/bench table
#
# DIR keeps what is installed; without it, a temporary folder is used and removed.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if (($#)); then
  mkdir -p "$1" && out=$(cd "$1" && pwd) || exit 1
else
  out=$(mktemp -d) || exit 1
  trap 'rm -rf "$out"' EXIT
fi

install_repomind() { go build -C "$here" -o "$out/repomind" .; }
repomind() { "$out/repomind" "$@"; }

install_langgraphjs() {
  mkdir -p "$out/langgraphjs" && cp "$here"/peers/langgraphjs/* "$out/langgraphjs" &&
    npm install --prefix "$out/langgraphjs" --no-package-lock --no-audit --no-fund
}
langgraphjs() { node --no-warnings "$out/langgraphjs/bench.mjs" "$@"; }

install_langgraphpy() {
  python3 -m venv "$out/langgraphpy" &&
    "$out/langgraphpy/bin/pip" install --quiet --requirement "$here/peers/langgraphpy/requirements.txt"
}
langgraphpy() { "$out/langgraphpy/bin/python" "$here/peers/langgraphpy/bench.py" "$@"; }

install_eino() { go build -C "$here/peers/eino" -o "$out/eino" .; }
eino() { "$out/eino" "$@"; }

declare -A installed
for peer in repomind langgraphjs langgraphpy eino; do
  if "install_$peer" >&2; then
    installed[$peer]=1
  else
    echo "compare.sh: $peer cannot be installed, skipped" >&2
  fi
done

measured=0
measure() { # peer work store
  local db
  db=$(mktemp -d "$out/db.XXXXXX")
  if { [[ $1 == repomind || $2 != resume1000 ]] || "$1" prepare "$3" "$db"; } && "$1" "$2" "$3" "$db"; then
    measured=1
  else
    echo "compare.sh: $1 failed at $2 with store $3" >&2
  fi
  rm -rf "$db"
}

for round in 1 2 3 4 5; do
  while read -r rounds work store peers; do
    ((round <= rounds)) || continue
    for peer in $peers; do
      [[ -v installed[$peer] ]] && measure "$peer" "$work" "$store" </dev/null
    done
  done <<'END'
5 linear100   none          repomind langgraphjs langgraphpy eino
5 linear100   memory        repomind langgraphjs langgraphpy
5 fan1000     none          repomind langgraphjs langgraphpy eino
5 fan1000     memory        repomind langgraphjs langgraphpy
5 fan1000     sqlite-normal repomind langgraphjs langgraphpy
5 fan1000     sqlite-full   repomind langgraphjs langgraphpy
5 loop1000    sqlite-normal repomind langgraphjs langgraphpy
5 loop1000    sqlite-full   repomind langgraphjs langgraphpy
5 resume1000  sqlite-normal repomind langgraphjs langgraphpy
5 history1000 sqlite-normal repomind
5 history1000 sqlite-full   repomind
1 history1000 sqlite-normal langgraphjs langgraphpy
1 loop100000  none          repomind
1 loop100000  sqlite-normal repomind
5 floor1000   sqlite-normal repomind
5 floor1000   sqlite-full   repomind
END
done
((measured))
