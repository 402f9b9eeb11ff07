// memcpy and its relatives. g++ leaves them as calls in instrumented code, so what they touch would be invisible;
// clang++ calls
// __tsan_memcpy instead.

#include <cstring>

#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/tap.hpp"

namespace muster {
namespace {

using Copy = void*(void*, const void*, std::size_t);
using Set = void*(void*, int, std::size_t);

/// The real function behind a hook. The loader and the first constructors call these before anything can be looked up:
/// bytes one by one then, in a loop that the compiler must not turn back into the very call.
template <class Function>
class Real {
 public:
  constexpr explicit Real(const char* name) : name_(name) {}
  Function* get() {
    if (!function_ && !looking_up_) {
      looking_up_ = true;
      function_ = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      looking_up_ = false;
    }
    return function_;
  }

 private:
  const char* name_;
  Function* function_ = nullptr;
  bool looking_up_ = false;
};

constinit Real<Copy> real_memcpy{"memcpy"};
constinit Real<Copy> real_memmove{"memmove"};
constinit Real<Set> real_memset{"memset"};

void* move_bytes(void* to, const void* from, std::size_t size) {
  auto* out = static_cast<volatile char*>(to);
  const auto* in = static_cast<const volatile char*>(from);
  if (to < from) {
    for (std::size_t i = 0; i < size; ++i) out[i] = in[i];
  } else {
    for (std::size_t i = size; i-- > 0;) out[i] = in[i];
  }
  return to;
}

void* set_bytes(void* to, int value, std::size_t size) {
  auto* out = static_cast<volatile char*>(to);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(value);
  return to;
}

/// Libraries that are not instrumented, and this one, copy without being looked at.
bool watched(SiteId site) { return (controlled || tap::on) && is_watched_code(site); }
void access(const void* address, std::size_t size, bool write, SiteId site) {
  if (size == 0 || size > largest_object) return;
  if (tap::on) [[unlikely]]
    return tap::plain(address, size, write, site);
  Memory(*engine).plain(reinterpret_cast<std::uintptr_t>(address), size, write, site);
}

void* copy(Real<Copy>& real, void* to, const void* from, std::size_t size, SiteId site) {
  if (watched(site)) {
    access(from, size, false, site);
    access(to, size, true, site);
  }
  Copy* function = real.get();
  return function ? function(to, from, size) : move_bytes(to, from, size);
}

void* set(void* to, int value, std::size_t size, SiteId site) {
  if (watched(site)) access(to, size, true, site);
  Set* function = real_memset.get();
  return function ? function(to, value, size) : set_bytes(to, value, size);
}

[[noreturn]] void overflow(SiteId site) {
  if (!controlled) __builtin_trap();
  engine->fatal(IncidentKind::abort, site, "buffer overflow detected: a copy is larger than the object it goes to");
}

}  // namespace

MUSTER_HOOK void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  return copy(real_memcpy, to, from, size, MUSTER_SITE);
}
MUSTER_HOOK void* memmove(void* to, const void* from, std::size_t size) noexcept {
  return copy(real_memmove, to, from, size, MUSTER_SITE);
}
MUSTER_HOOK void* memset(void* to, int value, std::size_t size) noexcept { return set(to, value, size, MUSTER_SITE); }

// What -D_FORTIFY_SOURCE makes of them.
MUSTER_HOOK void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) noexcept {
  if (size > room) overflow(MUSTER_SITE);
  return copy(real_memcpy, to, from, size, MUSTER_SITE);
}
MUSTER_HOOK void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) noexcept {
  if (size > room) overflow(MUSTER_SITE);
  return copy(real_memmove, to, from, size, MUSTER_SITE);
}
MUSTER_HOOK void* __memset_chk(void* to, int value, std::size_t size, std::size_t room) noexcept {
  if (size > room) overflow(MUSTER_SITE);
  return set(to, value, size, MUSTER_SITE);
}

}  // namespace muster
