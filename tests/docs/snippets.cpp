// The pieces of code that pages show without a program around them, each with as much around it as it needs to compile.
#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <muster/check.hpp>
#include <muster/scenario.hpp>
#include <muster/synchronisation.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace a_class {

template <class T>
struct WorkQueue {
  void add(T value) {
    const std::lock_guard lock(mutex);
    items.push_back(value);
  }
  std::optional<T> try_take() {
    const std::lock_guard lock(mutex);
    if (items.empty()) return std::nullopt;
    const T front = items.front();
    items.pop_front();
    return front;
  }
  std::mutex mutex;
  std::deque<T> items;
};

MUSTER_CHECK(work_queue) {
  auto queue = check.object<WorkQueue<int>>();
  queue.operation("Add", [](auto& q, int value) { q.add(value); }).with(200).with(400);
  queue.operation("TryTake", &WorkQueue<int>::try_take);
}

}  // namespace a_class

namespace handles {

struct Token {};
struct Queue {
  void push(int) {}
  void push(Token&, int) {}
  Token token() { return {}; }
};
struct Handle {};
struct Cache {
  Handle* lookup(int) { return &handle; }
  void release(Handle*) {}
  Handle handle;
};
struct Ring {
  void push(int) {}
};

MUSTER_CHECK(one_producer) {
  auto queue = check.object<Ring>();
  using Queue = Ring;
  auto producer = check.role("producer", 1);  // one column of every test has this role
  queue.operation("push", &Queue::push).with(1).by(producer);
}

MUSTER_CHECK(tokens) {
  auto queue = check.object<Queue>();
  auto token = queue.per_thread([](Queue& q) { return q.token(); });
  queue.operation("push", [](Queue& q, Token& t, int value) { q.push(t, value); }).uses(token).with(1);
}

MUSTER_CHECK(slots) {
  auto cache = check.object<Cache>();
  auto pin = cache.slot<Handle*>("pin");
  cache.operation("lookup", &Cache::lookup).with(1).gives(pin);  // prints as pin#A1, never as an address
  cache.operation("release", &Cache::release).takes(pin);        // comes only after a lookup of its thread
}

}  // namespace handles

namespace models {

struct Queue {
  void push(int) {}
  int pop() { return 0; }
};

struct QueueModel {
  std::deque<int> items;
  bool operator==(const QueueModel&) const = default;
  void push(int value) { items.push_back(value); }
  int pop() {
    if (items.empty()) throw muster::Blocks();
    const int front = items.front();
    items.pop_front();
    return front;
  }
};

MUSTER_CHECK(modelled) {
  auto queue = check.object<Queue>().model<QueueModel>();
  queue.operation("push", [](auto& q, int value) { q.push(value); }).with(1).with(2);
  queue.operation("pop", [](auto& q) { return q.pop(); });
}

}  // namespace models

namespace synchronisation {

struct Channel {
  void send(int) {}
  int receive() { return 0; }
};

struct ChannelSpec {
  std::tuple<muster::Unit, int> transfer(int value, muster::Unit) { return {muster::Unit{}, value}; }
};

MUSTER_CHECK(channel) {
  auto channel = check.object<Channel>();
  channel.operation("send", &Channel::send).with(1).with(2);
  channel.operation("receive", &Channel::receive);
  muster::synchronises<ChannelSpec>(check).mode({"send", "receive"}, &ChannelSpec::transfer);
}

}  // namespace synchronisation

// Every answer is right, and there is a race.
namespace races {

struct Flag {
  void raise() { raised = true; }
  bool raised = false;
};

MUSTER_CHECK(racy_flag) {
  auto flag = check.object<Flag>();
  flag.operation("raise", &Flag::raise);
  check.test("raise | raise");
}

// Several races, all of which serial executions show; and answers that no serial order explains.
struct Counter {
  int add() { return ++value; }
  int get() const { return value; }
  int value = 0;
};

MUSTER_CHECK(racy_counter) {
  auto counter = check.object<Counter>();
  counter.operation("add", &Counter::add);
  counter.operation("get", &Counter::get);
}

}  // namespace races

