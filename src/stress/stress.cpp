#include "stress/stress.hpp"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "base/error.hpp"

namespace muster {
namespace {

constexpr std::size_t stack_size = 512 * 1024;
// Between two looks at a run in which nothing seems to happen: soon at first, then ever more rarely.
constexpr auto first_tick = std::chrono::microseconds(60);
constexpr auto longest_tick = std::chrono::microseconds(2000);
constexpr unsigned spins_before_yielding = 200, turns_before_sleeping = 220;

/// The primitives of the C library by their names: thread sanitizers see these, and so how runs hand objects over.
class Mutex {
 public:
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }
  pthread_mutex_t* native() { return &mutex_; }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};
class Guard {
 public:
  explicit Guard(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  ~Guard() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

/// Starts runs: all threads start one together, or there would be little concurrency. Who waits for long sleeps.
class Start {
 public:
  /// False if the run will not be started.
  bool wait_for(std::size_t run, unsigned threads) {
    if (arrived_.fetch_add(1) + 1 == (run + 1) * threads) {
      change(2);
      return true;
    }
    for (unsigned turn = 0;; ++turn) {
      const std::uint32_t now = word_.load();
      if (now / 2 > run) return true;
      if (now & 1) return false;
      if (turn > turns_before_sleeping) {
        syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, now, nullptr, nullptr, 0);
      } else if (turn > spins_before_yielding) {
        sched_yield();
      }
    }
  }
  void abandon() { change(1); }

 private:
  void change(std::uint32_t by) {
    word_.fetch_add(by);
    syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  }

  std::atomic<std::uint64_t> arrived_{0};  // threads that are ready for the next run, in all
  std::atomic<std::uint32_t> word_{0};     // twice the runs started, and 1 once no other is
};

}  // namespace

struct Stress::Batch {
  std::shared_ptr<StressSubject> subject;
  std::size_t runs = 0;
  unsigned threads = 0;
  std::atomic<std::uint64_t> progress{0};    // whatever is begun or finished
  std::vector<std::atomic<std::size_t>> at;  // by thread: runs it has finished
  std::atomic<std::size_t> ended{0};         // by the one that begins and ends runs
  Start start;

  explicit Batch(unsigned threads) : threads(threads), at(threads) {}

  void work(unsigned thread, std::size_t first) {
    for (std::size_t run = first; run < runs; ++run) {
      if (!start.wait_for(run, threads)) return;
      subject->work(run, thread);
      at[thread].store(run + 1);
      progress.fetch_add(1);
    }
  }
  void begin_all() {
    for (std::size_t run = 0; run < runs; ++run) {
      subject->begin(run);
      progress.fetch_add(1);
    }
  }
  void end_all(const std::vector<std::size_t>& completed) {
    for (const std::size_t run : completed) {
      subject->end(run);
      ended.fetch_add(1);
      progress.fetch_add(1);
    }
  }
  std::size_t slowest() const {
    std::size_t least = runs;
    for (const auto& finished : at) least = std::min(least, finished.load());
    return least;
  }
};

/// Where members say that they have done what they were given.
struct Stress::Gate {
  Mutex mutex;
  pthread_cond_t done = PTHREAD_COND_INITIALIZER;
  unsigned working = 0;  // members that have not finished this phase
};

/// One thread, with a place to leave it something to do.
class Stress::Crew : public std::enable_shared_from_this<Crew> {
 public:
  explicit Crew(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}

  void start() {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_size);
    auto* self = new std::shared_ptr<Crew>(shared_from_this());
    if (pthread_create(&handle_, &attributes, &Crew::loop, self) != 0)
      fail("no thread could be started; are too many running?");
    pthread_attr_destroy(&attributes);
  }
  void give(std::function<void()> job) {
    const Guard guard(mutex_);
    job_ = std::move(job);
    has_job_ = true;
    idle_.store(false);  // though it may not have woken up yet
    pthread_cond_signal(&changed_);
  }
  void dismiss() {
    give({});
    pthread_join(handle_, nullptr);
  }
  /// It will never be waited for again, should it ever come back.
  void leave_behind() {
    const Guard guard(gate_->mutex);
    left_behind_ = true;
    pthread_detach(handle_);
  }

