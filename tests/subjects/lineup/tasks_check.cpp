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

/// With `declared`, what the class does by intention is no failure: Count and TryTake may miss items under
/// interference, and CompleteAdding may take effect late.
template <class Collection>
void check_collection(muster::Check& check, bool declared = false) {
  auto collection = check.object<Collection>();
  auto count = collection.operation("Count", &Collection::count);
  collection.operation("ToArray", &Collection::to_array);
  collection.operation("TryAdd", &Collection::try_add).with(10);
  collection.operation("TryAddFor", [](Collection& c) { return c.try_add_for(10, 1ms); });
  collection.operation("IsCompleted", &Collection::is_completed);
  collection.operation("IsAddingCompleted", &Collection::is_adding_completed);
  auto complete = collection.operation("CompleteAdding", &Collection::complete_adding);
  collection.operation("Add", &Collection::add).with(20);
  collection.operation("Take", &Collection::take);
  collection.operation("TakeWithEnum", &Collection::take_with_enum);
  auto try_take = collection.operation("TryTake", &Collection::try_take);
  auto try_take_for = collection.operation("TryTakeFor", [](Collection& c) { return c.try_take_for(1ms); });
  if (!declared) return;
  count.nondeterministic_on_interference(0);
  complete.asynchronous();
  try_take.nondeterministic_on_interference(std::optional<int>());
  try_take_for.nondeterministic_on_interference(std::optional<int>());
}

MUSTER_CHECK(blocking_collection_pre) { check_collection<BlockingCollectionPre>(check); }
MUSTER_CHECK(blocking_collection) { check_collection<BlockingCollection>(check); }
MUSTER_CHECK(blocking_collection_declared) { check_collection<BlockingCollection>(check, true); }
MUSTER_CHECK(blocking_collection_strict) { check_collection<StrictBlockingCollection>(check); }

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
