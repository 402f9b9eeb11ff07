// The pointer is loaded once for the check and once for the use: the second load gives null.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Plugin {
  int version = 3;
};

int version_of(const std::atomic<Plugin*>& loaded) { return loaded.load() != nullptr ? loaded.load()->version : 0; }

}  // namespace

MUSTER_SCENARIO(segfault) {
  Plugin plugin;
  std::atomic<Plugin*> loaded{&plugin};
  std::thread unload{[&] { loaded.store(nullptr); }};
  const int version = version_of(loaded);
  MUSTER_REQUIRE(version == 3 || version == 0);
  unload.join();
}
