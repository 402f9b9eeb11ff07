#pragma once
// Logs of any number of clients, with values that repeat and operations that never return, in the line form `process
// start end METHOD values`, which other checkers read too. Each operation takes effect at a random moment of its time.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <fstream>
#include <functional>
#include <ostream>
#include <queue>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/rng.hpp"

namespace muster::bench {

struct LogRow {
  std::string object;
  std::size_t operations;
  unsigned clients = 8;
  std::uint64_t values = 5;    ///< 0: none repeats
  unsigned pending = 0;        ///< percent
  bool only_removals = false;  ///< never return
  bool no_processes = false;   ///< lines are `METHOD value start end`, as some checkers read them

  std::string describe() const {
    return fmt::format("{} {}, {} clients, {}{}", operations, object, clients,
                       values ? fmt::format("{} values", values) : "distinct values",
                       pending ? fmt::format(", {} % pending{}", pending, only_removals ? " removals" : "") : "");
  }
};

/// The object itself: what a client calls next, and what it answers.
class LoggedObject {
 public:
  struct Called {
    std::string words;  ///< method and arguments, as in the log
    bool removes = false;
    std::function<std::string()> perform;  ///< the answer, with a blank before it, or nothing
  };

  LoggedObject(const LogRow& row, Rng& rng) : row_(row), rng_(rng) {}

  Called next() {
    if (row_.object == "counter") return sum("add", false);
    if (row_.object == "fetch-and-add") return sum("fetch_and_add", true);
    if (row_.object == "swap") return swap();
    if (row_.object == "register" || row_.object == "cas-register") return access();
    return rng_.chance(1, 2) ? insert() : remove();
  }

 private:
  std::int64_t value() { return row_.values ? 1 + static_cast<std::int64_t>(rng_.below(row_.values)) : ++fresh_; }
  static std::string answer(std::int64_t value) { return fmt::format(" {}", value); }

  Called sum(const char* name, bool answers) {
    if (!answers && rng_.chance(3, 10)) return {"READ", false, [this] { return answer(held_); }};
    const std::int64_t amount = value();
    return {fmt::format("{} {}", name, amount), false, [this, amount, answers] {
              const std::int64_t before = held_;
              held_ += amount;
              return answers ? answer(before) : "";
            }};
  }

  Called access() {
    const std::uint64_t what = rng_.below(10);
    const bool compares = row_.object == "cas-register" && what >= 5;
    if (what < 2 || (what == 2 && row_.object == "register")) {
      const std::int64_t written = value();
      return {fmt::format("WRITE {}", written), false, [this, written] {
                held_ = written;
                return std::string();
              }};
    }
    if (!compares) return {"READ", false, [this] { return answer(held_); }};
    const std::int64_t expected = value(), written = value();
    return {fmt::format("CAS {} {}", expected, written), false, [this, expected, written] {
              if (held_ != expected) return answer(0);
              held_ = written;
              return answer(1);
            }};
  }

  Called swap() {
    const std::int64_t written = value();
    return {"READ_MODIFY_WRITE", false, [this, written] {
              const std::int64_t before = std::exchange(held_, written);
              return fmt::format(" {} {}", before, written);
            }};
  }

  Called insert() {
    const std::int64_t added = value();
    const char* name = row_.object == "stack" ? "PUSH" : row_.object == "queue" ? "ENQ" : "INSERT";
    return {fmt::format("{} {}", name, added), false, [this, added] {
              row_.object == "priority-queue" ? static_cast<void>(sorted_.insert(added)) : items_.push_back(added);
              return std::string();
            }};
  }
  Called remove() {
    const char* name = row_.object == "stack" ? "POP" : row_.object == "queue" ? "DEQ" : "POLL";
    return {name, true, [this] {
              std::int64_t taken = -1;
              if (!sorted_.empty()) {  // the largest first, as in this form of log
                taken = *sorted_.rbegin();
                sorted_.erase(std::prev(sorted_.end()));
              } else if (!items_.empty()) {
                taken = row_.object == "stack" ? items_.back() : items_.front();
                row_.object == "stack" ? items_.pop_back() : items_.pop_front();
              }
              return answer(taken);
            }};
  }

  const LogRow& row_;
  Rng& rng_;
  std::int64_t held_ = 0, fresh_ = 0;
  std::deque<std::int64_t> items_;
  std::multiset<std::int64_t> sorted_;
};

/// What other checkers call the object.
inline std::string header_of(const LogRow& row) {
  return row.object == "priority-queue" ? "priorityqueue" : row.object == "swap" ? "rmw" : row.object;
}

inline void write_log(std::ostream& out, const LogRow& row, std::uint64_t seed = 1) {
  struct Going {
    std::int64_t start, point, end;
    unsigned client;
    bool operator<(const Going& other) const { return point > other.point; }
  };
  Rng rng{seed};
  LoggedObject object(row, rng);
  std::priority_queue<Going> going;
  const auto begin = [&](unsigned client, std::int64_t now) {
    const std::int64_t start = now + 20 + static_cast<std::int64_t>(rng.below(100));
    const std::int64_t point = start + 1 + static_cast<std::int64_t>(rng.below(400));
    going.push({start, point, point + 1 + static_cast<std::int64_t>(rng.below(400)), client});
  };
  for (unsigned client = 0; client < row.clients; ++client) begin(client, 0);
  unsigned next_client = row.clients;
  std::string buffer = fmt::format("# {}\n", header_of(row));
  for (std::size_t i = 0; i < row.operations; ++i) {
    const Going now = going.top();
    going.pop();
    const LoggedObject::Called called = object.next();
    unsigned client = now.client;
    if (rng.chance(row.pending, 100) && (called.removes || !row.only_removals)) {
      if (rng.chance(1, 2)) called.perform();
      buffer += fmt::format("{} {} - {}\n", client, now.start, called.words);
      client = next_client++;  // who never came back makes no more calls
    } else if (row.no_processes) {
      std::string words = called.words + called.perform();
      std::ranges::transform(words, words.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
      buffer += fmt::format("{} {} {}\n", words, now.start, now.end);
    } else {
      buffer += fmt::format("{} {} {} {}{}\n", client, now.start, now.end, called.words, called.perform());
    }
    if (buffer.size() > 1 << 20) {
      out << buffer;
      buffer.clear();
    }
    begin(client, now.end);
  }
  out << buffer;
}

inline void write_log(const std::string& path, const LogRow& row, std::uint64_t seed = 1) {
  std::ofstream out(path);
  write_log(out, row, seed);
  if (!out.flush()) fail("{}: cannot be written", path);
}

}  // namespace muster::bench
