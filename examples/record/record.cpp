// Four threads use a queue; what they did goes to a file that `muster check FILE` judges.

#include <deque>
#include <muster/record.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

struct Queue {
  std::mutex mutex;
  std::deque<int> items;

  void push(int value) {
    const std::lock_guard guard(mutex);
    items.push_back(value);
  }
  std::optional<int> pop() {
    const std::lock_guard guard(mutex);
    if (items.empty()) return std::nullopt;
    const int value = items.front();
    items.pop_front();
    return value;
  }
};

int main(int, char** argv) {
  muster::Recorder log(argv[1], "queue");
  Queue queue;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      auto me = log.process(thread);
      for (int i = 0; i < 250; ++i) {
        auto push = me.call("enqueue", thread * 1000 + i);
        queue.push(thread * 1000 + i);
        push.returned();
        auto pop = me.call("dequeue");
        pop.returned(queue.pop());
      }
    });
  }
}
