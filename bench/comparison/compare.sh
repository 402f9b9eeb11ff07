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

rate() { # label pattern command...: executions a processor second, the most of five runs; the pattern's group is their number
  local label=$1 pattern=$2 most=0
  shift 2
  for _ in 1 2 3 4 5; do
    local seconds count
    seconds=$( { TIMEFORMAT='%U %S'; time "$@" >"$work/out" 2>&1; } 2>&1 | awk '{ print $1 + $2 }') || true
    count=$(sed -nE "s/.*$pattern.*/\\1/p" "$work/out" | head -1 | tr -d ,)
    most=$(awk -v most="$most" -v count="$count" -v seconds="$seconds" 'BEGIN { now = count / seconds; printf "%.0f", (now > most ? now : most) }')
  done
  printf '%-60s %8d a second (%d in all)\n' "$label" "$most" "$count"
}

for tool in "${@:2}"; do
  folder=${tool#*=}
  case $tool in
    relacy=*)
      g++ -std=c++17 -O2 -DNDEBUG -w -I "$folder" "$here/relacy_counter.cpp" -o "$work/relacy" -lpthread
      "$work/relacy" | tail -4
      best 'Relacy, 1,000,000 iterations' "$work/relacy"
      best 'Muster, 1,000,000 executions' "$build/examples/lost_update" lost_update_fixed --strategy random --executions 1000000 --no-races --jobs 1
      g++ -std=c++17 -O2 -DNDEBUG -w -I "$folder" "$here/relacy_structures.cpp" -o "$work/relacy_structures" -lpthread
      for structure in treiber michael_scott; do
        # Muster has fewer executions to make, so that the bound is taken away, and the small test repeated until the budget ends.
        tests=()
        for _ in {1..200}; do tests+=(--matrix 'push(1) | push(2) | pop | pop'); done
        muster=("$build/bench/bench_runtime_subjects" "$structure" --late-yields 0 --suppress . --jobs 1 --folder "$work/saved")
        rate "Relacy, $structure, two preemptions" 'iterations: ([0-9]+)' "$work/relacy_structures" "$structure"
        rate "Muster, $structure, two preemptions" 'tests?; ([0-9,]+) executions' "${muster[@]}" "${tests[@]:0:2}" --bound 2
        rate "Muster, $structure, any number of preemptions" 'tests?; ([0-9,]+) executions' "${muster[@]}" "${tests[@]}" --bound unbounded --budget 4s
      done ;;
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
