// Scenarios and checks that tests of command lines need: mistakes in checks, names that mean something else, crashes.

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <muster/check.hpp>
#include <muster/scenario.hpp>
#include <muster/synchronisation.hpp>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

// As mangled names these would be `int`, `bool` and `int*`.
std::atomic<int> i, b, Pi;

namespace {

MUSTER_SCENARIO(variables_named_like_types) {
  i = 0;
  std::thread other([] { i = 1, b = 1, Pi = 1; });
  const bool first = i == 0 && b == 0 && Pi == 0;
  other.join();
  MUSTER_REQUIRE(!first);
}

MUSTER_SCENARIO(crashes) {
  std::atomic<int*> place{nullptr};
  std::thread other([&] { *place.load() = 1; });
  other.join();
}

MUSTER_SCENARIO(passes) {
  std::atomic<int> number{0};
  std::thread other([&] { number = 1; });
  other.join();
}

// What one thread writes in this order the other one may find half done.
MUSTER_SCENARIO(written_in_two_steps) {
  static int first, second;
  first = second = 0;
  std::thread writer([] { first = 1, second = -1; });
  std::thread reader([] { MUSTER_REQUIRE(first + second == 0); });
  writer.join();
  reader.join();
}

/// Reaches no point at which another thread could step.
void spin_for_ever() {
  for (;;) asm volatile("");
}

// Half of its schedules have no end, if that is asked for.
MUSTER_SCENARIO(may_never_end) {
  std::atomic<int> last{0};
  const auto write = [&](int value) {
    for (int turn = 0; turn < 3; ++turn) last = value;
  };
  std::thread one([&] { write(1); }), two([&] { write(2); });
  one.join();
  two.join();
  if (std::getenv("NEVER_ENDS") && last == 1) spin_for_ever();
}

int deep(int calls) {
  volatile char room[1000];
  room[0] = static_cast<char>(calls);
  return calls == 0 ? 0 : deep(calls - 1) + room[0];
}

// Thousands of schedules, each of which ends its process.
MUSTER_SCENARIO(overflows) {
  std::atomic<int> number{0};
  const auto count = [&] {
    for (int i = 0; i < 6; ++i) ++number;
  };
  std::thread one(count), two(count), three(count);
  one.join();
  two.join();
  three.join();
  std::thread([] { MUSTER_REQUIRE(deep(1000) != 1); }).join();
}

MUSTER_SCENARIO(polls) {
  std::atomic<int> number{0};
  std::thread other([&] { number = 1; });
  for (int i = 0; i < 1000; ++i) number.fetch_add(2);
  other.join();
}

// Has a race, and an update that is lost never ends, if that is asked for.
struct RacesAndSpins {
  void add() {
    plain = 1;
    ++calls;
    number = number + 1;
  }
  ~RacesAndSpins() {
    if (number != calls && std::getenv("NEVER_ENDS")) spin_for_ever();
  }
  int plain = 0;
  std::atomic<int> number{0}, calls{0};
};

MUSTER_CHECK(races_and_spins) {
  auto object = check.object<RacesAndSpins>();
  object.operation("add", &RacesAndSpins::add);
}

// Loses updates, and does not end after fewer than four calls, if that is asked for.
struct EndsIfLarge {
  int add() {
    ++calls;
    const int before = number;
    number = before + 1;
    return before;
  }
  ~EndsIfLarge() {
    if (calls < 4 && std::getenv("NEVER_ENDS")) spin_for_ever();
  }
  std::atomic<int> number{0}, calls{0};
};

MUSTER_CHECK(ends_if_large) {
  auto object = check.object<EndsIfLarge>();
  object.operation("add", &EndsIfLarge::add);
}

struct Diver {
  int add() { return number++; }
  int dive() { return deep(1000); }
  std::atomic<int> number{0};
};

MUSTER_CHECK(diver) {
  auto object = check.object<Diver>();
  object.operation("add", &Diver::add);
  object.operation("dive", &Diver::dive);
}

struct NeverMade {
  NeverMade() { throw std::runtime_error("no licence"); }
  void call() {}
};

MUSTER_CHECK(never_made) {
  auto object = check.object<NeverMade>();
  object.operation("call", &NeverMade::call);
}

// An update that is lost ends the process, in another line than that of the update.
struct CrashesWhenDestroyed {
  void add() {
    ++calls;
    number = number + 1;
  }
  ~CrashesWhenDestroyed() {
    if (number == calls) return;
    volatile int* nowhere = nullptr;
    *nowhere = 1;  // crashes here
  }
  std::atomic<int> number{0}, calls{0};
};

MUSTER_CHECK(crashes_when_destroyed) {
  auto object = check.object<CrashesWhenDestroyed>();
  object.operation("add", &CrashesWhenDestroyed::add);
}

struct Flag {
  void set() { value = true; }
  bool get() const { return value; }
  std::atomic<bool> value{false};
};

struct Counter {
  struct Model {
    int add() { return value++; }
    bool operator==(const Model&) const = default;
    int value = 0;
  };
  int add() { return value++; }
  std::atomic<int> value{0};
};

/// Crashes at the second call, whatever the class does.
struct CrashingModel {
  int add() {
    if (value == 1) *nowhere = 1;
    return value++;
  }
  bool operator==(const CrashingModel&) const = default;
  int value = 0;
  volatile int* nowhere = nullptr;
};

MUSTER_CHECK(model_crashes) {
  auto counter = check.object<Counter>().model<CrashingModel>();
  counter.operation("add", [](auto& either) { return either.add(); });
}

MUSTER_CHECK(flag) {
  if (std::getenv("THROW_IN_BODY")) throw std::runtime_error("no file");
  auto object = check.object<Flag>();
  object.operation("set", &Flag::set);
  object.operation("get", &Flag::get);
  if (std::getenv("SUPPRESS_A_BRACKET")) check.suppress_races("[");
}

/// Declared wrongly: a counter that gives handles and has a golden class, or one that gets its model too late.
MUSTER_CHECK(counter) {
  auto object = check.object<Counter>();
  if (std::getenv("GOLDEN_HANDLES")) {
    auto with_golden = std::move(object).golden<Counter>();
    with_golden.operation("add", &Counter::add).gives(with_golden.slot<int>("number"));
  } else {
    auto add = [](auto& counter) { return counter.add(); };
    object.operation("add", add);
    if (std::getenv("LATE_MODEL")) std::move(object).model<Counter::Model>();
  }
}

// Two may both find it there. The work makes other tests long, and shows nothing.
struct TakenTwice {
  bool take() {
    const bool mine = there;
    there = false;
    return mine;
  }
  void work() {
    for (std::atomic<int>& step : steps) step = 1;
  }
  std::atomic<bool> there{true};
  std::atomic<int> steps[4] = {};
};

MUSTER_CHECK(late_fault) {
  auto object = check.object<TakenTwice>();
  object.operation("take", &TakenTwice::take);
  object.operation("work", &TakenTwice::work);
  check.test("work, work | work, work | work, work").test("take | take");
}

MUSTER_SCENARIO(map_without_lock) {
  std::map<int, int> map;
  std::thread a{[&] { map[1] = 1; }}, b{[&] { map[2] = 2; }};
  a.join();
  b.join();
}

struct Channel {
  void send(int next) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return state == State::empty; });
    value = next;
    state = State::full;
    changed.notify_all();
    changed.wait(lock, [this] { return state == State::taken; });
    state = State::empty;
    changed.notify_all();
  }
  int receive() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return state == State::full; });
    state = State::taken;
    changed.notify_all();
    return value;
  }
  enum class State { empty, full, taken };
  std::mutex mutex;
  std::condition_variable changed;
  State state = State::empty;
  int value = 0;
};

// Throws when it is looked at, or when it has synchronised once already.
struct Transfers {
  std::tuple<muster::Unit, int> transfer(int value, muster::Unit) {
    if (std::getenv("THROW_IN_SPEC")) throw 3;
    if (std::getenv("THROW_LATER") && ++times == 2) throw std::runtime_error("twice");
    return {muster::Unit{}, value};
  }
  bool operator==(const Transfers&) const = default;
  int times = 0;
};

MUSTER_CHECK(channel) {
  auto object = check.object<Channel>();
  object.operation("send", &Channel::send).with(1);
  object.operation("receive", &Channel::receive);
  muster::synchronises<Transfers>(check).mode({"send", "receive"}, &Transfers::transfer);
}

}  // namespace
