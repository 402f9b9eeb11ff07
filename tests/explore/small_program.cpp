#include "explore/small_program.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/hash.hpp"

namespace muster::test {
namespace {

constexpr std::array names{"load",
                           "store",
                           "add",
                           "compare_exchange",
                           "exchange",
                           "plain_load",
                           "plain_store",
                           "lock",
                           "unlock",
                           "try_lock",
                           "timed_lock",
                           "lock_shared",
                           "lock_exclusive",
                           "unlock_shared",
                           "try_lock_shared",
                           "wait",
                           "timed_wait",
                           "notify_one",
                           "notify_all",
                           "acquire",
                           "try_acquire",
                           "release",
                           "futex_wait",
                           "timed_futex_wait",
                           "futex_wake_one",
                           "futex_wake_all",
                           "barrier",
                           "once",
                           "choose",
                           "skip_if",
                           "skip_unless",
                           "spin_until",
                           "spin_lock",
                           "increment_by_retrying",
                           "reload_and_retry",
                           "look_and_retry",
                           "yield",
                           "clock"};

constexpr unsigned most_threads = 4;

// What the program works on. Reset at the start of each execution.
struct World {
  std::uint32_t atomics[4];
  std::uint32_t plains[4];
  char mutexes[4], conditions[4], rwlocks[4], semaphores[4], barriers[4], onces[4];
};
World world;

struct Log {
  std::array<std::vector<std::uint32_t>, most_threads> reads;
  std::array<bool, most_threads> finished;
};
Log outcome_log;

const SmallProgram* program_under_test = nullptr;

ObjectId id(const void* address) { return reinterpret_cast<ObjectId>(address); }

class Interpreter {
 public:
  explicit Interpreter(unsigned thread) : thread_(thread) {}

  /// All that it does next depends on, but for the memory.
  std::uint64_t state() const { return mix(mix(site_, last_), old_); }

  void run() {
    const auto& code = program_under_test->threads[thread_];
    const std::size_t place = first_alike(*program_under_test, thread_);
    for (unsigned at = 0; at < code.size(); ++at) {
      site_ = 1000 * (place + 1) + 10 * at + 1;
      at += step(code[at]);
    }
    outcome_log.finished[thread_] = true;
  }

 private:
  void see(std::uint32_t value) {
    last_ = value;
    outcome_log.reads[thread_].push_back(value);
  }

  std::uint64_t deadline() { return engine->look_at_clock(site_) + 1000; }

