#!/bin/sh
# find-inline-atomics.sh OBJDUMP OBJECT...: fails, naming the functions, if instrumented objects contain atomic instructions.
#
# Instrumented code calls a hook for every atomic access, so a `lock` prefix or an `xchg` with memory (which locks by itself) can only come
# from inline assembly. Such an access is no scheduling point and orders nothing in the race detector's eyes: verdicts would be wrong. The
# linked program is looked at too, for code of static libraries that were not instrumented. Reading the time stamp counter is found as well:
# it gives something else in every execution.
objdump=$1
shift
found=$("$objdump" --disassemble --no-show-raw-insn --demangle "$@" | awk '
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
  }')
[ -n "$found" ] || exit 0
echo "$found" >&2
echo "Muster cannot see these. Use std::atomic and std::chrono there, name the library after INSTRUMENT, or accept verdicts without them: muster_add_check(... ALLOW_INLINE_ASSEMBLY)." >&2
exit 1
