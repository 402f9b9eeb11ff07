#!/usr/bin/env bash
# package_test.sh STEP BUILD: one step of using Muster from outside. `install` comes first; the others work in the tree it made.
set -euo pipefail
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
muster=$(cd "$source_folder/../.." && pwd)
step=$1
build=$2
work=$build/tests/package/work
prefix=$work/prefix

fail() { echo "$*" >&2; exit 1; }

# expect CODE TEXT command...: the command ends with this exit code and says this.
expect() {
  local code=$1 text=$2 out actual=0
  shift 2
  out=$("$@" 2>&1) || actual=$?
  grep -qF -- "$text" <<<"$out" && [ "$actual" -eq "$code" ] || fail "$*"$'\n'"$out"$'\n'"exit code $actual; expected $code and: $text"
}

# refute TEXT command...: the command says nothing of this.
refute() {
  local text=$1 out
  shift
  out=$("$@" 2>&1) || true
  ! grep -qF -- "$text" <<<"$out" || fail "$*"$'\n'"$out"$'\n'"not expected: $text"
}

# What clang++ emits no hooks for is named where its code runs, and only there.
unseen_by_clang='vectors of 32 bytes and long double in code of clang++'

configure() { # project, cmake arguments...
  local project=$1
  shift
  rm -rf "$work/$step"
  cmake -G Ninja -S "$source_folder/$project" -B "$work/$step" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@"
}

finds_the_lost_update() {
  cd "$work/$step"
  expect 1 'FAIL counter: requirement not met' ./counter_check counter
  expect 1 'FAIL counter: requirement not met' ./counter_check --replay counter-1
  expect 0 'PASS counter_fixed' ./counter_check counter_fixed
  expect 0 '100% tests passed' ctest -R '^counter_check\.counter_fixed$'
  expect 8 'counter_check.counter (Failed)' ctest
}

