// Programs that take locks in different orders and whose runs went well all the same. With `never` the second order is
// taken only once the first is behind: what the locks allow cannot happen then.
//
//   deadlocks NAME [never]

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

bool never = false;

std::mutex over_mutex;
bool over = false;

void end() {
  const std::lock_guard lock(over_mutex);
  over = true;
}

bool may_go_on() {
  const std::lock_guard lock(over_mutex);
  return !never || over;
}

void run(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

std::mutex left, right;
int steps = 0;

void left_then_right() {
  const std::lock_guard outer(left);
  const std::lock_guard inner(right);
  ++steps;
}

void right_then_left() {
  const std::lock_guard outer(right);
  const std::lock_guard inner(left);
  ++steps;
}

// ---- the programs ----

void two() {
  run({[] {
         left_then_right();
         end();
       },
       [] {
         if (may_go_on()) right_then_left();
       }});
}

/// Three at a table.
void three() {
  std::array<std::mutex, 3> forks;
  std::vector<std::function<void()>> philosophers;
  for (std::size_t i = 0; i < 3; ++i) {
    philosophers.emplace_back([&forks, i] {
      if (i > 0 && !may_go_on()) return;
      {
        const std::lock_guard first(forks[i]);
        const std::lock_guard second(forks[(i + 1) % 3]);
      }
      end();
    });
  }
  run(philosophers);
}

/// A reader that wants to write elsewhere, and a writer there that wants to write here.
void readers() {
  std::shared_mutex table;
  std::mutex log;
  run({[&] {
         {
           const std::shared_lock reading(table);
           const std::lock_guard logging(log);
         }
         end();
       },
       [&] {
         if (!may_go_on()) return;
         const std::lock_guard logging(log);
         const std::unique_lock writing(table);
       }});
}

/// Whoever comes first has more to do before.
void shifted() {
  std::mutex mutex;
  int tickets = 4;
  const auto drain = [&] {
    for (;;) {
      const std::lock_guard lock(mutex);
      if (tickets == 0) return;
      --tickets;
    }
  };
  run({[&] {
         drain();
         left_then_right();
         end();
       },
       [&] {
         drain();
         if (may_go_on()) right_then_left();
         drain();
       },
       [&] { drain(); }});
}

/// The second order is taken in the middle of what comes before the first.
void entangled() {
  std::mutex mutex;
  int tickets = 4;
  const auto drain = [&] {
    for (;;) {
      const std::lock_guard lock(mutex);
      if (tickets == 0) return;
      --tickets;
    }
  };
  run({[&] {
         const std::lock_guard outer(left);
         drain();
         const std::lock_guard inner(right);
         end();
       },
       [&] {
         if (!may_go_on()) return;
         const std::lock_guard outer(right);
         drain();
         const std::lock_guard inner(left);
       }});
}

/// Objects that lock each other.
class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  void move_to(Account& other, int amount) {
    const std::lock_guard mine(mutex_);
    const std::lock_guard theirs(other.mutex_);
    balance_ -= amount;
    other.balance_ += amount;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

void objects() {
  std::vector<std::unique_ptr<Account>> accounts;
  for (int i = 0; i < 3; ++i) accounts.push_back(std::make_unique<Account>(100));
  run({[&] {
         accounts[0]->move_to(*accounts[2], 1);
         accounts[0]->move_to(*accounts[1], 5);
         end();
       },
       [&] {
         accounts[2]->move_to(*accounts[1], 1);
         if (may_go_on()) accounts[1]->move_to(*accounts[0], 7);
       }});
}

/// Somebody else goes on for as long as the two work.
void background() {
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done) std::this_thread::yield();
  });
  two();
  done = true;
  other.join();
}

/// The one who waits on the condition takes its mutex again while it holds the other.
void condition() {
  std::condition_variable changed;
  std::atomic<bool> woken{false};
  bool ready = false;
  run({[&] {
         {
           const std::lock_guard outer(left);
           std::unique_lock inner(right);
           while (!ready) changed.wait(inner);
           woken = true;
         }
         end();
       },
       [&] {
         {
           const std::lock_guard lock(right);
           ready = true;
         }
         changed.notify_all();
         for (int patience = 3; patience > 0 && !woken; --patience) std::this_thread::yield();
         if (may_go_on()) right_then_left();
       }});
}

/// Under a lock of both nobody meets.
void gate() {
  std::mutex both;
  run({[&] {
         const std::lock_guard lock(both);
         left_then_right();
       },
       [&] {
         const std::lock_guard lock(both);
         right_then_left();
       }});
}

void together() {
  run({[] {
         const std::scoped_lock both(left, right);
         ++steps;
       },
       [] {
         const std::scoped_lock both(right, left);
         ++steps;
       }});
}

const std::map<std::string, void (*)()> programs{{"two", two},
                                                 {"three", three},
                                                 {"readers", readers},
                                                 {"shifted", shifted},
                                                 {"entangled", entangled},
                                                 {"objects", objects},
                                                 {"background", background},
                                                 {"condition", condition},
                                                 {"gate", gate},
                                                 {"together", together}};

}  // namespace

int main(int argc, char** argv) {
  never = argc > 2 && std::strcmp(argv[2], "never") == 0;
  const auto program = argc > 1 ? programs.find(argv[1]) : programs.end();
  if (program == programs.end()) return 2;
  program->second();
}
