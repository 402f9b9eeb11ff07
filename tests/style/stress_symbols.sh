#!/usr/bin/env bash
# Checks on real threads bring along no engine, and nothing that only an engine needs: stress_symbols.sh libmuster_stress.so libmuster.so
set -euo pipefail
of_the_engine='muster::(Engine|GoingBack|RaceDetector|ReducedExecution|Reducer|ReductionStrategy|CausalOrder|ClassProbe|Explorer|Campaign)\b'
nm -C "$2" | grep -E "$of_the_engine" >/dev/null || { echo "no symbol of the engine in $2, where it is: its names have changed"; exit 1; }
nm -C "$1" | grep 'muster::judge' >/dev/null || { echo "$1 has no symbols that could be looked at"; exit 1; }
! nm -C "$1" | grep -E "$of_the_engine" || { echo "$1 holds what only the engine needs"; exit 1; }
