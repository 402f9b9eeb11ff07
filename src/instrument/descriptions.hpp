#pragma once
// What functions that are not watched do, in words: a line a function.
//
//   library liburcu                                  # of the functions from here on: how its file's name begins
//   urcu_memb_read_lock: enters readers, is not called
//   read_frame: reads 8 bytes of argument 1, writes argument 2 times 4 bytes of argument 3, locks argument 1
//
// docs/reference/descriptions.md says what can be said.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// What a deed is done to: what an argument points to, what the function returns, or something that only descriptions
/// know, by name.
struct DeedObject {
  enum class Kind : std::uint8_t { none, argument, result, named };
  Kind kind = Kind::none;
  std::uint8_t argument = 0;  // from 0
  std::uint32_t number = 0;   // of a name
};

/// One thing that a function does.
struct CallDeed {
  enum class Kind : std::uint8_t {
    reads,
    writes,  // memory
    acquires,
    releases,  // as a mutex's lock and unlock order what is done around them, and nothing more
    locks,
    locks_shared,
    unlocks,
    enters,
    leaves,              // a region
    waits_left,          // until all who were in it when the wait began have left
    waits_left_outside,  // the same, leaving it for so long
    calls_left,          // the same, in a thread of its own that then calls a function
    waits_called,        // until all such calls are over
    sets,
    resets,
    waits_set,  // a flag
    meets,      // so many threads, at a barrier
  };
  enum class Size : std::uint8_t { fixed, counted, result, text };
  enum class When : std::uint8_t { always, zero, not_zero };  // what the function returns
  static constexpr std::uint8_t nothing = 255;
  Kind kind;
  DeedObject object;
  Size size = Size::fixed;
  std::uint8_t counter = 0;      // the argument that says how many; of a call, what is handed on
  std::uint64_t bytes = 0;       // or bytes each
  std::uint8_t times = nothing;  // another argument, that says how many bytes each
  When when = When::always;

  /// Whether it is known only when the function has returned.
  bool comes_after() const {
    return kind == Kind::acquires || when != When::always || size == Size::result ||
           (size == Size::text && kind == Kind::writes);
  }
};

struct FunctionDescription {
  std::string library;  // how the name of its file begins; empty: of any
  std::string name;     // as it was written
  bool harmless = false;
  bool unsupported = false;             // it must not be called in an execution
  bool may_order = false;               // threads, besides what is said of it
  std::optional<std::int64_t> returns;  // it is not called, and returns this
  std::vector<CallDeed> deeds;
};

/// Reads descriptions; throws Error with `source` and the line where one cannot be understood.
std::vector<FunctionDescription> parse_descriptions(std::string_view text, const std::string& source,
                                                    unsigned first_line = 1);

/// How many names there are that only descriptions know, in all that was parsed.
std::uint32_t named_objects();
constexpr std::uint32_t most_named_objects = 64;

}  // namespace muster
