// What is random, or differs from run to run: numbers of the system, of std::random_device, and the names of processes.
// Each thread draws from a sequence of its own, which is the same in every execution whatever the others do.

#include "instrument/randomness.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/hash.hpp"
#include "instrument/fatal.hpp"
#include "instrument/hook.hpp"
#include "instrument/process_id.hpp"
#include "instrument/rare_states.hpp"

namespace muster {
namespace {

std::array<std::uint32_t, max_threads> drawn;

std::uint32_t draw() {
  begin_use(RareUse::random_numbers);
  const std::size_t thread = engine->current().id;
  const auto number = static_cast<std::uint32_t>(mix(mix(0x6d7573746572, thread), ++drawn[thread]) >> 32);
  engine->reduction().notice(number);
  return number;
}

void fill(void* memory, std::size_t size, SiteId site) {
  if (is_watched_code(site)) Memory(*engine).plain(reinterpret_cast<std::uintptr_t>(memory), size, true, site);
  const OwnWork work;
  for (auto* at = static_cast<std::byte*>(memory); size != 0;) {
    const std::uint32_t number = draw();
    const std::size_t part = std::min(size, sizeof number);
    std::memcpy(at, &number, part);
    at += part;
    size -= part;
  }
}

/// What is read of such a file is not under control.
void refuse_random_file(const char* path, SiteId site) {
  if (!controlled || !path) return;
  for (const std::string_view file : {"/dev/random", "/dev/urandom", "/dev/hwrng"}) {
    if (path != file) continue;
    unsupported(site,
                fmt::format("{} gives other numbers in every execution: use std::random_device or getrandom", file));
  }
}

}  // namespace

void forget_randomness() { drawn.fill(0); }

void pass_randomness(Tape& tape) { tape.pass(drawn.data(), sizeof drawn); }

std::uint64_t randomness_hash(ThreadId thread) { return drawn[thread]; }

MUSTER_HOOK ssize_t getrandom(void* memory, std::size_t size, unsigned flags) {
  if (!controlled) return MUSTER_REAL(getrandom)(memory, size, flags);
  fill(memory, size, MUSTER_SITE);
  return static_cast<ssize_t>(size);
}
MUSTER_HOOK int getentropy(void* memory, std::size_t size) {
  constexpr std::size_t most = 256;
  if (!controlled || size > most) return MUSTER_REAL(getentropy)(memory, size);
  fill(memory, size, MUSTER_SITE);
  return 0;
}
MUSTER_HOOK std::uint32_t arc4random() noexcept { return controlled ? draw() : MUSTER_REAL(arc4random)(); }
MUSTER_HOOK std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (!controlled) return MUSTER_REAL(arc4random_uniform)(bound);
  return static_cast<std::uint32_t>(std::uint64_t{draw()} * bound >> 32);
}
MUSTER_HOOK void arc4random_buf(void* memory, std::size_t size) noexcept {
  if (controlled) return fill(memory, size, MUSTER_SITE);
  MUSTER_REAL(arc4random_buf)(memory, size);
}

/// std::random_device of libstdc++ and of libc++, where their numbers come from.
#define MUSTER_RANDOM_DEVICE(name)                                     \
  MUSTER_NAMED(std::uint32_t, name, (void* device)) {                  \
    if (controlled) return draw();                                     \
    static auto* const real = next_named<std::uint32_t(void*)>(#name); \
    return real(device);                                               \
  }
MUSTER_RANDOM_DEVICE(_ZNSt13random_device9_M_getvalEv)
MUSTER_RANDOM_DEVICE(_ZNSt13random_device16_M_getval_pretr1Ev)
MUSTER_RANDOM_DEVICE(_ZNSt3__113random_deviceclEv)

/// A file is opened with permissions if it may be made.
mode_t permissions(int flags, std::va_list& arguments) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define MUSTER_OPEN(name)                                  \
  MUSTER_HOOK int name(const char* path, int flags, ...) { \
    refuse_random_file(path, MUSTER_SITE);                 \
    std::va_list arguments;                                \
    va_start(arguments, flags);                            \
    const mode_t mode = permissions(flags, arguments);     \
    va_end(arguments);                                     \
    return MUSTER_REAL(name)(path, flags, mode);           \
  }
MUSTER_OPEN(open)
MUSTER_OPEN(open64)
MUSTER_HOOK FILE* fopen(const char* path, const char* mode) {
  refuse_random_file(path, MUSTER_SITE);
  return MUSTER_REAL(fopen)(path, mode);
}
MUSTER_HOOK FILE* fopen64(const char* path, const char* mode) {
  refuse_random_file(path, MUSTER_SITE);
  return MUSTER_REAL(fopen64)(path, mode);
}

MUSTER_HOOK pid_t getpid() noexcept { return controlled ? controlled_process : MUSTER_REAL(getpid)(); }
MUSTER_HOOK pid_t getppid() noexcept { return controlled ? controlled_process - 1 : MUSTER_REAL(getppid)(); }
MUSTER_HOOK pid_t gettid() noexcept {
  return controlled ? controlled_process + engine->current().id : MUSTER_REAL(gettid)();
}

}  // namespace muster
