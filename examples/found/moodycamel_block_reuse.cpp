// Library: moodycamel::ConcurrentQueue 1.0.3 (libconcurrentqueue-dev)
// Place: concurrentqueue.h:2529, ImplicitProducer::enqueue, beside concurrentqueue.h:2581, ImplicitProducer::dequeue
// Known: not to us
//
// A block that consumers have emptied is filled again, although nothing orders the last read of its elements before
// that by the declared memory orders: a data race. Blocks of two elements make it short to show.
#include <concurrentqueue/concurrentqueue.h>

#include <muster/scenario.hpp>
#include <thread>

namespace {

struct SmallBlocks : moodycamel::ConcurrentQueueDefaultTraits {
  static constexpr size_t BLOCK_SIZE = 2;
};

}  // namespace

MUSTER_SCENARIO(moodycamel_block_reuse) {
  moodycamel::ConcurrentQueue<int, SmallBlocks> queue(2);
  std::thread producer{[&] {
    for (int i = 1; i <= 5; ++i) queue.enqueue(i);
  }};
  int first = 0, second = 0;
  std::thread consumer{[&] { queue.try_dequeue(second); }};
  queue.try_dequeue(first);
  producer.join();
  consumer.join();
}
