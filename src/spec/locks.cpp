// Locks and semaphores. An operation that waits cannot happen where it would have to wait.

#include <fmt/format.h>

#include "spec/builtin.hpp"
#include "spec/modelled.hpp"

namespace muster {
namespace {

struct Lock {
  std::int64_t readers = 0;
  bool writer = false;

  bool operator==(const Lock&) const = default;
  std::uint64_t hash() const { return static_cast<std::uint64_t>(readers) * 2 + writer; }
  std::string describe() const { return fmt::format("{} readers, {}", readers, writer ? "locked" : "not locked"); }

  bool lock() {
    if (writer || readers > 0) return false;
    return writer = true;
  }
  bool unlock() { return std::exchange(writer, false); }
  bool lock_shared() {
    if (writer) return false;
    ++readers;
    return true;
  }
  bool unlock_shared() {
    if (readers == 0) return false;
    --readers;
    return true;
  }
};

Answer must(bool done) { return done ? Answer(Value()) : std::nullopt; }

const std::vector<ModelOperation<Lock>> mutex_operations{
    {{.name = "lock", .aliases = {"acquire"}}, [](Lock& l, Arguments) { return must(l.lock()); }},
    {{.name = "unlock", .aliases = {"release"}}, [](Lock& l, Arguments) { return must(l.unlock()); }},
    {{.name = "try_lock",
      .aliases = {"try_acquire"},
      .answers_bool = true,
      .idle = Value::boolean(false),
      .answers = true},
     [](Lock& l, Arguments) { return Answer(Value::boolean(l.lock())); }}};

struct Semaphore {
  std::int64_t permits = 0;

  bool operator==(const Semaphore&) const = default;
  std::uint64_t hash() const { return static_cast<std::uint64_t>(permits); }
  std::string describe() const { return fmt::format("{} permits", permits); }

  bool acquire(std::int64_t amount) {
    if (amount < 0 || permits < amount) return false;
    permits -= amount;
    return true;
  }
};

/// A try may be recorded as true or false, or as how much it got.
bool same_try(Value answer, Value recorded) {
  if (recorded.is_integer() && (answer.is_true() || answer.is_false()))
    return answer.is_true() == (recorded.as_integer() != 0);
  return same_answer(answer, recorded);
}

}  // namespace

SpecPtr mutex_spec() { return modelled<Lock>("mutex", {}, mutex_operations); }

SpecPtr rwlock_spec() {
  std::vector<ModelOperation<Lock>> operations{
      {{.name = "write_lock", .aliases = {"lock"}}, mutex_operations[0].apply},
      {{.name = "write_unlock", .aliases = {"unlock"}}, mutex_operations[1].apply},
      {{.name = "try_write_lock",
        .aliases = {"try_lock"},
        .answers_bool = true,
        .idle = Value::boolean(false),
        .answers = true},
       mutex_operations[2].apply},
      {{.name = "read_lock", .aliases = {"lock_shared"}}, [](Lock& l, Arguments) { return must(l.lock_shared()); }},
      {{.name = "read_unlock", .aliases = {"unlock_shared"}},
       [](Lock& l, Arguments) { return must(l.unlock_shared()); }},
      {{.name = "try_read_lock",
        .aliases = {"try_lock_shared"},
        .answers_bool = true,
        .idle = Value::boolean(false),
        .answers = true},
       [](Lock& l, Arguments) { return Answer(Value::boolean(l.lock_shared())); }}};
  return modelled<Lock>("rwlock", {}, std::move(operations));
}

SpecPtr semaphore_spec(std::int64_t permits) {
  return modelled<Semaphore>("semaphore", {permits},
                             {{{.name = "release",
                                .aliases = {"incr", "v", "signal", "post", "up"},
                                .optional_arguments = 1,
                                .amounts = Amounts::not_negative},
                               [](Semaphore& s, Arguments a) {
                                 s.permits += amount(a);
                                 return Answer(Value());
                               }},
                              {{.name = "acquire",
                                .aliases = {"p", "wait", "down"},
                                .optional_arguments = 1,
                                .amounts = Amounts::not_negative},
                               [](Semaphore& s, Arguments a) { return must(s.acquire(amount(a))); }},
                              {{.name = "try_acquire",
                                .aliases = {"decr", "try_wait", "try_down"},
                                .answers_bool = true,
                                .idle = Value::boolean(false),
                                .answers = true},
                               [](Semaphore& s, Arguments a) { return Answer(Value::boolean(s.acquire(amount(a)))); }}},
                             {.fits = same_try});
}

}  // namespace muster
