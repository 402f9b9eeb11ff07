// The writer deletes the old object as soon as it has swapped the pointer.
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

  int version() { return current_.load()->version; }

  void replace(int version) {
    const Settings* const old = current_.exchange(new Settings{version});
    delete old;
  }

 private:
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
