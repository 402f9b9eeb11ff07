// One small class for each modelling decision that could raise a false alarm, and a few that must fail.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <muster/check.hpp>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace {

using namespace std::chrono_literals;

/// Polls a few times before it gives up: correct, however long that takes.
class Poller {
 public:
  void set() { flag_.store(true); }
  bool poll() {
    for (int i = 0; i < 6; ++i) {
      if (flag_.load()) return true;
    }
    return false;
  }
  void spin() {
    while (!flag_.load()) std::this_thread::yield();
  }

 private:
  std::atomic<bool> flag_{false};
};

/// Waits with a deadline, which may pass wherever the wait would block.
class TimedGate {
 public:
  void open() {
    const std::lock_guard lock{mutex_};
    open_ = true;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, 1ms, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// `set` forgets to notify: a waiter that came before it sleeps for ever.
class ForgottenNotify {
 public:
  void wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return set_; });
  }
  void set() {
    const std::lock_guard lock{mutex_};
    set_ = true;
  }
  void force() {
    const std::lock_guard lock{mutex_};
    set_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

/// Exceptions are answers.
class Bounded {
 public:
  void put() {
    const std::lock_guard lock{mutex_};
    if (count_ == 1) throw std::length_error("full");
    ++count_;
  }

 private:
  std::mutex mutex_;
  int count_ = 0;
};

/// A static counts calls of one execution, not of all.
class WithStatic {
 public:
  int next() {
    static std::atomic<int> count{0};
    return ++count;
  }
};

class Retry {
 public:
  void increment() {
    int seen = value_.load();
    while (!value_.compare_exchange_weak(seen, seen + 1)) {
    }
  }
  int get() const { return value_.load(); }

 private:
  std::atomic<int> value_{0};
};

/// Tries once, with an exchange that may fail for no reason.
class TriesOnce {
 public:
  bool try_increment() {
    int seen = value_.load();
    return value_.compare_exchange_weak(seen, seen + 1);
  }

 private:
  std::atomic<int> value_{0};
};

enum class Colour { red, green };

MUSTER_CHECK(poller) {
  auto poller = check.object<Poller>();
  poller.operation("set", &Poller::set);
  poller.operation("poll", &Poller::poll);
}

MUSTER_CHECK(spinner) {
  auto poller = check.object<Poller>();
  poller.operation("set", &Poller::set);
  poller.operation("spin", &Poller::spin);
}

MUSTER_CHECK(timed_gate) {
  auto gate = check.object<TimedGate>();
  gate.operation("open", &TimedGate::open);
  gate.operation("wait", &TimedGate::wait);
}

MUSTER_CHECK(forgotten_notify) {
  auto gate = check.object<ForgottenNotify>();
  gate.operation("wait", &ForgottenNotify::wait);
  gate.operation("set", &ForgottenNotify::set);
  gate.operation("force", &ForgottenNotify::force);
}

MUSTER_CHECK(bounded) {
  auto bounded = check.object<Bounded>();
  bounded.operation("put", &Bounded::put);
}

MUSTER_CHECK(with_static) {
  auto object = check.object<WithStatic>();
  object.operation("next", &WithStatic::next);
}

MUSTER_CHECK(retry) {
  auto object = check.object<Retry>();
  object.operation("increment", &Retry::increment);
  object.operation("get", &Retry::get);
  object.at_rest("never negative", [](const Retry& r) { return r.get() >= 0; });
}

MUSTER_CHECK(tries_once) {
  auto object = check.object<TriesOnce>();
  object.operation("try_increment", &TriesOnce::try_increment);
}

MUSTER_CHECK(broken_at_rest) {
  auto object = check.object<Retry>();
  object.operation("increment", &Retry::increment);
  object.at_rest("fewer than two", [](const Retry& r) { return r.get() < 2; });
}

MUSTER_CHECK(answers) {
  auto object = check.object<Retry>();
  object.operation("tuple", [](Retry&) { return std::tuple(1, std::string("a\"b"), 2.5, true); });
  object.operation("variant", [](Retry&) { return std::variant<int, std::string>("x"); });
  object.operation("vector", [](Retry&) { return std::vector<std::pair<int, Colour>>{{1, Colour::green}}; });
  object.operation("seen", [](Retry& r) { return &r; }).seen_as([](Retry* const& r) { return r->get(); });
}

MUSTER_CHECK(single_producer) {
  auto producer = check.role("producer", 1);
  auto object = check.object<Retry>();
  object.operation("produce", &Retry::increment).by(producer).weight(2);
  object.operation("get", &Retry::get);
}

}  // namespace