  /// How many instructions to skip.
  unsigned step(const Instruction& i) {
    Memory memory(*engine);
    constexpr Order order = Order::seq_cst;
    std::uint32_t* word = &world.atomics[i.object];
    switch (i.op) {
      case Op::load:
        see(memory.load(word, order, site_));
        break;
      case Op::store:
        memory.store(word, i.value, order, site_);
        break;
      case Op::add:
        see(memory.rmw(word, order, order, site_, [&](std::uint32_t old) { return std::optional(old + i.value); }));
        break;
      case Op::exchange:
        see(memory.rmw(word, order, order, site_, [&](std::uint32_t) { return std::optional(i.value); }));
        break;
      case Op::compare_exchange:
        see(compare_exchange(word, i.value, i.other));
        break;
      case Op::plain_load:
        engine->plain(id(&world.plains[i.object]), 4, false, site_);
        see(world.plains[i.object]);
        break;
      case Op::plain_store:
        engine->plain(id(&world.plains[i.object]), 4, true, site_);
        world.plains[i.object] = i.value;
        break;
      case Op::lock:
        sync::lock(id(&world.mutexes[i.object]), sync::MutexKind::normal, site_);
        break;
      case Op::unlock:
        sync::unlock(id(&world.mutexes[i.object]), sync::MutexKind::normal, site_);
        break;
      case Op::try_lock:
        return attempt(sync::try_lock(id(&world.mutexes[i.object]), sync::MutexKind::normal, site_), i.value);
      case Op::timed_lock: {
        const std::uint64_t until = deadline();
        return attempt(sync::lock(id(&world.mutexes[i.object]), sync::MutexKind::normal, site_, &until), i.value);
      }
      case Op::lock_shared:
        sync::lock_shared(id(&world.rwlocks[i.object]), site_);
        break;
      case Op::lock_exclusive:
        sync::lock_exclusive(id(&world.rwlocks[i.object]), site_);
        break;
      case Op::unlock_shared:
        sync::unlock_rwlock(id(&world.rwlocks[i.object]), site_);
        break;
      case Op::try_lock_shared:
        return attempt(sync::try_lock_shared(id(&world.rwlocks[i.object]), site_), i.value);
      case Op::wait:
        sync::wait(id(&world.conditions[i.object]), id(&world.mutexes[i.value]), sync::MutexKind::normal, site_);
        break;
      case Op::timed_wait: {
        const std::uint64_t until = deadline();
        see(sync::wait(id(&world.conditions[i.object]), id(&world.mutexes[i.value]), sync::MutexKind::normal, site_,
                       &until));
        break;
      }
      case Op::notify_one:
        sync::notify_one(id(&world.conditions[i.object]), site_);
        break;
      case Op::notify_all:
        sync::notify_all(id(&world.conditions[i.object]), site_);
        break;
      case Op::acquire:
        sync::acquire(id(&world.semaphores[i.object]), site_);
        break;
      case Op::try_acquire:
        see(sync::try_acquire(id(&world.semaphores[i.object]), site_));
        break;
      case Op::release:
        sync::release(id(&world.semaphores[i.object]), site_);
        break;
      case Op::futex_wait:
        see(static_cast<std::uint32_t>(sync::futex_wait(word, i.value, site_, nullptr, ~0u)));
        break;
      case Op::timed_futex_wait: {
        const std::uint64_t until = deadline();
        see(static_cast<std::uint32_t>(sync::futex_wait(word, i.value, site_, &until, ~0u)));
        break;
      }
      case Op::futex_wake_one:
        see(sync::futex_wake(word, 1, site_, ~0u));
        break;
      case Op::futex_wake_all:
        see(sync::futex_wake(word, 60, site_, ~0u));
        break;
      case Op::barrier:
        see(sync::arrive_and_wait(id(&world.barriers[i.object]), site_));
        break;
      case Op::once:
        if (sync::once_begin(id(&world.onces[i.object]), site_)) {
          see(memory.load(word, order, site_ + 1));
          sync::once_end(id(&world.onces[i.object]), true);
        }
        break;
      case Op::choose:
        see(engine->choose(PointKind::value, i.value));
        break;
      case Op::skip_if:
        return last_ == i.value ? i.other : 0;
      case Op::skip_unless:
        return last_ != i.value ? i.other : 0;
      case Op::reload_and_retry:
        retry_both(word, i.value);
        break;
      case Op::look_and_retry:
        look_and_retry(word, i.value);
        break;
      case Op::spin_until:
        while (memory.load(word, order, site_) != i.value) {
        }
        break;
      case Op::spin_lock:
        while (memory.rmw(word, order, order, site_, [](std::uint32_t) { return std::optional(1u); }) != 0) {
        }
        break;
      case Op::increment_by_retrying:
        increment(word);
        break;
      case Op::yield:
        engine->yield_point(EventKind::yield, site_);
        break;
      case Op::clock:
        see(static_cast<std::uint32_t>(engine->look_at_clock(site_)));
        break;
    }
    return 0;
  }

  unsigned attempt(sync::LockResult result, unsigned skip) {
    see(result == sync::LockResult::taken);
    return last_ ? 0 : skip;
  }

  std::uint32_t compare_exchange(std::uint32_t* word, std::uint32_t expected, std::uint32_t desired) {
    return Memory(*engine).rmw(word, Order::seq_cst, Order::seq_cst, site_, [&](std::uint32_t old) {
      return old == expected ? std::optional(desired) : std::nullopt;
    });
  }

  void increment(std::uint32_t* word) {
    old_ = Memory(*engine).load(word, Order::seq_cst, site_);
    ++site_;
    for (std::uint32_t seen = 0; (seen = compare_exchange(word, old_, old_ + 1)) != old_;) old_ = seen;
    see(std::exchange(old_, 0));
  }

