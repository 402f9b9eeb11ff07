#!/usr/bin/env bash
# compare.sh COMMAND COMMAND...: the processor time of each command (user + system), the least of five runs, and its ratio to the first.
# Commands run in turn, so that load on the machine falls on all of them alike. The other tools have to be there already:
#   bench/comparison/compare.sh "build/muster check --spec kv --threads 1 log.edn" "/opt/porcupine/check log.edn"
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }

seconds() { # command: its processor time; whatever exit code it has is its verdict
  { TIMEFORMAT='%U %S'; time bash -c "$1" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

for command in "$@"; do
  program=${command%% *}
  command -v "$program" >/dev/null || { echo "compare.sh: there is no program $program" >&2; exit 2; }
done
least=()
for _ in 1 2 3 4 5; do
  for i in $(seq $#); do
    now=$(seconds "${!i}" || true)
    least[i]=$(awk -v a="${least[i]:-1e9}" -v b="$now" 'BEGIN { print a < b ? a : b }')
  done
done
for i in $(seq $#); do
  awk -v s="${least[i]}" -v first="${least[1]}" -v command="${!i}" 'BEGIN { printf "%8.3f s  %6.2f x  %s\n", s, (first > 0 ? s / first : 0), command }'
done
