#pragma once
// A source of cancellation (.NET: CancellationTokenSource) with one kind of callback, which increments a counter.
// Callbacks registered before the cancellation run in it, later ones at once.
#include <atomic>
#include <thread>

namespace subjects::lineup {

class CancellationTokenSource {
 public:
  ~CancellationTokenSource() { delete_all(callbacks_.load()); }

  /// Registers a callback that increments the counter; returns the counter.
  int increment() {
    if (register_callback()) return 0;
    while (state_.load() < State::kNotified) std::this_thread::yield();
    return counter_.fetch_add(1) + 1;
  }

  /// Runs the callbacks; a second cancellation does nothing.
  void cancel() {
    State seen = State::kNotCanceled;
    if (!state_.compare_exchange_strong(seen, State::kNotifying)) return;
    Callback* const registered = callbacks_.exchange(closed());
    for (const Callback* callback = registered; callback != nullptr; callback = callback->next) counter_.fetch_add(1);
    delete_all(registered);
    state_.store(State::kNotified);
  }

 private:
  // Ordered: everything from kNotifying on is canceled.
  enum class State : int { kNotCanceled, kNotifying, kNotified };

  struct Callback {
    Callback* next = nullptr;
  };

  // Stands at the head of the list when nothing can be registered any more.
  Callback* closed() { return &closed_; }

  bool register_callback() {
    if (state_.load() >= State::kNotifying) return false;
    Callback* const callback = new Callback;
    Callback* head = callbacks_.load();
    do {
      if (head == closed()) {
        delete callback;
        return false;
      }
      callback->next = head;
    } while (!callbacks_.compare_exchange_weak(head, callback));
    return true;
  }

  void delete_all(Callback* callback) {
    while (callback != nullptr && callback != closed()) {
      Callback* const next = callback->next;
      delete callback;
      callback = next;
    }
  }

  Callback closed_;
  std::atomic<State> state_{State::kNotCanceled};
  std::atomic<Callback*> callbacks_{nullptr};
  std::atomic<int> counter_{0};
};

}  // namespace subjects::lineup
