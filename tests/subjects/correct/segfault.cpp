// A pointer that another thread may clear is loaded once, checked, then used.
#include <atomic>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Plugin {
  int version = 3;
};

int version_of(const std::atomic<Plugin*>& loaded) {
  const Plugin* const plugin = loaded.load();
  return plugin != nullptr ? plugin->version : 0;
}

}  // namespace

MUSTER_SCENARIO(segfault) {
  Plugin plugin;
  std::atomic<Plugin*> loaded{&plugin};
  std::thread unload{[&] { loaded.store(nullptr); }};
  const int version = version_of(loaded);
  MUSTER_REQUIRE(version == 3 || version == 0);
  unload.join();
}
