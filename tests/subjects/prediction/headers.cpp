// Everything that the standard's headers lock, wait for and count with. Built without optimisation, so that their
// functions are functions of their own; the events are told at the lines of this file all the same.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include <muster/transaction.hpp>

namespace {

std::mutex first, second;
std::recursive_mutex again;
std::timed_mutex timed;
std::shared_mutex table;
std::shared_timed_mutex timed_table;
std::condition_variable changed;
std::condition_variable_any changed_too;
std::once_flag once;
std::atomic<int> count{0};
bool ready = false;

void take_all() {
  const muster::Transaction atomic;
  { const std::lock_guard lock(first); }
  {
    std::unique_lock lock(first);
    lock.unlock();
    lock.lock();
  }
  { const std::unique_lock lock(first, std::try_to_lock); }
  { const std::scoped_lock lock(first); }
  { const std::scoped_lock lock(first, second, again); }
  std::lock(first, second);
  first.unlock();
  second.unlock();
  { const std::unique_lock lock(timed, std::chrono::seconds(1)); }
  { const std::shared_lock lock(table); }
  { const std::unique_lock lock(table); }
  { const std::shared_lock lock(timed_table, std::chrono::seconds(1)); }
  std::call_once(once, [] { count.store(1); });
  count.fetch_add(1);
}

}  // namespace

int main() {
  take_all();
  std::thread other([] {
    std::unique_lock lock(first);
    changed.wait(lock, [] { return ready; });
    changed_too.notify_all();
  });
  {
    const std::lock_guard lock(first);
    ready = true;
    changed.notify_one();
  }
  other.join();
}
