#include "search/shrink.hpp"

namespace muster::test {
namespace {

bool leave_out_a_thread(SmallProgram& program, const Shows& shows) {
  for (std::size_t t = 0; t < program.threads.size() && program.threads.size() > 1; ++t) {
    SmallProgram without = program;
    without.threads.erase(without.threads.begin() + static_cast<std::ptrdiff_t>(t));
    if (shows(without)) return program = without, true;
  }
  return false;
}

bool leave_out_an_instruction(SmallProgram& program, const Shows& shows) {
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
      SmallProgram without = program;
      without.threads[t].erase(without.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
      if (shows(without)) return program = without, true;
    }
  }
  return false;
}

}  // namespace

SmallProgram shrunk(SmallProgram program, const Shows& shows) {
  while (leave_out_a_thread(program, shows) || leave_out_an_instruction(program, shows)) {
  }
  return program;
}

}  // namespace muster::test
