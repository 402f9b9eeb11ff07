#include "stress/stress.hpp"

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
constexpr unsigned spins_before_yielding = 200;

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

void pause_a_little(unsigned turn) {
  if (turn > spins_before_yielding) sched_yield();
}

}  // namespace

struct Stress::Batch {
  std::shared_ptr<StressSubject> subject;
  std::size_t runs = 0;
  unsigned threads = 0;
  std::atomic<std::uint64_t> progress{0};       // whatever is begun or finished
  std::atomic<std::uint64_t> arrived{0};        // threads that are ready for the next run, in all
  std::vector<std::atomic<std::size_t>> at;     // by thread: runs it has finished
  std::atomic<std::size_t> begun{0}, ended{0};  // by the one that begins and ends runs
  std::atomic<bool> abandoned{false};

  explicit Batch(unsigned threads) : threads(threads), at(threads) {}

  void work(unsigned thread) {
    for (std::size_t run = 0; run < runs; ++run) {
      // All threads start a run together, or there would be little concurrency.
      arrived.fetch_add(1);
      for (unsigned turn = 0; arrived.load() < (run + 1) * threads; ++turn) {
        if (abandoned.load()) return;
        pause_a_little(turn);
      }
      subject->work(run, thread);
      at[thread].store(run + 1);
      progress.fetch_add(1);
    }
  }
  void begin_all() {
    for (std::size_t run = 0; run < runs; ++run) {
      subject->begin(run);
      begun.store(run + 1);
      progress.fetch_add(1);
    }
  }
  void end_all(std::size_t count) {
    for (std::size_t run = 0; run < count; ++run) {
      subject->end(run);
      ended.store(run + 1);
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

BatchEnd Stress::run(const std::shared_ptr<StressSubject>& subject, std::size_t runs) {
  const auto batch = std::make_shared<Batch>(threads_);
  batch->subject = subject;
  batch->runs = runs;
  const auto phase = [&](unsigned first, unsigned last, const auto& job_of) {
    {
      const Guard guard(gate_->mutex);
      gate_->working = last - first;
    }
    for (unsigned member = first; member < last; ++member) {
      crew_[member]->give(job_of(member));
    }
    return wait_for(*batch, first, last);
  };
  BatchEnd end;
  end.kind = phase(threads_, threads_ + 1, [&](unsigned) { return [batch] { batch->begin_all(); }; });
  if (end.kind != BatchEnd::Kind::completed) {
    end.finished = 0;
    return end;
  }
  end.kind = phase(0, threads_, [&](unsigned member) { return [batch, member] { batch->work(member); }; });
  const std::size_t finished = end.finished = batch->slowest();
  const auto last =
      phase(threads_, threads_ + 1, [&](unsigned) { return [batch, finished] { batch->end_all(finished); }; });
  if (last != BatchEnd::Kind::completed) {
    end.kind = last;
    end.finished = batch->ended.load();
  }
  return end;
}

BatchEnd::Kind Stress::wait_for(Batch& batch, unsigned first, unsigned last) {
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
      if (gate_->working == 0) return BatchEnd::Kind::completed;
    }
    const std::uint64_t now = batch.progress.load();
    if (now != seen) {
      seen = now;
      last_change = Clock::now();
      tick = first_tick;
      continue;
    }
    tick = std::min(2 * tick, longest_tick);
    const bool asleep = everybody_sleeps(batch);
    if (!asleep && Clock::now() - last_change < options_.patience) continue;
    if (batch.progress.load() != seen) continue;
    batch.abandoned.store(true);
    const std::size_t stuck_in = batch.slowest();
    for (unsigned member = first; member < last; ++member) {
      // Those who wait for the next run come back now; the others never do.
      const bool waits_for_next = member != threads_ && batch.at[member].load() > stuck_in;
      while (waits_for_next && !crew_[member]->is_idle()) sched_yield();
      if (waits_for_next) continue;
      left_behind_.insert(crew_[member]->id());
      sleepers_.forget(crew_[member]->id());
      crew_[member]->leave_behind();
      replace(member);
    }
    return asleep ? BatchEnd::Kind::stuck : BatchEnd::Kind::suspected;
  }
}

/// Everybody but bystanders, and who is between two runs, waits for this batch to end, or was left behind.
bool Stress::everybody_sleeps(const Batch& batch) {
  const std::size_t stuck_in = batch.slowest();
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  return sleepers_.all_asleep([&](pid_t thread) {
    if (thread == self || bystanders_.contains(thread) || left_behind_.contains(thread)) return false;
    for (unsigned member = 0; member < crew_.size(); ++member) {
      if (crew_[member]->id() != thread) continue;
      if (crew_[member]->is_idle()) return false;
      return member == threads_ || batch.at[member].load() == stuck_in;
    }
    return true;
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
