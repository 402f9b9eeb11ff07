#include "stress/real_threads.hpp"

#include <pthread.h>

#include <vector>

#include "base/error.hpp"
#include "muster/transaction.hpp"

namespace muster {
namespace {

/// Nobody looks at what operations answer here.
struct Unheard final : detail::ResponseSink {
  void put(const char*, std::size_t) override {}
  void exception(const char*, const char*) override {}
};

struct SequenceCall {
  const CheckDefinition* check;
  std::vector<void*>* objects;
  const Sequence* sequence;
};

void perform(const SequenceCall& call) {
  Unheard answer;
  for (const TestCall& called : *call.sequence) {
    const Transaction atomic;
    detail::CallFrame frame{.objects = call.objects->data(), .thread_states = nullptr};
    call.check->invocations[called.invocation].invoke->run(frame, answer);
  }
}

}  // namespace

void run_on_real_threads(const CheckDefinition& check, const Test& test) {
  if (!check.thread_states.empty() || !check.slots.empty()) {
    fail(
        "check {} has handles or states of threads, which a recording on real threads does not handle: use --strategy "
        "predict",
        check.name);
  }
  if (check.set_up) check.set_up();
  std::vector<void*> objects;
  for (const auto& maker : check.objects) objects.push_back(maker->make());
  perform({&check, &objects, &test.first});
  std::vector<SequenceCall> calls;
  for (const Sequence& column : test.columns) calls.push_back({&check, &objects, &column});
  std::vector<pthread_t> threads(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto run = [](void* call) -> void* { return perform(*static_cast<const SequenceCall*>(call)), nullptr; };
    if (pthread_create(&threads[i], nullptr, run, &calls[i]) != 0) fail("check {}: cannot start a thread", check.name);
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  perform({&check, &objects, &test.last});
  for (std::size_t i = objects.size(); i-- > 0;) check.objects[i]->destroy(objects[i]);
  if (check.tear_down) check.tear_down();
}

}  // namespace muster
