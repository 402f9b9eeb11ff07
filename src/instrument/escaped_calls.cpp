#include "instrument/escaped_calls.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <optional>

#include "instrument/hook.hpp"
#include "instrument/unwatched_calls.hpp"

namespace muster {
namespace {

constexpr std::uintptr_t page = 4096;

/// Code that can be executed, or cannot.
class GuardedCode {
 public:
  void add(const Module& module) {
    for (const std::span<std::byte> code : module.code) {
      const auto begin = reinterpret_cast<std::uintptr_t>(code.data()) & ~(page - 1);
      const auto end = (reinterpret_cast<std::uintptr_t>(code.data() + code.size()) + page - 1) & ~(page - 1);
      ranges_.push_back({begin, end});
    }
  }
  bool contains(std::uintptr_t address) const {
    return std::ranges::any_of(ranges_, [=](const Range& r) { return address >= r.begin && address < r.end; });
  }
  bool is_empty() const { return ranges_.empty(); }
  void let_execute(bool can) {
    is_executable_ = can;
    for (const Range& range : ranges_)
      mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, PROT_READ | (can ? PROT_EXEC : 0));
  }
  bool is_executable() const { return is_executable_; }

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  std::vector<Range> ranges_;
  bool is_executable_ = true;
};

GuardedCode& watched_side() {
  static GuardedCode code;
  return code;
}
GuardedCode& unwatched_side() {
  static GuardedCode code;
  return code;
}

std::optional<Module> runtime;  // Muster's own

/// Threads that are in a library, as far as is known: in a function that is known, or unseen.
std::uint64_t in_known_code = 0, in_escaped_code = 0;

std::uint64_t me() { return std::uint64_t{1} << engine->current().id; }

/// Where a function that is about to begin returns to; anything, if code goes on somewhere else.
std::uintptr_t return_address(std::uintptr_t stack) { return *reinterpret_cast<const std::uintptr_t*>(stack); }

bool is_runtime_code(std::uintptr_t address) { return runtime && address >= runtime->begin && address < runtime->end; }

/// A function begins that is harmless, or that Muster itself calls, which knows what it does; or such a function goes
/// on.
bool is_known(std::uintptr_t instruction, std::uintptr_t stack) {
  const std::uintptr_t caller = return_address(stack);
  if (is_runtime_code(caller)) return true;
  return watched_side().contains(caller) ? is_harmless_function(instruction) : (in_known_code & me()) != 0;
}

void tell_way_in(std::uintptr_t instruction, std::uintptr_t stack) {
  if (!controlled || is_in_seen_call(stack)) return;
  if (is_known(instruction, stack)) {
    in_known_code |= me();
    return;
  }
  in_known_code &= ~me();
  in_escaped_code |= me();
  pass_through_escaped_call(instruction);
}

void tell_way_out(std::uintptr_t stack) {
  if (!controlled) return;
  const bool is_callback = unwatched_side().contains(return_address(stack));
  if (in_escaped_code & me()) pass_through_escaped_call(0);  // else another thread was in there, or the call is known
  if (is_callback) return;
  in_known_code &= ~me();
  in_escaped_code &= ~me();
}

}  // namespace

void see_escaped_calls(const std::vector<const Module*>& unwatched, const std::vector<Module>& all) {
  for (const Module* module : unwatched) unwatched_side().add(*module);
  if (unwatched_side().is_empty()) return;
  const auto own = reinterpret_cast<std::uintptr_t>(&see_escaped_calls);
  for (const Module& module : all) {
    if (own >= module.begin && own < module.end) runtime = module;
    if (module.kind == Module::Kind::program || module.kind == Module::Kind::instrumented) watched_side().add(module);
  }
  unwatched_side().let_execute(false);
}

void forget_escaped_calls() { in_known_code = in_escaped_code = 0; }

bool is_way_to_other_code(std::uintptr_t instruction, std::uintptr_t stack) {
  GuardedCode &in = unwatched_side(), &out = watched_side();
  if (!in.is_executable() && in.contains(instruction)) {
    in.let_execute(true);
    out.let_execute(false);
    tell_way_in(instruction, stack);
    return true;
  }
  if (!out.is_executable() && out.contains(instruction)) {
    out.let_execute(true);
    in.let_execute(false);
    tell_way_out(stack);
    return true;
  }
  return false;
}

}  // namespace muster
