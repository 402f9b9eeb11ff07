// The count of a `shared_ptr` is atomic, the pointer is not: replacing it while another thread copies it is a race.
#include <memory>
#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(shared_ptr_race) {
  auto current = std::make_shared<const int>(1);
  std::thread writer{[&] {
    auto next = std::make_shared<const int>(2);
    current.swap(next);
  }};
  const std::shared_ptr<const int> seen = current;
  MUSTER_REQUIRE(*seen == 1 || *seen == 2);
  writer.join();
}