case $step in
  install)
    rm -rf "$work"
    cmake --install "$build" --prefix "$prefix"
    expect 0 'muster' "$prefix/bin/muster" --help ;;
  gcc)
    configure installed -DCMAKE_CXX_COMPILER=g++; cmake --build "$work/$step"; finds_the_lost_update
    refute "$unseen_by_clang" ./counter_check counter_fixed ;;
  clang)
    configure installed -DCMAKE_CXX_COMPILER=clang++ -DCLASS_CHECK=ON; cmake --build "$work/$step"; finds_the_lost_update
    expect 1 'FAIL counter_class' ./counter_class_check
    expect 1 'ledger.cpp:3' ./counter_class_check  # a line of an instrumented library
    expect 0 "Not watched inside: $unseen_by_clang" ./counter_check counter_fixed ;;
  debug) configure installed -DCMAKE_BUILD_TYPE=Debug; cmake --build "$work/$step"; finds_the_lost_update ;;
  pkg_config)
    rm -rf "${work:?}/$step" && mkdir -p "$work/$step" && cd "$work/$step"
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name muster.pc)")
    # shellcheck disable=SC2046
    g++ -std=c++20 -O2 $(pkg-config --cflags muster) -c "$muster/examples/01-lost-update/lost_update.cpp"
    g++ lost_update.o $(pkg-config --libs muster) -o lost_update
    expect 1 'FAIL lost_update: requirement not met' ./lost_update lost_update
    clang++ -std=c++20 -O2 $(pkg-config --variable=clang_cflags muster) -c "$muster/examples/01-lost-update/lost_update.cpp" -o clang.o
    clang++ clang.o $(pkg-config --libs muster) -o lost_update_by_clang
    expect 1 'FAIL lost_update: requirement not met' ./lost_update_by_clang lost_update
    # A program with a main of its own, whose functions are transactions.
    # shellcheck disable=SC2046
    g++ -std=c++20 -O0 $(pkg-config --cflags muster) --param=tsan-instrument-func-entry-exit=1 -c "$muster/tests/subjects/prediction/bank.cpp"
    g++ bank.o $(pkg-config --libs muster) -o bank
    expect 0 '' "$prefix/bin/muster" record --atomic 'balance_of' -o bank.trace -- ./bank
    begun=$("$prefix/bin/muster" trace count bank.trace | awk '$1 == "begin" { print $2 }')
    [ "$begun" -gt 3 ] || fail "$begun transactions: the functions are none" ;;  # three scopes are marked in the source
  deb)
    mkdir -p "$work/$step" && cd "$work/$step"
    cpack --config "$build/CPackConfig.cmake" -B "$PWD"
    dpkg-deb --extract muster_*.deb root
    expect 0 'usr/lib/cmake/muster/MusterAddCheck.cmake' find root -name '*.cmake'
    expect 0 'muster' root/usr/bin/muster --help ;;
  new)
    rm -rf "${work:?}/$step" && mkdir -p "$work/$step" && cd "$work/$step"
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name muster.pc)")
    export PKG_CONFIG_PATH
    expect 2 "'a b' is no name for a check" "$prefix/bin/muster" new 'a b'
    expect 0 'build/work_queue_check' "$prefix/bin/muster" new work_queue
    expect 2 'work_queue: exists already' "$prefix/bin/muster" new work_queue
    # Each sample passes, and fails with the line that it proposes.
    for name in work_queue my_stack mailbox spin_lock lru_cache hits; do
      [ -d $name ] || "$prefix/bin/muster" new $name
      python3 -m json.tool $name/.vscode/tasks.json >/dev/null
      # shellcheck disable=SC2046
      g++ -std=c++20 -g $(pkg-config --cflags muster) -c $name/${name}_check.cpp -o $name.o && g++ $name.o $(pkg-config --libs muster) -o $name.passes
      expect 0 "PASS $name" ./$name.passes --size 2x2
      sed -E 's|^( *).*// try: (.*)$|\1\2|' $name/${name}_check.cpp >$name.cpp
      # shellcheck disable=SC2046
      g++ -std=c++20 -g $(pkg-config --cflags muster) -c $name.cpp && g++ $name.o $(pkg-config --libs muster) -o $name.fails
      expect 1 "FAIL $name" ./$name.fails --folder saved --size 3x1
    done
    cd work_queue
    cmake -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build
    expect 0 'PASS work_queue' build/work_queue_check ;;
  inline_assembly)
    configure inline_assembly
    expect 1 'app::SpinLock::try_lock(): an atomic instruction that is not instrumented (xchg' cmake --build "$work/$step" --target forbidden
    expect 0 'linked: app::SpinLock::try_lock(): an atomic instruction that is not instrumented (xchg' cmake --build "$work/$step" --target linked
    expect 1 'now(): reads the time stamp counter' cmake --build "$work/$step" --target time_stamp
    cmake --build "$work/$step" --target own_malloc
    expect 2 'own_malloc defines its own malloc' "$work/$step/own_malloc"
    cmake --build "$work/$step" --target accepted
    cd "$work/$step"
    expect 0 'PASS spin_lock' ./accepted
    expect 0 'atomic instructions in app::SpinLock::try_lock()' ./accepted ;;
  gdb)
    configure installed -DCMAKE_BUILD_TYPE=Debug -DCLASS_CHECK=ON  # no tail calls: the backtrace is whole
    cmake --build "$work/$step"
    cd "$work/$step"
    expect 1 'FAIL counter' ./counter_check counter
    expect 1 'FAIL counter_class' ./counter_class_check counter_class
    for replay in './counter_check --replay counter-1' './counter_class_check --replay counter_class-1'; do
      # Both threads have read 0 when they come to Ledger::write: it is the replayed execution that the debugger sees.
      # shellcheck disable=SC2086
      out=$(gdb -batch -ex 'set debuginfod enabled off' -ex 'set breakpoint pending on' -ex 'break muster_replay_begins' -ex run -ex 'break Ledger::write' \
        -ex continue -ex 'print value' -ex backtrace -ex continue -ex 'print value' --args $replay 2>&1)
      grep -q 'Breakpoint 2, Ledger::write' <<<"$out" || fail "the breakpoint was not hit:"$'\n'"$out"
      [ "$(grep -cE '^\$[12] = 1$' <<<"$out")" -eq 2 ] || fail "both writes should write 1:"$'\n'"$out"
      grep -q 'Counter::raise' <<<"$out" || fail "no backtrace through the user's code:"$'\n'"$out"
    done ;;
  frameworks)
    configure frameworks
    cmake --build "$work/$step"
    cd "$work/$step"
    expect 0 'PASSED' ./in_googletest
    expect 0 'All tests passed' ./in_catch2
    expect 0 '100% tests passed' ctest ;;
  cmake_blocks) rm -rf "${work:?}/$step"; python3 "$source_folder/cmake_blocks_test.py" "$muster" "$prefix" "$work/$step" ;;
  tutorial) rm -rf "$work/$step"; python3 "$source_folder/tutorial_test.py" "$muster/docs/tutorial.md" "$prefix" "$work/$step" ;;
  subdirectory)
    configure subdirectory -DMUSTER_FOLDER="$muster"
    # Building all of Muster again takes minutes; that its targets and functions are there is seen at once.
    [ -n "${MUSTER_TEST_FULL:-}" ] || { cmake --build "$work/$step" --target help | grep -q counter_check; exit; }
    cmake --build "$work/$step" --target counter_check
    finds_the_lost_update ;;
  *) fail "there is no step $step" ;;
esac
