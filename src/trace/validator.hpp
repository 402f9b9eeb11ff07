#pragma once
// Whether a trace can have happened: lock semantics, the lives of threads, the nesting of transactions.

#include <optional>
#include <string>
#include <vector>

#include "trace/trace_reader.hpp"

namespace muster::trace {

class Validator {
 public:
  explicit Validator(const TraceReader& names) : names_(names) {}

  /// What is impossible about the next event, with its place; an impossible event is otherwise ignored.
  std::optional<std::string> check(const Event& event) {
    if (event.thread >= threads_.size()) threads_.resize(event.thread + 1u);
    Thread& thread = threads_[event.thread];
    if (is_access(event.kind) && !thread.joined) {
      thread.started = true;
      return std::nullopt;
    }
    return check_other(event);
  }

  /// Transactions that were begun and never ended, as in a recording cut short.
  std::uint32_t open_transactions() const;
  /// Lock acquisitions that were never released.
  std::uint32_t held_locks() const;

 private:
  struct Thread {
    bool started = false;
    bool forked = false;
    bool joined = false;
    std::uint32_t depth = 0;  // of nested transactions
  };
  struct Holder {
    ThreadIndex thread;
    bool shared;
    std::uint32_t count;
  };

  std::optional<std::string> check_other(const Event& event);
  std::optional<std::string> check_lock(const Event& event);
  std::optional<std::string> check_unlock(const Event& event);
  std::optional<std::string> check_fork(const Event& event);
  std::string impossible(const Event& event, const std::string& what) const;
  std::string thread_name(std::uint32_t thread) const { return names_.name(NameClass::thread, thread); }
  std::string lock_name(std::uint32_t lock) const { return names_.name(NameClass::lock, lock); }

  const TraceReader& names_;
  std::vector<Thread> threads_;
  std::vector<std::vector<Holder>> locks_;  // by lock; empty when free
};

}  // namespace muster::trace
