// LLVM's C++ library, libc++ and libc++abi: what it counts and orders where nobody sees it. Its facets are in
// libcxx_facets.cpp. The names are the compiler's own, hence the assembler labels.

#include <cxxabi.h>
#include <unwind.h>

#include <utility>

#include "instrument/atomics.hpp"
#include "instrument/hook.hpp"
#include "instrument/library_accesses.hpp"
#include "instrument/modules.hpp"
#include "instrument/shared_counts.hpp"

namespace muster {

// ---- std::weak_ptr ----

namespace {

/// std::__shared_weak_count: counts are of all but one.
struct WeakCount {
  struct Table {
    void (*destroy)(WeakCount*);
    void (*destroy_and_free)(WeakCount*);
    void (*on_zero_shared)(WeakCount*);
    const void* (*deleter)(const WeakCount*, const std::type_info&);
    void (*on_zero_shared_weak)(WeakCount*);
  };
  const Table* table;
  atomics::u64 shared, weak;
};
constexpr atomics::u64 nobody = ~atomics::u64{0};

}  // namespace

// std::__shared_weak_count::__release_weak()
MUSTER_NAMED(void, _ZNSt3__119__shared_weak_count14__release_weakEv, (WeakCount * count)) {
  const auto one_less = [](atomics::u64 old) { return old - 1; };
  const bool last = atomics::load(&count->weak, __ATOMIC_ACQUIRE, MUSTER_SITE) == 0 ||
                    atomics::update(&count->weak, __ATOMIC_ACQ_REL, MUSTER_SITE, one_less) == 0;
  if (last) count->table->on_zero_shared_weak(count);
}
// std::__shared_weak_count::lock()
MUSTER_NAMED(WeakCount*, _ZNSt3__119__shared_weak_count4lockEv, (WeakCount * count)) {
  atomics::u64 owners = atomics::load(&count->shared, __ATOMIC_SEQ_CST, MUSTER_SITE);
  while (owners != nobody) {
    if (atomics::compare_exchange_flag(&count->shared, &owners, owners + 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, true,
                                       MUSTER_SITE))
      return count;
  }
  return nullptr;
}

// ---- std::call_once ----

namespace {

using OnceFlag = volatile std::uint64_t;
constexpr std::uint64_t once_done = ~std::uint64_t{0};  // which headers read, with acquire

void call_once_under_control(OnceFlag& flag, void* argument, void (*function)(void*), SiteId site) {
  sync::adopt_once(id(&flag), flag == once_done);
  if (!sync::once_begin(id(&flag), site)) return;
  try {
    function(argument);
  } catch (...) {
    sync::once_end(id(&flag), false);
    throw;
  }
  engine->reduction().touches({.object = id(&flag), .size = sizeof flag, .mode = AccessMode::write});
  engine->races().store(id(&flag), sizeof flag, Order::release, site);
  flag = once_done;
  sync::once_end(id(&flag), true);
}

}  // namespace

// std::__call_once(unsigned long volatile&, void*, void (*)(void*))
MUSTER_NAMED(void, _ZNSt3__111__call_onceERVmPvPFvS2_E, (OnceFlag * flag, void* argument, void (*function)(void*))) {
  using Call = void(OnceFlag*, void*, void (*)(void*));
  static auto* const real = next_named<Call>("_ZNSt3__111__call_onceERVmPvPFvS2_E");
  if (!controlled || is_lasting(flag)) return real(flag, argument, function);
  call_once_under_control(*flag, argument, function, MUSTER_SITE);
}

// ---- exceptions ----

namespace {

/// What lies before an exception of libc++abi (cxa_exception.h), as far as it is asked for.
struct ThrownByLlvm {
  void* reserved;
  std::size_t holders;  // of one that was thrown again, the object that it stands for
  void* about[5];
  int handlers;
  int handler_switch;
  const void* where[4];
  _Unwind_Exception unwinding;
};
static_assert(sizeof(ThrownByLlvm) == 128);

constexpr _Unwind_Exception_Class thrown_by_llvm = 0x434c4e47432b2b00;  // "CLNGC++\0"
constexpr _Unwind_Exception_Class thrown_again_by_llvm = thrown_by_llvm + 1;

/// What a thread handles, as both libraries keep it.
struct Handled {
  ThrownByLlvm* innermost;
};

bool has_libcxxabi() {
  static const bool found = next_named<void()>("__cxa_increment_exception_refcount") != nullptr;
  return found;
}

void give_up_thrown(const ThrownByLlvm& thrown, SiteId site) {
  give_up_share(reinterpret_cast<const int*>(&thrown.holders), thrown.holders == 1, site);
}

/// The exception that the end of this handler gives up, if it does.
const ThrownByLlvm* given_up_by_handler() {
  const auto* const handled = reinterpret_cast<const Handled*>(abi::__cxa_get_globals());
  const ThrownByLlvm* const thrown = handled->innermost;
  if (!thrown || thrown->handlers != 1) return nullptr;
  if (thrown->unwinding.exception_class == thrown_by_llvm) return thrown;
  if (thrown->unwinding.exception_class != thrown_again_by_llvm) return nullptr;
  return reinterpret_cast<const ThrownByLlvm*>(thrown->holders) - 1;  // the object that it stands for
}

}  // namespace

MUSTER_NAMED(void, __cxa_end_catch, ()) {
  static auto* const real = next_named<void()>("__cxa_end_catch");
  if (has_libcxxabi()) {
    if (const ThrownByLlvm* const thrown = given_up_by_handler()) give_up_thrown(*thrown, MUSTER_SITE);
  }
  real();
}
// std::exception_ptr gives up its share.
MUSTER_HOOK void __cxa_decrement_exception_refcount(void* thrown) noexcept {
  static auto* const real = next_named<void(void*)>("__cxa_decrement_exception_refcount");
  if (thrown) give_up_thrown(static_cast<const ThrownByLlvm*>(thrown)[-1], MUSTER_SITE);
  real(thrown);
}

// ---- locales ----

namespace {

/// Facets are counted as locales are; counts are of all but one.
struct CountedByLlvm {
  const void* table;
  std::size_t others;
};

void give_up_libcxx_locale(const CountedByLlvm* locale, SiteId site) {
  if (is_lasting(locale)) return;
  give_up_share(reinterpret_cast<const int*>(&locale->others), locale->others == 0, site);
}

}  // namespace

MUSTER_NAMED(void, _ZNSt3__16localeD1Ev, (CountedByLlvm * *self)) {
  static auto* const real = next_named<void(CountedByLlvm**)>("_ZNSt3__16localeD1Ev");
  give_up_libcxx_locale(*self, MUSTER_SITE);
  real(self);
}
MUSTER_NAMED(void*, _ZNSt3__16localeaSERKS0_, (CountedByLlvm * *self, CountedByLlvm** other)) {
  static auto* const real = next_named<void*(CountedByLlvm**, CountedByLlvm**)>("_ZNSt3__16localeaSERKS0_");
  give_up_libcxx_locale(*self, MUSTER_SITE);
  return real(self, other);
}

// ---- std::promise<void>, std::future<void>: those of other types are templates ----

namespace {

/// std::__assoc_sub_state; counts are of all but one.
struct LlvmResult {
  const void* table;
  std::size_t others;
};

void give_up_result(LlvmResult* const& result, SiteId site) {
  if (is_watched_code(site)) library_access(&result, sizeof(void*), true, site);
  if (result) give_up_share(reinterpret_cast<const int*>(&result->others), result->others == 0, site);
}

/// A share of a result that is held for as long as this lives.
class HeldResult {
 public:
  HeldResult(LlvmResult* result, SiteId site) : result_(result), site_(site) {}
  HeldResult(const HeldResult&) = delete;
  HeldResult& operator=(const HeldResult&) = delete;
  ~HeldResult() {
    static auto* const real = next_named<void(LlvmResult**)>("_ZNSt3__16futureIvED1Ev");
    give_up_share(reinterpret_cast<const int*>(&result_->others), result_->others == 0, site_);
    real(&result_);
  }

