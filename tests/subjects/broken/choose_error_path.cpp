// The path on which the write fails forgets to unlock.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

class Journal {
 public:
  bool append() {
    mutex_.lock();
    if (!write()) return false;
    ++entries_;
    mutex_.unlock();
    return true;
  }

  int entries() {
    const std::lock_guard lock{mutex_};
    return entries_;
  }

 private:
  static bool write() { return muster::choose(2) == 0; }

  std::mutex mutex_;
  int entries_ = 0;
};

}  // namespace

MUSTER_SCENARIO(choose_error_path) {
  Journal journal;
  bool appended = false;
  std::thread a{[&] { appended = journal.append(); }};
  const bool own = journal.append();
  a.join();
  MUSTER_REQUIRE(journal.entries() == appended + own);
}
