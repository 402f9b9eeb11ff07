// Two threads create the same object; who loses the compare-exchange deletes its own.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Lazy {
 public:
  ~Lazy() { delete value_.load(); }

  int get() {
    if (int* const found = value_.load()) return *found;
    int* const made = new int{5};
    int* found = nullptr;
    if (value_.compare_exchange_strong(found, made)) return *made;
    delete made;
    return *found;
  }

 private:
  std::atomic<int*> value_{nullptr};
};

}  // namespace

MUSTER_SCENARIO(leak) {
  Lazy lazy;
  std::thread a{[&] { MUSTER_REQUIRE(lazy.get() == 5); }};
  MUSTER_REQUIRE(lazy.get() == 5);
  a.join();
}
