#include "memory/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::weak {

std::string to_string(const Outcome& outcome) {
  std::string text;
  for (const auto& [stuck, at] : outcome.threads) {
    text += stuck ? fmt::format("stuck@{}(", at.pc) : "(";
    for (const Value value : at.regs) text += fmt::format("{:x}", value);
    text += ") ";
  }
  text += "memory ";
  for (const Value value : outcome.memory) text += fmt::format("{:x}", value);
  return text;
}

Circle find_circle(const ThreadCode& code, Local from, const Memory& memory) {
  std::vector<Local> seen;
  for (Local local = from; !code.at_end(local);) {
    const Local live = code.live(local);
    const auto first = std::ranges::find(seen, live);
    if (first != seen.end()) return {true, *std::min_element(first, seen.end()), first == seen.begin()};
    seen.push_back(live);
    const Access access = code.access(local, memory[code.at(local).location]);
    if (!access.is_silent()) return {};
    local = code.after(local, access);
  }
  return {};
}

}  // namespace muster::weak
