// OpenMP as clang++ compiles it, for LLVM's libomp: the names begin with __kmpc_, and the first two arguments of nearly
// all are the place in the source and the number of the thread, which are not needed here.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "instrument/fatal.hpp"
#include "instrument/openmp.hpp"

namespace muster {

using namespace openmp;

namespace {

// ---- teams ----

/// More arguments than it has parameters do a function no harm.
constexpr std::size_t most_arguments = 100;
using RegionArguments = std::array<void*, most_arguments>;
using Outlined = void (*)(const int* number, const int* bound, ...);

template <std::size_t... index>
void call_outlined(Outlined function, const int* number, const RegionArguments& arguments,
                   std::index_sequence<index...>) {
  static const int bound = 0;
  function(number, &bound, arguments[index]...);
}

struct OutlinedRegion {
  Outlined function;
  RegionArguments arguments{};

  static void run(void* region) {
    const OutlinedRegion& self = *static_cast<const OutlinedRegion*>(region);
    const int number = static_cast<int>(number_in_team());
    call_outlined(self.function, &number, self.arguments, std::make_index_sequence<most_arguments>());
  }
};

OutlinedRegion outlined_region(int count, Outlined function, std::va_list list, SiteId site) {
  if (count > static_cast<int>(most_arguments)) {
    if (!controlled) std::abort();
    unsupported(site, fmt::format("a parallel region of OpenMP that shares more than {} variables", most_arguments));
  }
  OutlinedRegion region{function};
  for (int i = 0; i < count; ++i) region.arguments[static_cast<std::size_t>(i)] = va_arg(list, void*);
  return region;
}

// ---- loops with a static schedule ----

enum LoopSchedule : int { static_chunks = 33, static_parts = 34 };

/// The part of a loop that one thread of a team runs, from bounds that are those of the whole loop at first. Bounds
/// are computed without signs: they may wrap on the way.
template <class Bound>
class LoopPart {
  using Plain = std::make_unsigned_t<Bound>;
  using Step = std::make_signed_t<Bound>;

 public:
  LoopPart(Bound& lower, Bound& upper, Step& stride, Step increment)
      : lower_(lower), upper_(upper), stride_(stride), step_(static_cast<Plain>(increment)), goes_up_(increment > 0) {}

  bool is_empty() const { return goes_up_ ? upper_ < lower_ : lower_ < upper_; }
  Plain turns() const {
    const Plain lower = static_cast<Plain>(lower_), upper = static_cast<Plain>(upper_);
    return goes_up_ ? static_cast<Plain>((upper - lower) / step_ + 1)
                    : static_cast<Plain>((lower - upper) / static_cast<Plain>(Plain{0} - step_) + 1);
  }
  /// Whether the last turn is in it.
  bool take_part() {
    const Plain all = turns(), size = static_cast<Plain>(size_of_team()), me = static_cast<Plain>(number_in_team());
    const Plain each = all / size, more = all % size;
    const Plain mine = static_cast<Plain>(each + (me < more ? 1 : 0));
    stride_ = static_cast<Step>(all);
    if (mine == 0) {
      lower_ = static_cast<Bound>(static_cast<Plain>(static_cast<Plain>(upper_) + step_));
      return false;
    }
    begin_at(static_cast<Plain>(me * each + std::min(me, more)), mine);
    return me * each + std::min(me, more) + mine == all;
  }
  bool take_chunks(Plain chunk) {
    const Plain all = turns(), size = static_cast<Plain>(size_of_team()), me = static_cast<Plain>(number_in_team());
    stride_ = static_cast<Step>(static_cast<Plain>(chunk * step_ * size));
    begin_at(static_cast<Plain>(me * chunk), chunk);
    return me == (all - 1) / chunk % size;
  }

 private:
  void begin_at(Plain turn, Plain count) {
    const auto lower = static_cast<Plain>(static_cast<Plain>(lower_) + turn * step_);
    lower_ = static_cast<Bound>(lower);
    upper_ = static_cast<Bound>(static_cast<Plain>(lower + (count - 1) * step_));
  }

