// std::shared_ptr and std::weak_ptr given back by two threads: the last one frees the counts. g++ reads both counts at
// once.
#include <memory>
#include <muster/scenario.hpp>
#include <thread>
#include <utility>

MUSTER_SCENARIO(std_weak_ptr) {
  auto shared = std::make_shared<int>(1);
  std::weak_ptr<int> weak = shared;
  std::thread a{[shared = std::move(shared)]() mutable { shared.reset(); }};
  std::thread b{[weak = std::move(weak)]() mutable { weak.reset(); }};
  a.join();
  b.join();
}
