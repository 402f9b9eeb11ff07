// A lock is judged by what it protects: two steps that only make sense together. The broken one takes its ticket in two
// steps of its own.
#include <muster/check.hpp>

#include <atomic>

class TicketLock {
 public:
  explicit TicketLock(bool careful) : careful_(careful) {}

  void lock() {
    const int mine = careful_ ? next_.fetch_add(1) : take_a_ticket_in_two_steps();
    for (int now = serving_.load(); now != mine; now = serving_.load()) serving_.wait(now);
  }

  void unlock() {
    serving_.fetch_add(1);
    serving_.notify_all();
  }

 private:
  int take_a_ticket_in_two_steps() {
    const int mine = next_.load();
    next_.store(mine + 1);
    return mine;
  }

  bool careful_;
  std::atomic<int> next_{0};
  std::atomic<int> serving_{0};
};

struct Till {
  explicit Till(bool careful) : lock(careful) {}

  int sell() {
    lock.lock();
    const int number = sold;
    sold = number + 1;
    lock.unlock();
    return number;
  }

  TicketLock lock;
  int sold = 0;
};

MUSTER_CHECK(ticket_lock) {
  auto till = check.object<Till>(false);
  till.operation("sell", &Till::sell);
  check.test("sell | sell");
}

MUSTER_CHECK(ticket_lock_fixed) {
  auto till = check.object<Till>(true);
  till.operation("sell", &Till::sell);
  check.test("sell | sell");
}
