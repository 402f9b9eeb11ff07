#!/usr/bin/env bash
# compare.sh BUILD [relacy=FOLDER] [porcupine=FOLDER]: the measured parts of docs/comparison.md, beside clones of the other tools.
# Processor seconds (user + system), the best of five runs each; load on the machine then matters little.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

best() { # label command...: the least processor time of five runs
  local label=$1 least=
  shift
  for _ in 1 2 3 4 5; do
    local seconds
    seconds=$( { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }') || true
    least=$(awk -v a="${least:-1e9}" -v b="$seconds" 'BEGIN { print a < b ? a : b }')
  done
  printf '%-60s %8.3f s\n' "$label" "$least"
}

for tool in "${@:2}"; do
  folder=${tool#*=}
  case $tool in
    relacy=*)
      g++ -std=c++17 -O2 -DNDEBUG -w -I "$folder" "$here/relacy_counter.cpp" -o "$work/relacy" -lpthread
      "$work/relacy" | tail -4
      best 'Relacy, 1,000,000 iterations' "$work/relacy"
      best 'Muster, 1,000,000 executions' "$build/examples/lost_update" lost_update_fixed --strategy random --executions 1000000 --no-races --jobs 1 ;;
    porcupine=*)
      (cd "$folder" && go test -c -o "$work/porcupine")
      mapfile -t logs < <(find "$folder/test_data/jepsen" -name 'etcd_*.log' -size +0 | sort)  # it leaves out the empty one too
      cd "$folder"  # its test reads test_data/
      best "Porcupine, ${#logs[@]} logs of etcd" "$work/porcupine" -test.run '^TestEtcdJepsen' -test.cpu 1
      best "Muster, ${#logs[@]} logs of etcd" "$build/muster" check --spec cas-register --threads 1 "${logs[@]}"
      "$build/muster" check --spec cas-register --threads 1 "${logs[@]}" | grep -cE '^ +cas-register: linearizable' | sed 's/$/ linearizable/' || true
      cd - >/dev/null ;;
    *) echo "compare.sh: $tool is neither relacy=FOLDER nor porcupine=FOLDER" >&2; exit 2 ;;
  esac
done
