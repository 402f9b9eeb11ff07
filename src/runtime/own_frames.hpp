#pragma once
// Out of this library's own frames, to the code that called it. The unwinder of the compiler can do that, too, in
// microseconds: it reads how to leave a frame anew each time. Here that is read once for each of the few places that
// there are.

#include <array>
#include <cstdint>
#include <unordered_map>

#include "runtime/live_state.hpp"

struct Dwarf_CFI_s;

namespace muster {

/// Where code that called this library goes on, and with what.
struct Caller {
  std::uintptr_t pc = 0;  // 0: the stack ends with frames of this library
  std::uintptr_t stack = 0;
  std::array<std::uintptr_t, preserved_register_count> preserved{};
  bool operator==(const Caller&) const = default;
};

class OwnFrames {
 public:
  OwnFrames();

  bool contains(std::uintptr_t pc) const { return low_ <= pc && pc < high_; }

  enum class Way : std::uint8_t { known, fresh, none };
  /// Finds who called this library. `fresh`: some frame was left for the first time, so that the caller is to be
  /// compared with what the unwinder says; `none`: how to leave some frame is not known.
  Way leave(Caller& caller);
  /// It was wrong: what is on disk is not what runs.
  void distrust() { trusted_ = false; }

 private:
  /// How to leave a frame at one place of its code.
  struct Exit {
    enum class Base : std::uint8_t { none, stack_pointer, frame_pointer } base = Base::none;
    bool last = false;  // nobody called
    bool used = false;
    std::int32_t size = 0;                                       // from the base to the end of the frame
    std::array<std::int32_t, preserved_register_count> saved{};  // distance from the end of the frame; 0: left as it is
  };
  Exit& exit_at(std::uintptr_t pc, bool after_call);
  Exit read_exit(std::uintptr_t pc) const;

  std::uintptr_t low_ = 0, high_ = 0, bias_ = 0;
  bool trusted_ = true;
  Dwarf_CFI_s* table_ = nullptr;  // kept for as long as the process lives
  std::unordered_map<std::uintptr_t, Exit> exits_;
};

}  // namespace muster
