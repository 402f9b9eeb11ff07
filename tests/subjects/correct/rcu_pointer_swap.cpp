// Readers count themselves in and out; the writer swaps the pointer and deletes the old object when no reader is
// left.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Settings {
  int version;
};

class Published {
 public:
  ~Published() { delete current_.load(); }

  int version() {
    readers_.fetch_add(1);
    const int version = current_.load()->version;
    readers_.fetch_sub(1);
    return version;
  }

  void replace(int version) {
    const Settings* const old = current_.exchange(new Settings{version});
    // A reader that counts itself in from here on finds the new object.
    while (readers_.load() != 0) std::this_thread::yield();
    delete old;
  }

 private:
  std::atomic<int> readers_{0};
  std::atomic<const Settings*> current_{new Settings{1}};
};

}  // namespace

MUSTER_SCENARIO(rcu_pointer_swap) {
  Published settings;
  std::thread writer{[&] { settings.replace(2); }};
  const int version = settings.version();
  MUSTER_REQUIRE(version == 1 || version == 2);
  writer.join();
}
