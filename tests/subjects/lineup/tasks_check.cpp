// Checks of the classes that end something: BlockingCollection, TaskCompletionSource, CancellationTokenSource.
#include <chrono>
#include <muster/check.hpp>

#include "blocking_collection.hpp"
#include "blocking_collection_strict.hpp"
#include "cancellation_token_source.hpp"
#include "task_completion_source.hpp"

namespace {

using namespace subjects::lineup;
using namespace std::chrono_literals;

/// What BlockingCollection does by intention, letter by letter: declared, it is no failure.
struct Declared {
  bool count = false;     // H: Count misses items that are being added or taken
  bool takes = false;     // I: who takes may find all items spoken for, and the collection completed
  bool complete = false;  // K: CompleteAdding may take effect after it returned
};

template <class Collection>
void check_collection(muster::Check& check, Declared declared = {}) {
  auto collection = check.object<Collection>();
  auto count = collection.operation("Count", &Collection::count);
  collection.operation("ToArray", &Collection::to_array);
  collection.operation("TryAdd", &Collection::try_add).with(10);
  collection.operation("TryAddFor", [](Collection& c) { return c.try_add_for(10, 1ms); });
  auto is_completed = collection.operation("IsCompleted", &Collection::is_completed);
  collection.operation("IsAddingCompleted", &Collection::is_adding_completed);
  auto complete = collection.operation("CompleteAdding", &Collection::complete_adding);
  collection.operation("Add", &Collection::add).with(20);
  auto take = collection.operation("Take", &Collection::take);
  auto take_with_enum = collection.operation("TakeWithEnum", &Collection::take_with_enum);
  auto try_take = collection.operation("TryTake", &Collection::try_take);
  auto try_take_for = collection.operation("TryTakeFor", [](Collection& c) { return c.try_take_for(1ms); });
  if (declared.count) {
    for (int seen = 0; seen < 9; ++seen) count.nondeterministic_on_interference(seen);
  }
  if (declared.takes) {
    is_completed.nondeterministic_on_interference(true);
    take.nondeterministic_on_interference(muster::throws("std::logic_error: completed and empty"));
    take_with_enum.nondeterministic_on_interference(std::optional<int>());
    try_take.nondeterministic_on_interference(std::optional<int>());
    try_take_for.nondeterministic_on_interference(std::optional<int>());
  }
  if (declared.complete) complete.asynchronous();
}

MUSTER_CHECK(blocking_collection_pre) { check_collection<BlockingCollectionPre>(check); }
MUSTER_CHECK(blocking_collection) { check_collection<BlockingCollection>(check); }
MUSTER_CHECK(blocking_collection_strict) { check_collection<StrictBlockingCollection>(check); }
MUSTER_CHECK(blocking_collection_declared) {
  check_collection<BlockingCollection>(check, {.count = true, .takes = true, .complete = true});
}
MUSTER_CHECK(blocking_collection_pre_k_declared) { check_collection<BlockingCollectionPre>(check, {.complete = true}); }
MUSTER_CHECK(blocking_collection_h_declared) { check_collection<BlockingCollection>(check, {.count = true}); }
MUSTER_CHECK(blocking_collection_i_declared) { check_collection<BlockingCollection>(check, {.takes = true}); }
MUSTER_CHECK(blocking_collection_k_declared) { check_collection<BlockingCollection>(check, {.complete = true}); }

template <class Source>
void check_source(muster::Check& check) {
  auto source = check.object<Source>();
  source.operation("Exception", &Source::exception);
  source.operation("TrySetCanceled", &Source::try_set_canceled);
  source.operation("TrySetException", &Source::try_set_exception).with(20);
  source.operation("TrySetResult", &Source::try_set_result).with(10);
  source.operation("SetCanceled", &Source::set_canceled);
  source.operation("SetException", &Source::set_exception).with(20);
  source.operation("SetResult", &Source::set_result).with(10);
  source.operation("Wait", &Source::wait);
  source.operation("TryResult", &Source::try_result);
}

MUSTER_CHECK(task_completion_source_pre) { check_source<TaskCompletionSourcePre>(check); }
MUSTER_CHECK(task_completion_source) { check_source<TaskCompletionSource>(check); }
MUSTER_CHECK(task_completion_source_repaired) { check_source<TaskCompletionSourceRepaired>(check); }

MUSTER_CHECK(cancellation_token_source) {
  auto source = check.object<CancellationTokenSource>();
  source.operation("Increment", &CancellationTokenSource::increment);
  source.operation("Cancel", &CancellationTokenSource::cancel);
}

}  // namespace