  pid_t id() const { return id_.load(); }
  bool is_idle() const { return idle_.load(); }

 private:
  static void* loop(void* pointer) {
    const std::shared_ptr<Crew> self = std::move(*static_cast<std::shared_ptr<Crew>*>(pointer));
    delete static_cast<std::shared_ptr<Crew>*>(pointer);
    self->id_.store(static_cast<pid_t>(syscall(SYS_gettid)));
    for (;;) {
      std::function<void()> job;
      {
        const Guard guard(self->mutex_);
        while (!self->has_job_) pthread_cond_wait(&self->changed_, self->mutex_.native());
        job = std::move(self->job_);
        self->has_job_ = false;
      }
      if (!job) return nullptr;
      job();
      job = {};  // what it holds must not be destroyed here once others go on
      const Guard guard(self->gate_->mutex);
      self->idle_.store(true);
      if (!self->left_behind_ && --self->gate_->working == 0) pthread_cond_signal(&self->gate_->done);
    }
  }

  const std::shared_ptr<Gate> gate_;
  bool left_behind_ = false;
  pthread_t handle_{};
  Mutex mutex_;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  std::function<void()> job_;
  bool has_job_ = false;
  std::atomic<bool> idle_{true};
  std::atomic<pid_t> id_{0};
};

Stress::Stress(unsigned threads, StressOptions options)
    : threads_(threads), options_(options), gate_(std::make_shared<Gate>()), crew_(threads + 1) {
  // With the first thread that is started a thread sanitizer starts one of its own, which never ends.
  pid_t first_id = 0;
  const auto first_thread = [](void* id) -> void* {
    *static_cast<pid_t*>(id) = static_cast<pid_t>(syscall(SYS_gettid));
    return nullptr;
  };
  pthread_t first;
  if (pthread_create(&first, nullptr, first_thread, &first_id) == 0) pthread_join(first, nullptr);
  for (const pid_t thread : Sleepers::list_threads()) bystanders_.insert(thread);
  bystanders_.erase(first_id);  // it may be listed a little longer, and its number be given again
  for (unsigned member = 0; member <= threads; ++member) replace(member);
}

Stress::~Stress() {
  for (const auto& member : crew_) member->dismiss();
}

void Stress::replace(unsigned member) {
  crew_[member] = std::make_shared<Crew>(gate_);
  crew_[member]->start();
}

std::vector<RunEnd> Stress::run(const std::shared_ptr<StressSubject>& subject, std::size_t runs,
                                AfterStuck after_stuck) {
  const auto batch = std::make_shared<Batch>(threads_);
  batch->subject = subject;
  batch->runs = runs;
  const RunEnd begun = do_alone(*batch, [batch](unsigned) { batch->begin_all(); });
  if (begun != RunEnd::completed) return {begun};
  std::vector<RunEnd> ends = work(batch, after_stuck);
  std::vector<std::size_t> completed;
  for (std::size_t run = 0; run < ends.size(); ++run) {
    if (ends[run] == RunEnd::completed) completed.push_back(run);
  }
  const RunEnd ended = do_alone(*batch, [batch, completed](unsigned) { batch->end_all(completed); });
  // Where none is left to end, no run can be blamed for what the thread that ends them waits for.
  if (const std::size_t done = batch->ended.load(); ended != RunEnd::completed && done < completed.size()) {
    ends.resize(completed[done] + 1);
    ends.back() = ended;
  }
  return ends;
}

