#!/usr/bin/env bash
# Every source file reads as .clang-format says: formatted.sh PROJECT_DIR. Names the places that do not, and how to mend them.
set -euo pipefail
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo 'skipped: not a clone, so that the sources cannot be told from what was built'; exit 77; }
git ls-files -z '*.cpp' '*.hpp' | xargs -0 -P 2 -n 100 clang-format --dry-run -Werror ||
  { echo "not formatted; mend it with: git ls-files '*.cpp' '*.hpp' | xargs clang-format -i"; exit 1; }
