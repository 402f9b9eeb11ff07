// rand, random and drand48. Each thread draws from sequences of its own, which are the same in every execution whatever
// the others do; those of the first thread are what the C library begins with.

#include "instrument/library_numbers.hpp"

#include <stdlib.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/hash.hpp"
#include "instrument/hook.hpp"
#include "instrument/rare_states.hpp"

namespace muster {
namespace {

struct Sequences {
  random_data whole;
  char numbers[128];  // what `whole` draws from, unless the program brings memory of its own
  drand48_data fractions;
};
std::array<Sequences, max_threads> sequences;
std::uint64_t begun = 0;  // by these threads

Sequences& own() {
  const ThreadId thread = engine->current().id;
  Sequences& mine = sequences[thread];
  if (begun >> thread & 1) return mine;
  begin_use(RareUse::library_numbers);
  begun |= std::uint64_t{1} << thread;
  std::memset(&mine, 0, sizeof mine);
  initstate_r(thread + 1u, mine.numbers, sizeof mine.numbers, &mine.whole);
  if (thread != 0) srand48_r(thread, &mine.fractions);
  return mine;
}

template <class Number>
Number told(Number number) {
  engine->reduction().notice(hash_bytes(std::as_bytes(std::span(&number, 1))));
  return number;
}

std::int32_t draw_whole() {
  std::int32_t number = 0;
  random_r(&own().whole, &number);
  return told(number);
}

void seed_whole(unsigned seed) { srandom_r(seed, &own().whole); }

template <class Number>
Number draw_fraction(int (*draw)(drand48_data*, Number*)) {
  Number number{};
  draw(&own().fractions, &number);
  return told(number);
}

/// Where the numbers are that the thread draws from, as programs know it.
char* numbers_of(const random_data& whole) { return reinterpret_cast<char*>(whole.state - 1); }

}  // namespace

void forget_library_numbers() { begun = 0; }

void pass_library_numbers(Tape& tape) {
  tape.pass(begun);
  for (std::uint64_t mask = begun; mask; mask &= mask - 1) tape.pass(sequences[std::countr_zero(mask)]);
}

std::uint64_t library_numbers_hash(ThreadId thread) {
  if (!(begun >> thread & 1)) return 0;
  return hash_bytes(std::as_bytes(std::span(&sequences[thread], 1)));
}

MUSTER_HOOK int rand() noexcept { return controlled ? draw_whole() : MUSTER_REAL(rand)(); }
MUSTER_HOOK long random() noexcept { return controlled ? draw_whole() : MUSTER_REAL(random)(); }
MUSTER_HOOK void srand(unsigned seed) noexcept { controlled ? seed_whole(seed) : MUSTER_REAL(srand)(seed); }
MUSTER_HOOK void srandom(unsigned seed) noexcept { controlled ? seed_whole(seed) : MUSTER_REAL(srandom)(seed); }

// Memory that a program brings is written where nobody watches it.
MUSTER_HOOK char* initstate(unsigned seed, char* memory, std::size_t size) noexcept {
  if (!controlled) return MUSTER_REAL(initstate)(seed, memory, size);
  engine->going_back().left_traces();
  random_data& whole = own().whole;
  char* const before = numbers_of(whole);
  return initstate_r(seed, memory, size, &whole) == 0 ? before : nullptr;
}
MUSTER_HOOK char* setstate(char* memory) noexcept {
  if (!controlled) return MUSTER_REAL(setstate)(memory);
  engine->going_back().left_traces();
  random_data& whole = own().whole;
  char* const before = numbers_of(whole);
  return setstate_r(memory, &whole) == 0 ? before : nullptr;
}

MUSTER_HOOK double drand48() noexcept { return controlled ? draw_fraction(drand48_r) : MUSTER_REAL(drand48)(); }
MUSTER_HOOK long lrand48() noexcept { return controlled ? draw_fraction(lrand48_r) : MUSTER_REAL(lrand48)(); }
MUSTER_HOOK long mrand48() noexcept { return controlled ? draw_fraction(mrand48_r) : MUSTER_REAL(mrand48)(); }
MUSTER_HOOK void srand48(long seed) noexcept {
  if (!controlled) return MUSTER_REAL(srand48)(seed);
  srand48_r(seed, &own().fractions);
}
MUSTER_HOOK unsigned short* seed48(unsigned short* seed) noexcept {
  if (!controlled) return MUSTER_REAL(seed48)(seed);
  drand48_data& fractions = own().fractions;
  seed48_r(seed, &fractions);
  return fractions.__old_x;
}
MUSTER_HOOK void lcong48(unsigned short* parameters) noexcept {
  if (!controlled) return MUSTER_REAL(lcong48)(parameters);
  lcong48_r(parameters, &own().fractions);
}

}  // namespace muster
