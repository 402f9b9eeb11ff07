// The language: its words, and what can be told from a program's text.

#include "search/small_program.hpp"

#include <algorithm>

namespace muster::test {
namespace {

constexpr std::array names{"load",
                           "store",
                           "add",
                           "compare_exchange",
                           "exchange",
                           "plain_load",
                           "plain_store",
                           "lock",
                           "unlock",
                           "try_lock",
                           "timed_lock",
                           "lock_shared",
                           "lock_exclusive",
                           "unlock_shared",
                           "try_lock_shared",
                           "wait",
                           "timed_wait",
                           "notify_one",
                           "notify_all",
                           "acquire",
                           "try_acquire",
                           "release",
                           "futex_wait",
                           "timed_futex_wait",
                           "futex_wake_one",
                           "futex_wake_all",
                           "barrier",
                           "once",
                           "choose",
                           "skip_if",
                           "skip_unless",
                           "spin_until",
                           "spin_asleep",
                           "spin_lock",
                           "increment_by_retrying",
                           "reload_and_retry",
                           "look_and_retry",
                           "yield",
                           "sleep",
                           "clock",
                           "relaxed_load",
                           "relaxed_store",
                           "relaxed_add",
                           "await_plain",
                           "await_atomic",
                           "await_mixed",
                           "lock_both",
                           "poll",
                           "spin_counting",
                           "require_not",
                           "spin_try_lock",
                           "free_block",
                           "release_strong",
                           "release_weak",
                           "copy_strong",
                           "copy_weak",
                           "lock_weak"};

bool touches_block(const Instruction& i) {
  if (i.op >= Op::free_block) return true;
  const bool has_object =
      i.op != Op::choose && i.op != Op::skip_if && i.op != Op::skip_unless && i.op != Op::require_not;
  return (has_object && i.object == in_block) || ((i.op == Op::wait || i.op == Op::timed_wait) && i.value == in_block);
}

}  // namespace

bool SmallProgram::uses(Op op) const {
  return std::ranges::any_of(threads, [op](const auto& code) {
    return std::ranges::any_of(code, [op](const Instruction& i) { return i.op == op; });
  });
}

bool SmallProgram::uses_block() const {
  return std::ranges::any_of(threads, [](const auto& code) { return std::ranges::any_of(code, touches_block); });
}

std::size_t first_alike(const SmallProgram& program, std::size_t thread) {
  const auto first = std::find(program.threads.begin(), program.threads.end(), program.threads[thread]);
  return static_cast<std::size_t>(first - program.threads.begin());
}

SiteId site_of(const SmallProgram& program, std::size_t thread, unsigned instruction) {
  return 1000 * (first_alike(program, thread) + 1) + 10 * instruction + 1;
}

std::string to_text(const SmallProgram& program) {
  std::string text = fmt::format("semaphore {}, strong {}, weak {}\n", program.semaphore, program.strong, program.weak);
  for (const auto& thread : program.threads) {
    for (const Instruction& i : thread)
      text += fmt::format("{} {} {} {}; ", names[static_cast<unsigned>(i.op)], i.object, i.value, i.other);
    text += "\n";
  }
  return text;
}

}  // namespace muster::test
