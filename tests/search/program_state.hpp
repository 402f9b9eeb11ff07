#pragma once
// A state of a small program, for the judge that knows nothing of the engine: what each thread is about to do and has
// read, what everything holds, and which accesses are known to whom. States that are equal have equal futures.

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "search/small_program.hpp"

namespace muster::test {

/// What can know of an access, and pass that on: each a bit.
namespace knower {
constexpr unsigned thread(unsigned i) { return i; }
constexpr unsigned word(unsigned object) { return 4 + object; }  // with the one in the block
constexpr unsigned strong = 9, weak = 10;
constexpr unsigned mutex(unsigned object) { return 11 + object; }
constexpr unsigned readers(unsigned rwlock) { return 16 + rwlock; }
constexpr unsigned writers(unsigned rwlock) { return 20 + rwlock; }
constexpr unsigned semaphore(unsigned object) { return 24 + object; }
constexpr unsigned barrier(unsigned object) { return 28 + object; }
constexpr unsigned once(unsigned object) { return 32 + object; }
}  // namespace knower

/// What can be accessed by plain and atomic accesses, or freed.
enum class Location : std::uint8_t { plain_words, block = 5, strong, weak, word, plain, mutex, condition };
constexpr Location plain_location(unsigned object) {
  return object == in_block ? Location::plain : static_cast<Location>(object);
}
constexpr bool is_in_block(Location location) { return location >= Location::block; }

/// An access that somebody does not know of yet.
struct Seen {
  std::uint64_t knowers;
  std::uint16_t site;
  std::uint8_t thread;
  Location location;
  std::uint8_t writes, atomic;
  std::uint16_t unused;
};

struct ThreadPart {
  std::uint8_t at, phase;  // the next instruction, and where in it
  std::uint8_t finished, count;
  std::uint32_t last, old, turns;
  std::uint32_t reads[16];
};

struct ProgramState {
  ThreadPart threads[most_threads];
  std::uint32_t atomics[5], plains[5];  // the last ones in the block
  std::uint32_t strong, weak;
  std::uint32_t semaphores[4], generations[4];
  std::uint8_t mutexes[5], rwlocks[4];     // 1 + who has it
  std::uint8_t readers[4], conditions[5];  // who reads; who waits
  std::uint8_t futexes[5], arrived[4], onces[4];
  std::uint8_t seen_count;
  std::uint16_t freed_at;  // 0: not yet
  std::uint16_t unused;
  std::uint32_t unused_too;
  Seen seen[48];  // sorted

  std::size_t size() const { return sizeof *this - sizeof seen + seen_count * sizeof(Seen); }
};
static_assert(std::has_unique_object_representations_v<ProgramState>);

/// What one step of a thread comes to.
struct Step {
  bool possible = true;
  bool fatal = false;    // the execution ends with it
  unsigned options = 1;  // in so many ways can it be made
  std::set<std::string>* findings = nullptr;
};

ProgramState first_state(const SmallProgram& program);
/// The thread makes its next step, in the way with this number.
Step make_step(const SmallProgram& program, ProgramState& state, unsigned thread, unsigned option,
               std::set<std::string>& findings);
std::string text_of(const SmallProgram& program, const ProgramState& state, bool stuck);

}  // namespace muster::test
