#include "instrument/tap.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "instrument/answers.hpp"
#include "instrument/modules.hpp"
#include "instrument/outer_site.hpp"
#include "muster/transaction.hpp"
#include "runtime/memory.hpp"
#include "trace/binary_format.hpp"

namespace muster::tap {

bool on = false;
bool (*is_transaction)(SiteId) = nullptr;

namespace {

Listener* listener = nullptr;
bool recording = false;

const void* place(SiteId site) { return reinterpret_cast<const void*>(site); }

void update() { on = recording || listener != nullptr; }

// ---- functions that are transactions ----

/// Which of the functions that a thread is in are transactions, a bit each, outermost first.
struct FunctionStack {
  static constexpr unsigned capacity = 4096;
  unsigned depth = 0;
  std::uint64_t bits[capacity / 64] = {};

  void push(bool transaction) {
    if (depth < capacity) {
      const std::uint64_t bit = std::uint64_t{1} << depth % 64;
      bits[depth / 64] = transaction ? bits[depth / 64] | bit : bits[depth / 64] & ~bit;
    }
    ++depth;
  }
  bool pop() {
    if (depth == 0) return false;  // entered before anybody heard
    --depth;
    return depth < capacity && (bits[depth / 64] >> depth % 64 & 1);
  }
};

thread_local FunctionStack real_stack;
std::array<FunctionStack, max_threads> model_stacks;

FunctionStack& stack() { return controlled ? model_stacks[engine->current().id] : real_stack; }

constinit Answers transactions(is_transaction);

// ---- atomics of real threads ----

struct alignas(64) Stripe {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
};
constinit std::array<Stripe, 256> stripes;

}  // namespace

int start_recording(const char* path, const char* about) {
  remember_modules(loaded_modules());
  if (const int error = muster_record_start(path)) return error;
  muster_record_about(about);
  transactions.forget();
  recording = true;
  update();
  return 0;
}

void stop_recording() {
  if (!recording) return;
  recording = false;
  update();
  muster_record_stop();
}

void listen(Listener* to) {
  listener = to;
  transactions.forget();
  update();
}

void begin_execution() {
  for (FunctionStack& each : model_stacks) each.depth = 0;
  if (listener) listener->begin_execution();
}

void controlled_plain(const volatile void* address, std::size_t size, bool write, SiteId site) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (listener) listener->approach(engine->current().id, site);
  Memory(*engine).plain(at, size, write, site);
  if (listener) access(address, size, write ? Kind::write : Kind::read, site);
}

void access(const volatile void* address, std::size_t size, Kind kind, SiteId site) {
  if (!controlled) {
    if (!recording) return;  // what is heard of are controlled executions
    const SiteId told = trace::is_plain(kind) ? site : outer_site(site);
    return muster_record_access(address, size, static_cast<int>(kind), place(told));
  }
  if (!listener) return;
  // In the pieces that the recorder would write.
  for (auto at = reinterpret_cast<std::uint64_t>(address); size > 0;) {
    const std::uint64_t part = std::min<std::uint64_t>(size, trace::binary::largest_range);
    listener->access(engine->current().id, at, part, kind, site);
    at += part;
    size -= part;
  }
}

void event(Kind kind, const volatile void* object, SiteId site) {
  if (!controlled) {
    if (recording) muster_record_event(static_cast<int>(kind), object, place(outer_site(site)));
    return;
  }
  if (listener) listener->event(engine->current().id, kind, reinterpret_cast<std::uint64_t>(object), site);
}

void approach_lock(Kind kind, const volatile void* lock, SiteId site) {
  if (listener) listener->approach_lock(engine->current().id, reinterpret_cast<std::uint64_t>(lock), kind, site);
}

void enter_function(SiteId site) {
  const bool transaction = is_transaction && transactions.ask(site);
  stack().push(transaction);
  if (transaction) event(Kind::begin, nullptr, site);
}

void leave_function(SiteId site) {
  if (stack().pop()) event(Kind::end, nullptr, site);
}

AtomicTurn::AtomicTurn(const volatile void* address) noexcept
    : stripe_(static_cast<unsigned>((reinterpret_cast<std::uint64_t>(address) >> 4) * 0x9e3779b97f4a7c15 >> 56)) {
  while (stripes[stripe_].taken.test_and_set(std::memory_order_acquire)) sched_yield();
}

AtomicTurn::~AtomicTurn() { stripes[stripe_].taken.clear(std::memory_order_release); }

}  // namespace muster::tap

// ---- transactions as scopes ----

extern "C" __attribute__((visibility("default"))) void muster_begin_transaction() {
  muster::tap::tell(muster::trace::Kind::begin, nullptr, reinterpret_cast<muster::SiteId>(__builtin_return_address(0)));
}
extern "C" __attribute__((visibility("default"))) void muster_end_transaction() {
  muster::tap::tell(muster::trace::Kind::end, nullptr, reinterpret_cast<muster::SiteId>(__builtin_return_address(0)));
}
