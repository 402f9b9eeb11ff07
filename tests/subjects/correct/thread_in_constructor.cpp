// A class that starts a thread in its constructor declares the thread last, after all that the thread uses.
#include <muster/scenario.hpp>
#include <thread>

namespace {

class Sampler {
 public:
  explicit Sampler(int limit) : limit_{limit}, worker_{[this] { last_ = limit_; }} {}

  int finish() {
    worker_.join();
    return last_;
  }

 private:
  int limit_;
  int last_ = 0;
  std::thread worker_;
};

}  // namespace

MUSTER_SCENARIO(thread_in_constructor) {
  Sampler sampler{8};
  MUSTER_REQUIRE(sampler.finish() == 8);
}
