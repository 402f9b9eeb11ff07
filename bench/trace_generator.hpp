#pragma once
// Makes STD traces of a given shape for benchmarks: threads that run transactions of reads and writes, partly under
// nested locks. The transactions follow one another, so the run is serializable by construction.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace muster::bench {

struct TraceShape {
  unsigned threads = 20;
  unsigned variables = 1510;
  unsigned locks = 2;
  unsigned deepest = 2;  // nesting of locks
  std::uint64_t events = 1'000'000;
  std::uint64_t transaction_events = 100'000;
  bool ordered_locks = true;  // taken in one global order, so that the run cannot deadlock
  std::uint64_t seed = 1;
};

class TraceGenerator {
 public:
  TraceGenerator(const TraceShape& shape, const std::filesystem::path& path)
      : shape_(shape), rng_(shape.seed), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) fail("{}: cannot be written", path.string());
  }

  void run() {
    for (unsigned thread = 1; thread < shape_.threads; ++thread) put("T0|fork(T{})|1\n", thread);
    while (written_ + shape_.threads < shape_.events) transaction(static_cast<unsigned>(rng_.below(shape_.threads)));
    for (unsigned thread = 1; thread < shape_.threads; ++thread) put("T0|join(T{})|2\n", thread);
    flush();
    if (std::fclose(file_) != 0) fail("the trace could not be written");
  }

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    ++written_;
    if (text_.size() > (1 << 20)) flush();
  }

  void flush() {
    if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size()) fail("the trace could not be written");
    text_.clear();
  }

  void transaction(unsigned thread) {
    put("T{}|begin|{}\n", thread, 100 + thread);
    const std::uint64_t end = std::min(written_ + shape_.transaction_events / 2 + rng_.below(shape_.transaction_events),
                                       shape_.events - shape_.threads);
    std::vector<unsigned> held;
    while (written_ < end) {
      if (rng_.chance(1, 26)) change_locks(thread, held);
      access(thread);
    }
    for (; !held.empty(); held.pop_back()) put("T{}|rel(L{})|{}\n", thread, held.back(), 3000 + held.back());
    put("T{}|end|{}\n", thread, 200 + thread);
  }

  void change_locks(unsigned thread, std::vector<unsigned>& held) {
    if (!held.empty() && (held.size() >= shape_.deepest || rng_.chance(3, 4))) {
      put("T{}|rel(L{})|{}\n", thread, held.back(), 3000 + held.back());
      held.pop_back();
      return;
    }
    const unsigned lowest = held.empty() || !shape_.ordered_locks ? 0 : held.back() + 1;
    if (lowest >= shape_.locks) return;
    const unsigned lock = lowest + static_cast<unsigned>(rng_.below(shape_.locks - lowest));
    for (const unsigned known : held)
      if (known == lock) return;
    held.push_back(lock);
    put("T{}|acq(L{})|{}\n", thread, lock, 2000 + lock);
  }

  void access(unsigned thread) {
    const auto variable = static_cast<unsigned>(rng_.below(shape_.variables));
    const bool write = rng_.chance(3, 10);
    put("T{}|{}(V{})|{}\n", thread, write ? 'w' : 'r', variable, 10'000 + 4 * variable + write);
  }

  TraceShape shape_;
  Rng rng_;
  std::FILE* file_;
  fmt::memory_buffer text_;
  std::uint64_t written_ = 0;
};

}  // namespace muster::bench
