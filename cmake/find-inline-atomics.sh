#!/bin/sh
# find-inline-atomics.sh OBJDUMP PROGRAM OBJECT...: fails, naming the functions, if instrumented objects contain atomic instructions or read
# the time stamp counter; warns of those that the linked program has besides.
#
# Instrumented code calls a hook for every atomic access, so a `lock` prefix or an `xchg` with memory (which locks by itself) can only come
# from inline assembly. Such an access is no scheduling point and orders nothing in the race detector's eyes: verdicts would be wrong. In the
# linked program they come from static libraries that were not instrumented. The time stamp counter gives something else in every execution.
objdump=$1
program=$2
shift 2

find_in() {
  "$objdump" --disassemble --no-show-raw-insn --demangle "$@" | awk '
    /file format/ { object = $1; sub(/:$/, "", object); next }
    /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); next }
    /\trdtscp? *$/ {
      printf "%s: %s: reads the time stamp counter, which no schedule can repeat\n", object, name
      next
    }
    /\tlock / || /\txchg.*\(/ {
      if (name == reported) next
      reported = name
      instruction = $0
      sub(/^[^\t]*\t/, "", instruction)
      sub(/ +#.*/, "", instruction)
      gsub(/[ \t]+/, " ", instruction)
      printf "%s: %s: an atomic instruction that is not instrumented (%s)\n", object, name, instruction
    }'
}

found=$(find_in "$@")
if [ -n "$found" ]; then
  echo "$found" >&2
  echo "Muster cannot see these. Use std::atomic and std::chrono there, or accept verdicts without them: muster_add_check(... ALLOW_INLINE_ASSEMBLY)." >&2
  exit 1
fi
linked=$(find_in "$program")
if [ -n "$linked" ]; then
  echo "$linked" | head -n 3 >&2
  echo "warning: $(echo "$linked" | wc -l) such functions of libraries that are not instrumented; if the code under test uses them, name the library after INSTRUMENT." >&2
fi