 private:
  LlvmResult* result_;
  SiteId site_;
};

}  // namespace

#define MUSTER_GIVES_UP_RESULT(name)                                 \
  MUSTER_NAMED(void, name, (LlvmResult * *self)) {                   \
    static auto* const real = next_named<void(LlvmResult**)>(#name); \
    give_up_result(*self, MUSTER_SITE);                              \
    real(self);                                                      \
  }
// It may break its promise first, of which others hear before it gives up its share: that one is kept for so long.
MUSTER_NAMED(void, _ZNSt3__17promiseIvED1Ev, (LlvmResult * *self)) {
  static auto* const real = next_named<void(LlvmResult**)>("_ZNSt3__17promiseIvED1Ev");
  LlvmResult* const result = *self;
  if (!controlled || !result || result->others == 0) {
    give_up_result(*self, MUSTER_SITE);
    return real(self);
  }
  if (is_watched_code(MUSTER_SITE)) library_access(self, sizeof(void*), true, MUSTER_SITE);
  ++result->others;
  const HeldResult held(result, MUSTER_SITE);
  real(self);
}
MUSTER_GIVES_UP_RESULT(_ZNSt3__16futureIvED1Ev)
MUSTER_GIVES_UP_RESULT(_ZNSt3__113shared_futureIvED1Ev)
// std::future<void>::get()
MUSTER_NAMED(void, _ZNSt3__16futureIvE3getEv, (LlvmResult * *self)) {
  static auto* const real = next_named<void(LlvmResult**)>("_ZNSt3__16futureIvE3getEv");
  static auto* const copy = next_named<void(LlvmResult*)>("_ZNSt3__117__assoc_sub_state4copyEv");
  if (!controlled || !*self) return real(self);
  if (is_watched_code(MUSTER_SITE)) library_access(self, sizeof(void*), true, MUSTER_SITE);
  LlvmResult* const result = std::exchange(*self, nullptr);
  const HeldResult held(result, MUSTER_SITE);
  copy(result);
}
MUSTER_NAMED(void*, _ZNSt3__113shared_futureIvEaSERKS1_, (LlvmResult * *self, LlvmResult* const* other)) {
  static auto* const real = next_named<void*(LlvmResult**, LlvmResult* const*)>("_ZNSt3__113shared_futureIvEaSERKS1_");
  if (is_watched_code(MUSTER_SITE)) library_access(other, sizeof(void*), false, MUSTER_SITE);
  if (*self != *other) give_up_result(*self, MUSTER_SITE);
  return real(self, other);
}

// ---- std::barrier ----

// std::__arrive_barrier_algorithm_base: whoever comes last comes after all others.
MUSTER_NAMED(bool, _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh,
             (void* barrier, unsigned char phase)) {
  using Arrive = bool(void*, unsigned char);
  static auto* const real =
      next_named<Arrive>("_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh");
  give_up_share(static_cast<const int*>(barrier), false, MUSTER_SITE);
  return real(barrier, phase);
}

}  // namespace muster