// What tests of replays need: failures that the default bound does not reach, and a class that blocks, rightly.
namespace replays {

MUSTER_SCENARIO(needs_five_preemptions) {
  std::atomic<int> turns{0};
  int first = 0, second = 0, third = 0;
  std::thread a([&] { turns = 1, turns = 2, turns = 3; });
  std::thread b([&] { first = turns, second = turns, third = turns; });
  a.join();
  b.join();
  MUSTER_REQUIRE(!(first == 1 && second == 2 && third == 3));
}

struct Turns {
  int go() { return turns = 1, turns = 2, turns = 3, 0; }
  bool sees_each() { return (turns == 1) + (turns == 2) + (turns == 3) == 3; }
  std::atomic<int> turns{0};
};

MUSTER_CHECK(check_needs_three) {
  auto object = check.object<Turns>();
  object.operation("go", &Turns::go);
  object.operation("sees_each", &Turns::sees_each);
}

struct Gate {
  void acquire() {
    std::unique_lock lock(mutex);
    opened.wait(lock, [this] { return open; });
  }
  void release() {
    const std::lock_guard lock(mutex);
    open = true;
    opened.notify_all();
  }
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;
};

MUSTER_CHECK(gate) {
  auto object = check.object<Gate>();
  object.operation("acquire", &Gate::acquire);
  object.operation("release", &Gate::release);
}

}  // namespace replays

// What docs/limits.md says of memory.
namespace limits {

int much[600];

template <std::size_t... Place>
void write_much(std::index_sequence<Place...>) {
  ([] { much[Place] = 1; }(), ...);
}

MUSTER_SCENARIO(more_races_than_points) {
  const auto write = [] { write_much(std::make_index_sequence<std::size(much)>()); };
  std::thread a(write), b(write);
  a.join();
  b.join();
}

MUSTER_SCENARIO(more_releases_than_a_clock_counts) {
  constexpr int count = 70'000;
  const auto numbers = std::make_unique<int[]>(count);
  std::atomic<int> released{0};
  sem_t over;
  sem_init(&over, 0, 0);
  std::thread reader([&] {
    sem_wait(&over);
    MUSTER_REQUIRE(numbers[count - 5'000] == 1);
  });
  std::thread writer([&] {
    for (int i = 0; i < count; ++i) {
      numbers[i] = 1;
      released.store(i, std::memory_order_release);
    }
    sem_post(&over);
  });
  reader.join();
  writer.join();
}

MUSTER_SCENARIO(more_than_the_heap) {
  std::vector<char> large(80u << 20);
  std::thread([&] { large[5] = 1; }).join();
}

int deep(int calls) {
  volatile char room[1000];
  room[0] = static_cast<char>(calls);
  return calls == 0 ? 0 : deep(calls - 1) + room[0];
}

MUSTER_SCENARIO(more_than_the_stack) {
  std::thread([] { MUSTER_REQUIRE(deep(1000) != 1); }).join();
}

}  // namespace limits

// check-a-relaxed-queue.md
namespace {

class RelaxedQueue {
 public:
  explicit RelaxedQueue(unsigned) {}
  void enqueue(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
  }
  std::optional<int> dequeue() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    const int value = items_.front();
    items_.erase(items_.begin());
    return value;
  }

 private:
  std::mutex mutex_;
  std::vector<int> items_;
};

MUSTER_CHECK(relaxed_queue) {
  auto queue = check.object<RelaxedQueue>(2);
  queue.operation("enqueue", [](auto& q, int value) { q.enqueue(value); }).with(1).with(2).with(3);
  queue.operation("dequeue", [](auto& q) { return q.dequeue(); });
  check.quasi("dequeue=2", "queue");
}

}  // namespace

namespace older_values {

MUSTER_SCENARIO(store_buffering) {
  std::atomic<int> x{0}, y{0};
  int a = 0, b = 0;
  std::thread first{[&] {
    x.store(1, std::memory_order_release);
    a = y.load(std::memory_order_acquire);
  }};
  std::thread second{[&] {
    y.store(1, std::memory_order_release);
    b = x.load(std::memory_order_acquire);
  }};
  first.join();
  second.join();
  MUSTER_REQUIRE(a + b > 0);  // holds in every order of these four steps, and not in C++
}

class LazyFlag {
 public:
  void set() { set_.store(true, std::memory_order_relaxed); }
  bool get() const { return set_.load(std::memory_order_relaxed); }  // may be late

 private:
  std::atomic<bool> set_{false};
};

MUSTER_CHECK(lazy_flag) {
  auto flag = check.object<LazyFlag>();
  flag.operation("set", &LazyFlag::set);
  flag.operation("get", &LazyFlag::get);
}

}  // namespace older_values
