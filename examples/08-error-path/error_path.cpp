// A write that can fail: muster::choose tries both outcomes in every schedule. The failing path forgets to unlock.
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

bool write_to_disk() { return muster::choose(2) == 0; }

class Journal {
 public:
  bool append() {
    mutex_.lock();
    if (!write_to_disk()) return false;
    ++entries_;
    mutex_.unlock();
    return true;
  }

  bool append_fixed() {
    const std::lock_guard lock{mutex_};
    if (!write_to_disk()) return false;
    ++entries_;
    return true;
  }

 private:
  std::mutex mutex_;
  int entries_ = 0;
};

}  // namespace

MUSTER_SCENARIO(error_path) {
  Journal journal;
  std::thread a{[&] { journal.append(); }};
  journal.append();
  a.join();
}

MUSTER_SCENARIO(error_path_fixed) {
  Journal journal;
  std::thread a{[&] { journal.append_fixed(); }};
  journal.append_fixed();
  a.join();
}
