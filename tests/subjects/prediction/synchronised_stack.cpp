// A stack whose every method is synchronised, and callers that need two of them to be one: pop only if it is not empty;
// push only below a limit. With `correct` the pairs hold the stack's lock throughout.
//
//   synchronised_stack [correct]

#include <cstring>
#include <mutex>
#include <thread>

#include <muster/transaction.hpp>

namespace {

class Stack {
 public:
  std::recursive_mutex mutex;

  bool empty() {
    const std::lock_guard lock(mutex);
    return top_ == 0;
  }
  int depth() {
    const std::lock_guard lock(mutex);
    return top_;
  }
  void push(int item) {
    const std::lock_guard lock(mutex);
    items_[top_] = item;
    top_ = top_ + 1;
  }
  int pop() {
    const std::lock_guard lock(mutex);
    if (top_ == 0) return -1;
    top_ = top_ - 1;
    return items_[top_];
  }

 private:
  int items_[16] = {9};
  int top_ = 1;
};

Stack stack;

void pop_if_any() {
  if (!stack.empty()) stack.pop();
}
void push_below(int limit, int item) {
  if (stack.depth() < limit) stack.push(item);
}

template <class Action>
void atomically(bool correct, Action action) {
  const muster::Transaction atomic;
  std::unique_lock lock(stack.mutex, std::defer_lock);
  if (correct) lock.lock();
  action();
}

}  // namespace

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::thread pusher([=] { atomically(correct, [] { push_below(4, 1); }); });
  std::thread popper([=] { atomically(correct, pop_if_any); });
  std::thread second_pusher([=] { atomically(correct, [] { push_below(4, 2); }); });
  pusher.join();
  popper.join();
  second_pusher.join();
}
