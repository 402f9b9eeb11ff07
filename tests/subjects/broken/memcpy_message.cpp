// A message is copied into a shared buffer with memcpy; the reader does not take the lock.
#include <cstring>
#include <muster/scenario.hpp>
#include <mutex>
#include <thread>

namespace {

struct Message {
  char text[64] = {};
};

}  // namespace

MUSTER_SCENARIO(memcpy_message) {
  Message shared;
  std::mutex mutex;
  std::thread writer([&] {
    Message mine;
    mine.text[0] = 'x';
    const std::lock_guard lock(mutex);
    std::memcpy(&shared, &mine, sizeof shared);
  });
  std::thread reader([&] {
    Message seen;
    std::memcpy(&seen, &shared, sizeof seen);
    MUSTER_REQUIRE(seen.text[0] == 'x' || seen.text[0] == 0);
  });
  writer.join();
  reader.join();
}
