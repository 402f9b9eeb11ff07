// Programs whose threads make other numbers of events in another order: each has a violation that its run did not show,
// and that a re-execution comes to although the events before it are not those of the run. With `never` the write in
// between is made only once the transaction is over: what locks allow cannot happen then.
//
//   shifts NAME [never]

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

bool never = false;

/// A variable that is locked for each access.
class Value {
 public:
  explicit Value(int value = 0) : value_(value) {}
  int get() {
    const std::lock_guard lock(mutex_);
    return value_;
  }
  void set(int value) {
    const std::lock_guard lock(mutex_);
    value_ = value;
  }

 private:
  std::mutex mutex_;
  int value_;
};

Value over, notes;

std::mutex balance_mutex;
int balance = 0;

int look() {
  const std::lock_guard lock(balance_mutex);
  return balance;
}

void keep(int value) {
  const std::lock_guard lock(balance_mutex);
  balance = value;
}

/// The transaction that nearly all of the programs are about: what comes between its accesses is lost.
void add_around(const std::function<void()>& work) {
  {
    const muster::Transaction atomic;
    const int seen = look();
    work();
    keep(seen + 1);
  }
  over.set(1);
}

/// The write that may come between.
void reset() {
  if (never && over.get() == 0) return;
  const std::lock_guard lock(balance_mutex);
  balance = 0;
}

void note(int times) {
  for (int i = 0; i < times; ++i) notes.set(i);
}

void run(const std::function<void()>& first, const std::function<void()>& second) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}

// ---- the programs ----

/// Whoever finds that the balance has changed tries again.
void retry() {
  std::mutex mutex;
  int version = 0;
  const auto read = [&] {
    const std::lock_guard lock(mutex);
    return version;
  };
  const auto commit = [&](int seen) {
    const std::lock_guard lock(mutex);
    if (version != seen) return false;
    ++version;
    return true;
  };
  const auto update = [&](bool first) {
    {
      const muster::Transaction atomic;
      if (!first && never && over.get() == 0) return;
      while (!commit(read())) {
      }
    }
    over.set(1);
  };
  run([&] { update(true); }, [&] { update(false); });
}

/// Whoever comes first takes all there is.
void counter() {
  Value tickets(5);
  const auto drain = [&] {
    while (const int left = tickets.get()) tickets.set(left - 1);
  };
  run([&] { add_around(drain); },
      [&] {
        drain();
        reset();
      });
}

void queue() {
  std::mutex mutex;
  std::deque<int> jobs{3, 1, 2};
  const auto drain = [&] {
    for (;;) {
      std::unique_lock lock(mutex);
      if (jobs.empty()) return;
      const int job = jobs.front();
      jobs.pop_front();
      lock.unlock();
      note(job);
    }
  };
  run([&] { add_around(drain); },
      [&] {
        drain();
        reset();
      });
}

/// Whoever comes first makes the table.
void lazy() {
  std::mutex mutex;
  std::unique_ptr<std::map<int, int>> table;
  const auto get = [&](int key) {
    const std::lock_guard lock(mutex);
    if (!table) {
      table = std::make_unique<std::map<int, int>>();
      for (int i = 0; i < 4; ++i) (*table)[i] = i * i;
    }
    return table->at(key);
  };
  run([&] { add_around([&] { get(2); }); },
      [&] {
        get(3);
        reset();
      });
}

/// In the run nobody has to wait.
void condition() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  run(
      [&] {
        {
          const std::lock_guard lock(mutex);
          ready = true;
          changed.notify_all();
        }
        while (never && over.get() == 0) std::this_thread::yield();
        reset();
      },
      [&] {
        add_around([&] {
          std::unique_lock lock(mutex);
          while (!ready) changed.wait(lock);
        });
      });
}

/// The second to come has less to do.
void branch() {
  Value comers;
  const auto enter = [&] {
    const int before = comers.get();
    comers.set(before + 1);
    if (before == 0) {
      note(3);
    } else {
      notes.get();
    }
  };
  run([&] { add_around(enter); },
      [&] {
        enter();
        reset();
      });
}

/// Whoever needs the helper first starts it.
void helper() {
  std::once_flag once;
  std::thread worker;
  const auto start = [&] { std::call_once(once, [&] { worker = std::thread([] { note(2); }); }); };
  run([&] { add_around(start); },
      [&] {
        start();
        reset();
      });
  worker.join();
}

/// What is logged is what others have not logged yet.
void log() {
  Value entries(2), written;
  const auto flush = [&] {
    const int all = entries.get();
    for (int i = written.get(); i < all; ++i) {
      note(1);
      written.set(i + 1);
    }
  };
  run([&] { add_around(flush); },
      [&] {
        entries.set(entries.get() + 1);
        flush();
        reset();
      });
}

/// Accounts are handed out in the order of asking: in another order it is another thread that has one of them.
void objects() {
  std::vector<std::unique_ptr<Value>> accounts;
  for (int i = 0; i < 3; ++i) accounts.push_back(std::make_unique<Value>(i));
  Value next;
  const auto take = [&]() -> Value& {
    const int mine = next.get();
    next.set(mine + 1);
    return *accounts[static_cast<std::size_t>(mine) % accounts.size()];
  };
  const auto move = [&](bool first) {
    Value& own = take();
    for (const auto& account : accounts) {
      const muster::Transaction atomic;
      if (!first && never && over.get() == 0) return;
      if (account.get() != &own) account->set(account->get() + 1);
    }
    over.set(1);
  };
  run([&] { move(true); }, [&] { move(false); });
}

/// One thread waits in a loop for the other.
void spin() {
  std::atomic<bool> started{false};
  run([&] { add_around([&] { started = true; }); },
      [&] {
        while (!started) std::this_thread::yield();
        reset();
      });
}

/// Which of two threads comes into being first depends on how far a third one is.
void order() {
  Value progress;
  std::vector<std::thread> threads;
  const auto start = [&](const std::function<void()>& body) { threads.emplace_back(body); };
  const std::function<void()> host = [] { add_around([] {}); }, guest = [] { reset(); };
  start([&] { progress.set(1); });
  const bool late = progress.get() == 1;
  start(late ? guest : host);
  start(late ? host : guest);
  for (std::thread& thread : threads) thread.join();
}

const std::map<std::string, void (*)()> programs{
    {"retry", retry},         {"counter", counter}, {"queue", queue},   {"lazy", lazy},
    {"condition", condition}, {"branch", branch},   {"helper", helper}, {"log", log},
    {"objects", objects},     {"spin", spin},       {"order", order}};

}  // namespace

int main(int argc, char** argv) {
  never = argc > 2 && std::strcmp(argv[2], "never") == 0;
  const auto program = argc > 1 ? programs.find(argv[1]) : programs.end();
  if (program == programs.end()) return 2;
  program->second();
}
