// Faults that many executions do not show, so that several workers are at the test when one of them is met.
#include <atomic>
#include <muster/check.hpp>
#include <thread>

namespace {

enum class Fault { none, answer, crash, death };

/// No process goes on after this: there is no stack to do so on.
void lose_stack() { asm volatile("xor %rsp, %rsp\n\tpush %rax"); }

/// Counts; with a fault, a wrong answer is given, or a crash ends the execution or the process, if four threads meet at
/// the first value: a depth-first search leaves their first steps to the end.
template <Fault fault>
class LateCounter {
 public:
  int add() {
    int seen = value_.load();
    if (fault != Fault::none && seen == 0 && meeting_.fetch_add(1) == 3) {
      if (fault == Fault::crash) *nowhere_ = 0;
      if (fault == Fault::death) lose_stack();
      return -1;
    }
    while (!value_.compare_exchange_strong(seen, seen + 1)) {
    }
    return seen;
  }

 private:
  std::atomic<int> value_{0};
  std::atomic<int> meeting_{0};
  int* nowhere_ = nullptr;
};

template <Fault fault>
void describe(muster::Check& check) {
  auto counter = check.object<LateCounter<fault>>();
  counter.operation("add", &LateCounter<fault>::add);
}

/// Has a thread of its own, started before any call; additions get lost between those of callers.
class LateOwner {
 public:
  LateOwner() : helper_([this] { value_.load(); }) {}
  ~LateOwner() { helper_.join(); }
  LateOwner(const LateOwner&) = delete;
  LateOwner& operator=(const LateOwner&) = delete;
  int add() {
    const int seen = value_.load();
    value_.store(seen + 1);
    return seen;
  }

 private:
  std::atomic<int> value_{0};
  std::thread helper_;
};

MUSTER_CHECK(late_owner) {
  auto owner = check.object<LateOwner>();
  owner.operation("add", &LateOwner::add);
}
MUSTER_CHECK(late_counter) { describe<Fault::none>(check); }
MUSTER_CHECK(late_answer) { describe<Fault::answer>(check); }
MUSTER_CHECK(late_crash) { describe<Fault::crash>(check); }
MUSTER_CHECK(late_death) { describe<Fault::death>(check); }

}  // namespace
