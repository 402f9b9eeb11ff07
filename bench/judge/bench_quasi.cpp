// How long does `muster check --quasi` take, from file to verdict and smallest factor, on logs of relaxed objects used
// by 8 threads?
//
//   bench_quasi [operations]          100,000 if not given
//
// The objects are relaxed by factor 4 exactly as `--quasi 4` allows, so that smallest factors are near it. Each figure
// is the best of three runs of the command as a process of its own, on one thread.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "generate.hpp"
#include "run_check.hpp"

namespace {

using namespace muster;
using namespace muster::bench;

enum class Object { queue, stack, priority_queue };

/// Takes any of the first factor + 1 items that it may still take without skipping one too often.
class RelaxedSubject final : public Subject {
 public:
  RelaxedSubject(Object object, unsigned factor, unsigned insertions)
      : object_(object), factor_(factor), insertions_(insertions) {}

  Drawn next(Rng& rng, unsigned) override {
    if (rng.below(100) < insertions_) return insert();
    Drawn drawn{.method = object_ == Object::stack   ? "pop"
                          : object_ == Object::queue ? "deq"
                                                     : "poll",
                .has_result = true};
    if (items_.empty()) return drawn;
    std::size_t reach = 1;
    while (reach < items_.size() && reach <= factor_ && items_[reach - 1].skips < factor_) ++reach;
    const std::size_t chosen = rng.below(reach);
    for (std::size_t i = 0; i < chosen; ++i) ++items_[i].skips;
    drawn.result = items_[chosen].value;
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return drawn;
  }

 private:
  struct Item {
    std::int64_t value;
    unsigned skips = 0;
  };

  Drawn insert() {
    std::int64_t value = static_cast<std::int64_t>(++fresh_);
    if (object_ == Object::queue) {
      items_.push_back({value});
    } else if (object_ == Object::stack) {
      items_.push_front({value});
    } else {
      // An odd multiplier permutes the 31-bit numbers: priorities are distinct and in no order. The largest comes
      // first.
      value = static_cast<std::int64_t>((fresh_ * 1'103'515'245u) & 0x7fffffff);
      items_.insert(std::ranges::find_if(items_, [&](const Item& item) { return item.value < value; }), {value});
    }
    return {.method = object_ == Object::stack   ? "push"
                      : object_ == Object::queue ? "enq"
                                                 : "insert",
            .has_argument = true,
            .argument = value};
  }

  Object object_;
  unsigned factor_;
  unsigned insertions_;     // percent of the operations
  std::deque<Item> items_;  // by rank
  std::uint64_t fresh_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t operations = argc > 1 ? std::stoull(argv[1]) : 100'000;
  const std::string folder = std::filesystem::temp_directory_path() / fmt::format("muster-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  fmt::print("{:<16}{:<10}{:>12}{:>9}{:>11}{:>12}\n", "object", "content", "operations", "seconds", "processor",
             "megabytes");
  bool passed = true;
  for (const auto& [name, object] : {std::pair("queue", Object::queue), std::pair("stack", Object::stack),
                                     std::pair("priority-queue", Object::priority_queue)}) {
    for (const auto& [content, insertions] : {std::pair("short", 45u), std::pair("long", 52u)}) {
      const std::string path = fmt::format("{}/{}-{}.jsonl", folder, name, content);
      RelaxedSubject subject(object, 4, insertions);
      write_history(path, name, subject, operations, Form::json);
      Run best = run_check(MUSTER_COMMAND, {"--quasi", "4", path});
      for (int i = 0; i < 2; ++i) {
        const Run again = run_check(MUSTER_COMMAND, {"--quasi", "4", path});
        if (again.processor < best.processor) best = again;
      }
      passed &= best.code == 0;
      fmt::print("{:<16}{:<10}{:>12}{:>9.3f}{:>11.3f}{:>12.0f}{}\n", name, content, operations, best.seconds,
                 best.processor, best.megabytes, best.code == 0 ? "" : "  NOT A PASS");
      std::fflush(stdout);
    }
  }
  if (!std::getenv("MUSTER_BENCH_KEEP")) std::filesystem::remove_all(folder);
  return passed ? 0 : 1;
}