  Bound &lower_, &upper_;
  Step& stride_;
  Plain step_;
  bool goes_up_;
};

template <class Bound, class Step = std::make_signed_t<Bound>>
void begin_loop(int schedule, int* is_last, Bound* lower, Bound* upper, Step* stride, Step increment, Step chunk,
                SiteId site) {
  LoopPart<Bound> part(*lower, *upper, *stride, increment);
  bool last = false;
  if (part.is_empty()) {
    *stride = increment;
  } else if (schedule == static_parts) {
    last = part.take_part();
  } else if (schedule == static_chunks) {
    last = part.take_chunks(static_cast<std::make_unsigned_t<Bound>>(std::max<Step>(chunk, 1)));
  } else {
    unsupported(site, "a loop of OpenMP whose schedule is not static");
  }
  if (is_last) *is_last = last;
}

}  // namespace

#define MUSTER_LLVM(type, name, parameters, arguments, ...) \
  MUSTER_OPENMP(type, __kmpc_##name, parameters, arguments, __VA_ARGS__)

MUSTER_HOOK void __kmpc_fork_call(void* place, int count, Outlined function, ...);
MUSTER_HOOK void __kmpc_fork_call(void* place, int count, Outlined function, ...) {
  std::va_list list;
  va_start(list, function);
  OutlinedRegion region = outlined_region(count, function, list, MUSTER_SITE);
  va_end(list);
  if (!controlled) {
    using Fork = void (*)(void*, int, Outlined, ...);
    static const auto real = reinterpret_cast<Fork>(next_named<void()>("__kmpc_fork_call"));
    return [&]<std::size_t... index>(std::index_sequence<index...>) {
      real(place, count, function, region.arguments[index]...);
    }
    (std::make_index_sequence<most_arguments>());
  }
  run_team(OutlinedRegion::run, &region, size_of_next_team(take_asked_size()));
}

MUSTER_LLVM(int, global_thread_num, (void* place), (place), return static_cast<int>(number_in_team()))
MUSTER_LLVM(void, push_num_threads, (void* place, int me, int threads), (place, me, threads),
            ask_for_size(static_cast<unsigned>(std::max(threads, 0))))
MUSTER_LLVM(void, serialized_parallel, (void* place, int me), (place, me), begin_alone())
MUSTER_LLVM(void, end_serialized_parallel, (void* place, int me), (place, me), end_alone())
MUSTER_LLVM(void, barrier, (void* place, int me), (place, me), wait_for_team(MUSTER_SITE))
MUSTER_LLVM(int, single, (void* place, int me), (place, me), return enters_single(MUSTER_SITE))
MUSTER_LLVM(void, end_single, (void* place, int me), (place, me), )
MUSTER_LLVM(int, master, (void* place, int me), (place, me), return number_in_team() == 0)
MUSTER_LLVM(void, end_master, (void* place, int me), (place, me), )
MUSTER_LLVM(int, masked, (void* place, int me, int who), (place, me, who),
            return static_cast<int>(number_in_team()) == who)
MUSTER_LLVM(void, end_masked, (void* place, int me), (place, me), )
MUSTER_LLVM(void, critical, (void* place, int me, void* lock), (place, me, lock), take(lock, MUSTER_SITE))
MUSTER_LLVM(void, critical_with_hint, (void* place, int me, void* lock, unsigned hint), (place, me, lock, hint),
            take(lock, MUSTER_SITE))
MUSTER_LLVM(void, end_critical, (void* place, int me, void* lock), (place, me, lock), give_back(lock, MUSTER_SITE))

// Every thread adds what it has, under a lock.
MUSTER_LLVM(int, reduce_nowait,
            (void* place, int me, int count, std::size_t size, void* data, void (*add)(void*, void*), void* lock),
            (place, me, count, size, data, add, lock), take(lock, MUSTER_SITE);
            return 1)
MUSTER_LLVM(void, end_reduce_nowait, (void* place, int me, void* lock), (place, me, lock), give_back(lock, MUSTER_SITE))
MUSTER_LLVM(int, reduce,
            (void* place, int me, int count, std::size_t size, void* data, void (*add)(void*, void*), void* lock),
            (place, me, count, size, data, add, lock), take(lock, MUSTER_SITE);
            return 1)
MUSTER_LLVM(void, end_reduce, (void* place, int me, void* lock), (place, me, lock), give_back(lock, MUSTER_SITE);
            wait_for_team(MUSTER_SITE))

#define MUSTER_LOOP(name, Bound, Step)                                                                               \
  MUSTER_LLVM(void, for_static_init_##name,                                                                          \
              (void* place, int me, int schedule, int* is_last, Bound* lower, Bound* upper, Step* stride, Step step, \
               Step chunk),                                                                                          \
              (place, me, schedule, is_last, lower, upper, stride, step, chunk),                                     \
              begin_loop(schedule, is_last, lower, upper, stride, step, chunk, MUSTER_SITE))
MUSTER_LOOP(4, std::int32_t, std::int32_t)
MUSTER_LOOP(4u, std::uint32_t, std::int32_t)
MUSTER_LOOP(8, std::int64_t, std::int64_t)
MUSTER_LOOP(8u, std::uint64_t, std::int64_t)
MUSTER_LLVM(void, for_static_fini, (void* place, int me), (place, me), )

}  // namespace muster