/// All threads work at one run after the other; of one that is stuck, those who came back wait for others to take the
/// places of those who did not.
std::vector<RunEnd> Stress::work(const std::shared_ptr<Batch>& batch, AfterStuck after_stuck) {
  const auto from = [&](std::size_t run) { return [batch, run](unsigned member) { batch->work(member, run); }; };
  std::vector<RunEnd> ends;
  give_all(0, threads_, from(0));
  for (;;) {
    const RunEnd end = wait_for(*batch);
    const std::size_t run = batch->slowest();
    ends.resize(run, RunEnd::completed);
    if (end == RunEnd::completed) return ends;
    ends.push_back(end);
    const bool go_on = after_stuck == AfterStuck::go_on && end == RunEnd::stuck && run + 1 < batch->runs &&
                       left_behind_.size() + threads_ <= options_.most_left_behind;
    if (!go_on) batch->start.abandon();
    for (unsigned member = 0; member < threads_; ++member) {
      if (batch->at[member].load() > run) {
        while (!go_on && !crew_[member]->is_idle()) sched_yield();
        continue;
      }
      leave_behind(member);
      batch->at[member].store(run + 1);
      if (go_on) crew_[member]->give([job = from(run + 1), member] { job(member); });
    }
    if (!go_on) return ends;
  }
}

void Stress::give_all(unsigned first, unsigned last, const Job& job) {
  {
    const Guard guard(gate_->mutex);
    gate_->working = last - first;
  }
  for (unsigned member = first; member < last; ++member) crew_[member]->give([job, member] { job(member); });
}

/// By the one that begins and ends runs.
RunEnd Stress::do_alone(Batch& batch, const Job& job) {
  give_all(threads_, threads_ + 1, job);
  const RunEnd end = wait_for(batch);
  if (end != RunEnd::completed) leave_behind(threads_);
  return end;
}

RunEnd Stress::wait_for(const Batch& batch) {
  using Clock = std::chrono::steady_clock;
  auto last_change = Clock::now();
  std::uint64_t seen = batch.progress.load();
  auto tick = first_tick;
  for (;;) {
    {
      const Guard guard(gate_->mutex);
      if (gate_->working > 0) {
        timespec until{};
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += std::chrono::nanoseconds(tick).count();
        if (until.tv_nsec >= 1'000'000'000) {
          until.tv_nsec -= 1'000'000'000;
          ++until.tv_sec;
        }
        pthread_cond_timedwait(&gate_->done, gate_->mutex.native(), &until);
      }
      if (gate_->working == 0) return RunEnd::completed;
    }
    const std::uint64_t now = batch.progress.load();
    if (now != seen) {
      seen = now;
      last_change = Clock::now();
      tick = first_tick;
      continue;
    }
    tick = std::min(2 * tick, longest_tick);
    const bool asleep = everybody_sleeps();
    if (!asleep && Clock::now() - last_change < options_.patience) continue;
    if (batch.progress.load() != seen) continue;
    const Guard guard(gate_->mutex);  // all sleep also where the last one came back in the meantime
    if (gate_->working == 0) return RunEnd::completed;
    return asleep ? RunEnd::stuck : RunEnd::suspected;
  }
}

/// It never comes back; another one takes its place.
void Stress::leave_behind(unsigned member) {
  left_behind_.insert(crew_[member]->id());
  sleepers_.forget(crew_[member]->id());
  crew_[member]->leave_behind();
  replace(member);
}

/// Those who are idle, or wait for the next run, do not hold anything that others wait for once they sleep, too. Those
/// of a sanitizer do not while they sleep.
bool Stress::everybody_sleeps() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  return sleepers_.all_asleep([&](pid_t thread) {
    if (thread == self || left_behind_.contains(thread)) return Concern::none;
    return bystanders_.contains(thread) ? Concern::sleeps : Concern::sleeps_for_ever;
  });
}

std::uint32_t Stamps::before() {
  const std::uint32_t stamp = __atomic_fetch_add(&next_, 1, __ATOMIC_SEQ_CST);
  // On some processors what follows could overtake the addition's own store.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return stamp;
}

std::uint32_t Stamps::after() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return __atomic_fetch_add(&next_, 1, __ATOMIC_SEQ_CST);
}

}  // namespace muster
