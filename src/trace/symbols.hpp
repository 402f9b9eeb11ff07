#pragma once
// Program counters of a recorded run to source lines, with the debug information of the modules that were loaded.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace muster::trace {

class Symbols {
 public:
  /// A module table as the recorder writes it: a line `bias start end path` for each module, numbers in hex.
  explicit Symbols(std::string_view module_table);
  ~Symbols();
  Symbols(Symbols&&) noexcept;
  Symbols& operator=(Symbols&&) noexcept;

  /// "bank.cpp:31"; "bank+0x1234" without debug information; "0x7f12" outside of all modules. `pc` is a return address:
  /// the call stands before it.
  std::string describe(std::uint64_t pc) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace muster::trace
