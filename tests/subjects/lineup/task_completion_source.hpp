#pragma once
// The producer's side of a task (.NET: TaskCompletionSource): the first who sets an outcome wins, without a lock.
#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace subjects::lineup {

enum class CompletionFault {
  kNone,
  kCheckedThenSet,   ///< Bug F: who sets looks whether somebody was first and then sets: two can win.
  kLoserDoesNotWait  ///< Bug G: who loses is told so while the winner's outcome is not there yet.
};

template <CompletionFault fault = CompletionFault::kNone>
class BasicTaskCompletionSource {
 public:
  bool try_set_result(int value) { return try_finish(State::kResult, value); }
  bool try_set_exception(int error) { return try_finish(State::kException, error); }
  bool try_set_canceled() { return try_finish(State::kCanceled, 0); }

  void set_result(int value) { must(try_set_result(value)); }
  void set_exception(int error) { must(try_set_exception(error)); }
  void set_canceled() { must(try_set_canceled()); }

  /// The error that was set, if one was.
  std::optional<int> exception() const {
    if (state_.load() != State::kException) return std::nullopt;
    return value_.load();
  }

  /// The result that was set, if one was.
  std::optional<int> try_result() const {
    if (state_.load() != State::kResult) return std::nullopt;
    return value_.load();
  }

  /// Waits for the outcome; an error or a cancellation is thrown.
  int wait() const {
    State state = state_.load();
    while (state == State::kPending || state == State::kReserved) {
      state_.wait(state);
      state = state_.load();
    }
    if (state == State::kException) throw std::runtime_error("error " + std::to_string(value_.load()));
    if (state == State::kCanceled) throw std::runtime_error("canceled");
    return value_.load();
  }

 private:
  enum class State : int { kPending, kReserved, kResult, kException, kCanceled };

  static void must(bool won) {
    if (!won) throw std::logic_error("already completed");
  }

  bool try_finish(State outcome, int value) {
    if (!reserve()) return false;
    value_.store(value);
    state_.store(outcome);
    state_.notify_all();
    return true;
  }

  bool reserve() {
    State seen = state_.load();
    if constexpr (fault == CompletionFault::kCheckedThenSet) {
      if (seen != State::kPending) return false;
      state_.store(State::kReserved);
      return true;
    }
    if (seen == State::kPending && state_.compare_exchange_strong(seen, State::kReserved)) return true;
    if constexpr (fault != CompletionFault::kLoserDoesNotWait) {
      while (state_.load() == State::kReserved) std::this_thread::yield();
    }
    return false;
  }

  std::atomic<State> state_{State::kPending};
  std::atomic<int> value_{0};
};

using TaskCompletionSourceRepaired = BasicTaskCompletionSource<>;
using TaskCompletionSourcePre = BasicTaskCompletionSource<CompletionFault::kCheckedThenSet>;
using TaskCompletionSource = BasicTaskCompletionSource<CompletionFault::kLoserDoesNotWait>;

}  // namespace subjects::lineup