  /// Reads two words and tries to change the first, all anew after a failure; with a memory of failures if `counts`.
  void retry_both(std::uint32_t* word, bool counts) {
    std::uint32_t failures = 0;
    for (const SiteId first = site_;; site_ = first) {
      old_ = Memory(*engine).load(word, Order::seq_cst, site_);
      ++site_;
      const std::uint32_t other =
          Memory(*engine).load(word == world.atomics ? word + 1 : word - 1, Order::seq_cst, site_);
      last_ = mix(failures, other) & 0xffffff;
      ++site_;
      const std::uint32_t seen = compare_exchange(word, old_, old_ + other + 1);
      if (seen == old_) break;
      if (counts) ++failures;
    }
    see(std::exchange(old_, 0));
    see(failures);
  }

  /// Increments a word, and reads a plain one after each failure, for nothing.
  void look_and_retry(std::uint32_t* word, unsigned plain) {
    for (const SiteId first = site_;; site_ = first) {
      old_ = Memory(*engine).load(word, Order::seq_cst, site_);
      ++site_;
      if (compare_exchange(word, old_, old_ + 1) == old_) break;
      ++site_;
      engine->plain(id(&world.plains[plain]), 4, false, site_);
    }
    see(std::exchange(old_, 0));
  }

  unsigned thread_;
  SiteId site_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t old_ = 0;
};

std::array<const Interpreter*, most_threads> interpreters;

std::uint64_t state_of(unsigned thread) { return thread == 0 ? 0 : interpreters[thread - 1]->state(); }

void* run_thread(void* number) {
  const auto thread = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(number));
  Interpreter interpreter(thread);
  interpreters[thread] = &interpreter;
  interpreter.run();
  return nullptr;
}

void run_program(void*) {
  std::memset(&world, 0, sizeof world);
  for (auto& reads : outcome_log.reads) reads.clear();
  outcome_log.finished.fill(false);
  const auto count = static_cast<unsigned>(program_under_test->threads.size());
  for (auto& semaphore : world.semaphores) sync::semaphore_init(id(&semaphore), program_under_test->semaphore);
  for (auto& barrier : world.barriers) sync::barrier_init(id(&barrier), 2);
  for (std::uintptr_t i = 0; i < count; ++i) {
    Thread& thread = engine->spawn(&run_thread, reinterpret_cast<void*>(i), 0);
    if (engine->symmetry() == Symmetry::none) continue;
    std::uintptr_t other = i;
    while (other-- > 0 && program_under_test->threads[other] != program_under_test->threads[i]) {
    }
    engine->make_alike(thread, static_cast<ThreadId>(1 + (other == ~std::uintptr_t{0} ? i : other)));
  }
  for (unsigned i = 0; i < count; ++i) sync::join(static_cast<ThreadId>(i + 1), 0);
}

}  // namespace

Program runnable(const SmallProgram& program) {
  program_under_test = &program;
  return {run_program, nullptr, state_of};
}

std::string outcome_of(const Execution& execution) {
  std::string text = fmt::format("{}", static_cast<int>(execution.ending));
  for (std::size_t i = 0; i < program_under_test->threads.size(); ++i) {
    text += outcome_log.finished[i] ? " |" : " #";
    for (const std::uint32_t value : outcome_log.reads[i]) text += fmt::format(" {}", value);
  }
  text += " ||";
  for (const std::uint32_t value : world.atomics) text += fmt::format(" {}", value);
  for (const std::uint32_t value : world.plains) text += fmt::format(" {}", value);
  return text;
}

std::string to_text(const SmallProgram& program) {
  std::string text = fmt::format("semaphore {}\n", program.semaphore);
  for (const auto& thread : program.threads) {
    for (const Instruction& i : thread)
      text += fmt::format("{} {} {} {}; ", names[static_cast<unsigned>(i.op)], i.object, i.value, i.other);
    text += "\n";
  }
  return text;
}

}  // namespace muster::test
