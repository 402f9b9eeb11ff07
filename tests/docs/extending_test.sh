#!/usr/bin/env bash
# What docs/extending.md shows as diffs fits these sources: extending_test.sh SOURCE. With MUSTER_TEST_FULL all of them are applied to a copy, built, and their tests run.
set -euo pipefail
cd "$1"
command -v git >/dev/null || { echo 'skipped: git is missing'; exit 77; }
for diff in docs/extending/*.diff; do
  git apply --check "$diff" || { echo "$diff does not apply any more: make the change by hand, and write the diff anew with git diff -U1"; exit 1; }
done
[ "$(grep -c '^diff ' docs/extending/counter.diff)" -le 4 ] || { echo 'a counter touches more than four files'; exit 1; }
[ -n "${MUSTER_TEST_FULL:-}" ] || exit 0
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --exclude=./build --exclude=./.git -c . | tar -x -C "$copy"
cd "$copy"
for diff in docs/extending/*.diff; do git apply "$diff"; done
cmake --preset release >/dev/null
cmake --build --preset release --target muster schedule_test judge_test history_test report_test example_lost_update
build/tests/schedule_test --gtest_filter='StickyWalk.*'
build/tests/judge_test --gtest_filter='CallOrder.*'
build/tests/history_test --gtest_filter='Csv.*'
build/tests/report_test --gtest_filter='Tap.*'
printf '1,10,20,enqueue,5,\n2,30,40,dequeue,,5\n' >log.csv
build/muster check --format csv --property call-order --spec queue --tap out.tap log.csv
grep -q '^ok 1 ' out.tap
code=0
build/examples/lost_update lost_update --strategy sticky >out || code=$?
[ "$code" -eq 1 ]
grep -q ' threads started' out
