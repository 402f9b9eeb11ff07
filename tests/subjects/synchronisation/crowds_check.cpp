// Synchronisations of more than two: meetings of three, barriers, a queue that notices its end. Barriers, latches and
// the queue are for exactly the threads that use them.
#include <pthread.h>

#include <atomic>
#include <barrier>
#include <latch>
#include <muster/synchronisation.hpp>

#include "abc.hpp"
#include "barrier.hpp"
#include "enrollable_barrier.hpp"
#include "terminating_queue.hpp"

namespace {

using namespace subjects::synchronisation;
using muster::Unit;

template <AbcFault fault = AbcFault::kNone>
void check_abc(muster::Check& check) {
  using Pair = std::pair<int, int>;
  auto abc = check.object<Abc<fault>>();
  abc.operation("sync_a", &Abc<fault>::sync_a).with(1).with(2);
  abc.operation("sync_b", &Abc<fault>::sync_b).with(11).with(12);
  abc.operation("sync_c", &Abc<fault>::sync_c).with(21).with(22);
  muster::synchronises(check).mode({"sync_a", "sync_b", "sync_c"}, [](Unit&, int a, int b, int c) {
    return std::tuple{Pair{b, c}, Pair{a, c}, Pair{a, b}};
  });
}

MUSTER_CHECK(abc) { check_abc(check); }
MUSTER_CHECK(abc_frees_own_place) { check_abc<AbcFault::kFreesOwnPlace>(check); }
MUSTER_CHECK(abc_wakes_one) { check_abc<AbcFault::kWakesOne>(check); }

struct Rounds {
  int count = 0;
  bool operator==(const Rounds&) const = default;
};

template <AbcFault fault = AbcFault::kNone>
void check_counting_abc(muster::Check& check) {
  const auto all = [](const AbcResult& result) {
    return std::tuple{result.others.first, result.others.second, result.meeting};
  };
  auto abc = check.object<CountingAbc<fault>>();
  abc.operation("sync_a", &CountingAbc<fault>::sync_a).seen_as(all).with(1).with(2);
  abc.operation("sync_b", &CountingAbc<fault>::sync_b).seen_as(all).with(11).with(12);
  abc.operation("sync_c", &CountingAbc<fault>::sync_c).seen_as(all).with(21).with(22);
  muster::synchronises<Rounds>(check).mode({"sync_a", "sync_b", "sync_c"}, [](Rounds& rounds, int a, int b, int c) {
    const int n = ++rounds.count;
    return std::tuple{std::tuple{b, c, n}, std::tuple{a, c, n}, std::tuple{a, b, n}};
  });
}

MUSTER_CHECK(counting_abc) { check_counting_abc(check); }
MUSTER_CHECK(counting_abc_counts_leaving) { check_counting_abc<AbcFault::kCountsLeaving>(check); }
MUSTER_CHECK(counting_abc_frees_own_place) { check_counting_abc<AbcFault::kFreesOwnPlace>(check); }
MUSTER_CHECK(counting_abc_wakes_one) { check_counting_abc<AbcFault::kWakesOne>(check); }

constexpr int kThreads = 3;

template <class Barrier, class... Arguments>
void check_barrier(muster::Check& check, Arguments... arguments) {
  auto barrier = check.object<Barrier>(arguments...);
  barrier.operation("sync", &Barrier::sync);
  muster::synchronises(check).mode(kThreads, "sync", [](Unit&, const std::vector<Unit>&) {});
}

MUSTER_CHECK(barrier) { check_barrier<Barrier<>>(check, kThreads); }
MUSTER_CHECK(barrier_releases_early) { check_barrier<Barrier<BarrierFault::kReleasesEarly>>(check, kThreads); }
MUSTER_CHECK(barrier_no_generation) { check_barrier<Barrier<BarrierFault::kNoGeneration>>(check, kThreads); }

template <BarrierFault fault = BarrierFault::kNone>
void check_counting_barrier(muster::Check& check) {
  auto barrier = check.object<CountingBarrier<fault>>(kThreads);
  barrier.operation("sync", &CountingBarrier<fault>::sync);
  muster::synchronises<Rounds>(check).mode(kThreads, "sync", [](Rounds& rounds, const std::vector<Unit>& all) {
    return std::vector<int>(all.size(), ++rounds.count);
  });
}

MUSTER_CHECK(counting_barrier) { check_counting_barrier(check); }
MUSTER_CHECK(counting_barrier_read_late) { check_counting_barrier<BarrierFault::kReadLate>(check); }
MUSTER_CHECK(counting_barrier_releases_early) { check_counting_barrier<BarrierFault::kReleasesEarly>(check); }
MUSTER_CHECK(counting_barrier_no_generation) { check_counting_barrier<BarrierFault::kNoGeneration>(check); }

class StandardBarrier {
 public:
  void sync() { barrier_.arrive_and_wait(); }

 private:
  std::barrier<> barrier_{kThreads};
};
class PosixBarrier {
 public:
  PosixBarrier() { pthread_barrier_init(&barrier_, nullptr, kThreads); }
  ~PosixBarrier() { pthread_barrier_destroy(&barrier_); }
  void sync() { pthread_barrier_wait(&barrier_); }

 private:
  pthread_barrier_t barrier_;
};
/// A latch is a barrier that can be used once.
class Latch {
 public:
  void sync() { latch_.arrive_and_wait(); }

