// The thread is declared first, so it runs before the members that it reads are initialised.
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Sampler {
 public:
  explicit Sampler(int limit) : worker_{[this] { last_ = limit_; }}, limit_{limit} {}

  int finish() {
    worker_.join();
    return last_;
  }

 private:
  std::thread worker_;
  int limit_;
  int last_ = 0;
};

}  // namespace

MUSTER_SCENARIO(thread_in_constructor) {
  Sampler sampler{8};
  MUSTER_REQUIRE(sampler.finish() == 8);
}
