#pragma once
// Linearizable histories of 8 threads, of any length, in the one-line interval forms. Each operation takes effect at a
// random moment between its call and its return, and the object is run in the order of those moments.

#include <array>
#include <cstdint>
#include <fstream>
#include <queue>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace muster::bench {

struct Drawn {
  const char* method;
  bool has_argument = false, has_result = false;
  std::int64_t argument = 0,
               result = -1;  ///< a result of -1 is "nothing there" except for sets, whose answers are 0 and 1
};

/// The object under the history: what thread `thread` does next.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual Drawn next(Rng& rng, unsigned thread) = 0;
};

class QueueSubject final : public Subject {
 public:
  Drawn next(Rng& rng, unsigned) override {
    if (rng.chance(1, 2)) {
      items_.push(++fresh_);
      return {.method = "enq", .has_argument = true, .argument = fresh_};
    }
    Drawn drawn{.method = "deq", .has_result = true};
    if (!items_.empty()) {
      drawn.result = items_.front();
      items_.pop();
    }
    return drawn;
  }

 private:
  std::queue<std::int64_t> items_;
  std::int64_t fresh_ = 0;
};

class StackSubject final : public Subject {
 public:
  Drawn next(Rng& rng, unsigned) override {
    if (rng.chance(1, 2)) {
      items_.push_back(++fresh_);
      return {.method = "push", .has_argument = true, .argument = fresh_};
    }
    Drawn drawn{.method = "pop", .has_result = true};
    if (!items_.empty()) {
      drawn.result = items_.back();
      items_.pop_back();
    }
    return drawn;
  }

 private:
  std::vector<std::int64_t> items_;
  std::int64_t fresh_ = 0;
};

class PriorityQueueSubject final : public Subject {
 public:
  Drawn next(Rng& rng, unsigned) override {
    if (rng.chance(1, 2)) {
      // An odd multiplier permutes the 31-bit numbers: priorities are distinct and in no order.
      const auto value = static_cast<std::int64_t>((++fresh_ * 1'103'515'245u) & 0x7fffffff);
      items_.push(value);
      return {.method = "insert", .has_argument = true, .argument = value};
    }
    Drawn drawn{.method = "poll", .has_result = true};
    if (!items_.empty()) {
      drawn.result = items_.top();
      items_.pop();
    }
    return drawn;
  }

 private:
  std::priority_queue<std::int64_t> items_;
  std::uint64_t fresh_ = 0;
};

class SetSubject final : public Subject {
 public:
  explicit SetSubject(std::size_t operations) : inside_(operations / 4 + 1) {}
  Drawn next(Rng& rng, unsigned) override {
    static constexpr std::array names{"insert", "remove", "contains"};
    const std::uint64_t method = rng.below(3), element = rng.below(inside_.size());
    const bool was_inside = inside_[element];
    if (method == 0) inside_[element] = true;
    if (method == 1) inside_[element] = false;
    return {names[method], true, true, static_cast<std::int64_t>(element), method == 0 ? !was_inside : was_inside};
  }

 private:
  std::vector<bool> inside_;
};

class RegisterSubject final : public Subject {
 public:
  /// A single writer writes values from 0 to 9, again and again; several write each value once.
  explicit RegisterSubject(bool single_writer) : single_writer_(single_writer) {}
  Drawn next(Rng& rng, unsigned thread) override {
    const bool writes = single_writer_ ? thread == 0 : rng.chance(1, 4);
    if (!writes) return {.method = "read", .has_result = true, .result = value_};
    value_ = single_writer_ ? static_cast<std::int64_t>(rng.below(10)) : ++fresh_;
    return {.method = "write", .has_argument = true, .argument = value_};
  }

 private:
  bool single_writer_;
  std::int64_t value_ = 0;
  std::int64_t fresh_ = 0;
};

enum class Form { text, json };

/// Writes a history of `operations` operations in the order in which they take effect.
inline void write_history(const std::string& path, const char* object, Subject& subject, std::size_t operations,
                          Form form, std::uint64_t seed = 1) {
  constexpr unsigned threads = 8;
  struct Pending {
    std::int64_t start, point, end;
    unsigned thread;
    bool operator<(const Pending& other) const { return point > other.point; }
  };
  Rng rng{seed};
  std::priority_queue<Pending> next;
  const auto begin = [&](unsigned thread, std::int64_t now) {
    const std::int64_t start = now + 20 + static_cast<std::int64_t>(rng.below(100));
    const std::int64_t point = start + 1 + static_cast<std::int64_t>(rng.below(400));
    next.push({start, point, point + 1 + static_cast<std::int64_t>(rng.below(400)), thread});
  };
  for (unsigned thread = 0; thread < threads; ++thread) begin(thread, 0);
  std::ofstream out(path);
  std::string buffer;
  const bool is_set = std::string_view(object) == "set";
  if (form == Form::text) {
    buffer = fmt::format("# {}\n", object);
  } else {
    buffer = fmt::format("{{\"object\":\"{}\"{}}}\n", object,
                         std::string_view(object) == "priority-queue" ? ",\"largest_first\":true" : "");
  }
  for (std::size_t i = 0; i < operations; ++i) {
    const Pending now = next.top();
    next.pop();
    const Drawn drawn = subject.next(rng, now.thread);
    if (form == Form::text) {
      buffer += drawn.method;
      if (drawn.has_argument) buffer += fmt::format(" {}", drawn.argument);
      if (drawn.has_result) buffer += fmt::format(" {}", drawn.result);
      buffer += fmt::format(" {} {}\n", now.start, now.end);
    } else {
      buffer += fmt::format("{{\"process\":{},\"op\":\"{}\"", now.thread, drawn.method);
      if (drawn.has_argument) buffer += fmt::format(",\"value\":{}", drawn.argument);
      if (drawn.has_result && is_set) buffer += drawn.result ? ",\"result\":true" : ",\"result\":false";
      if (drawn.has_result && !is_set)
        buffer += drawn.result < 0 ? ",\"result\":null" : fmt::format(",\"result\":{}", drawn.result);
      buffer += fmt::format(",\"start\":{},\"end\":{}}}\n", now.start, now.end);
    }
    if (buffer.size() > 1 << 20) {
      out << buffer;
      buffer.clear();
    }
    begin(now.thread, now.end);
  }
  out << buffer;
  if (!out) fail("{}: cannot be written", path);
}

}  // namespace muster::bench