 private:
  std::latch latch_{kThreads};
};

/// Says of every arrival which one it is, and of everybody who waited that it was let go.
class SignallingBarrier {
 public:
  void sync() {
    std::unique_lock lock{mutex_};
    const unsigned role = ++arrived_;
    muster::signal_point(role);
    if (role == kThreads) {
      arrived_ = 0;
      ++round_;
      released_.notify_all();
      return;
    }
    released_.wait(lock, [this, mine = round_] { return round_ != mine; });
    muster::signal_back(role);
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  unsigned arrived_ = 0;
  int round_ = 0;
};

/// For one exchange, by turning round and round. Waiting for nobody is allowed, unless the spec forbids to diverge.
class SpinningExchanger {
 public:
  int exchange(int value) {
    int nobody = 0;
    if (!first_.compare_exchange_strong(nobody, value)) {
      second_.store(value);
      return nobody;
    }
    while (second_.load() == 0) {
    }
    return second_.load();
  }

 private:
  std::atomic<int> first_{0}, second_{0};
};

MUSTER_CHECK(signalling_barrier) { check_barrier<SignallingBarrier>(check); }
MUSTER_CHECK(standard_barrier) { check_barrier<StandardBarrier>(check); }
MUSTER_CHECK(posix_barrier) { check_barrier<PosixBarrier>(check); }
MUSTER_CHECK(standard_latch) { check_barrier<Latch>(check); }

struct TerminatingQueueSpec {
  std::vector<int> items;
  bool ended = false;
  bool operator==(const TerminatingQueueSpec&) const = default;

  void enqueue(int value) { items.push_back(value); }
  std::optional<std::tuple<std::optional<int>>> dequeue(Unit) {
    using Result = std::tuple<std::optional<int>>;
    if (ended) return Result{};
    if (items.empty()) return std::nullopt;
    const int item = items.front();
    items.erase(items.begin());
    return Result{item};
  }
};

template <TerminatingQueueFault fault = TerminatingQueueFault::kNone>
void check_terminating_queue(muster::Check& check) {
  using Queue = TerminatingQueue<fault>;
  using Results = std::vector<std::optional<int>>;
  auto queue = check.object<Queue>(kThreads);
  queue.operation("enqueue", &Queue::enqueue).with(1).with(2);
  queue.operation("dequeue", &Queue::dequeue);
  muster::synchronises<TerminatingQueueSpec>(check)
      .mode({"enqueue"}, &TerminatingQueueSpec::enqueue)
      .mode({"dequeue"}, &TerminatingQueueSpec::dequeue)
      .mode(kThreads, "dequeue",
            [](TerminatingQueueSpec& spec, const std::vector<Unit>& all) -> std::optional<Results> {
              if (spec.ended || !spec.items.empty()) return std::nullopt;
              spec.ended = true;
              return Results(all.size());
            });
}

MUSTER_CHECK(terminating_queue) { check_terminating_queue(check); }
MUSTER_CHECK(terminating_queue_counts_first) { check_terminating_queue<TerminatingQueueFault::kCountsFirst>(check); }
MUSTER_CHECK(terminating_queue_wakes_one) { check_terminating_queue<TerminatingQueueFault::kWakesOne>(check); }

MUSTER_CHECK(spinning_exchanger) {
  auto exchanger = check.object<SpinningExchanger>();
  exchanger.operation("exchange", &SpinningExchanger::exchange).with(1).with(2);
  muster::synchronises(check).mode({"exchange", "exchange"}, [](Unit&, int a, int b) { return std::pair{b, a}; });
}
MUSTER_CHECK(spinning_exchanger_diverges) {
  auto exchanger = check.object<SpinningExchanger>();
  exchanger.operation("exchange", &SpinningExchanger::exchange).with(1).with(2);
  muster::synchronises(check)
      .mode({"exchange", "exchange"},
            [](Unit&, int a, int b) {
              return std::pair{b, a};
            })
      .divergence_free();
}

struct EnrollableBarrierSpec {
  int members = 2;
  int round = 0;
  bool operator==(const EnrollableBarrierSpec&) const = default;

  int enrol(Unit) { return ++members; }
  int resign(Unit) { return --members; }
  std::optional<std::vector<int>> sync(const std::vector<Unit>& all) {
    if (static_cast<int>(all.size()) != members) return std::nullopt;
    return std::vector<int>(all.size(), ++round);
  }
};

template <EnrollableBarrierFault fault = EnrollableBarrierFault::kNone>
void check_enrollable_barrier(muster::Check& check) {
  using Barrier = EnrollableBarrier<fault>;
  auto barrier = check.object<Barrier>(2);
  barrier.operation("sync", &Barrier::sync);
  barrier.operation("enrol", &Barrier::enrol);
  barrier.operation("resign", &Barrier::resign);
  auto spec = muster::synchronises<EnrollableBarrierSpec>(check);
  spec.mode({"enrol"}, &EnrollableBarrierSpec::enrol).mode({"resign"}, &EnrollableBarrierSpec::resign);
  for (unsigned members = 1; members <= 3; ++members) {
    spec.mode(members, "sync",
              [](EnrollableBarrierSpec& state, const std::vector<Unit>& all) { return state.sync(all); });
  }
  // Two members from the start; a third comes, and goes; one of the first leaves.
  check.test("sync | sync | enrol, sync, resign");
  check.test("sync, sync | sync, resign | enrol, sync");
  check.test("sync, sync | resign | enrol, sync, sync");
}

MUSTER_CHECK(enrollable_barrier) { check_enrollable_barrier(check); }
MUSTER_CHECK(enrollable_barrier_resigns_silently) {
  check_enrollable_barrier<EnrollableBarrierFault::kResignsSilently>(check);
}
MUSTER_CHECK(enrollable_barrier_ignores_newcomer) {
  check_enrollable_barrier<EnrollableBarrierFault::kIgnoresNewcomer>(check);
}

}  // namespace
