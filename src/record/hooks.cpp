#include "record/hooks.h"

#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "record/thread_log.hpp"

namespace {

using muster::record::ChunkHeader;
using muster::record::ChunkKind;
using muster::record::Recording;
using muster::record::ThreadLog;
using muster::trace::Kind;

/// The state of the process. Constant initialised, so that hooks may run before any constructor.
struct Recorder {
  alignas(64) std::atomic<std::uint64_t> ticket{0};      // drawn by synchronisation events; on a cache line of its own
  alignas(64) std::atomic<std::uint32_t> generation{0};  // odd while recording
  std::atomic<std::uint32_t> threads{0};
  Recording file;
  pthread_key_t at_thread_exit = 0;
  bool has_key = false;
};

constinit Recorder recorder;

/// The log of this thread, in place: the recorder must not use the heap it may be recording.
struct LogSlot {
  alignas(ThreadLog) std::byte memory[sizeof(ThreadLog)];
  std::uint32_t generation;  // of the recording the log belongs to; 0 if there is none
  std::uint32_t ready;       // the same, while nothing below keeps events from being recorded
  std::uint32_t paused;      // by how many pairs of pause and resume
  bool busy;                 // inside the recorder: events of its own doing are not recorded
  bool ended;                // destructors of thread-locals that run later are not recorded
};

constexpr std::uint32_t most_threads = 65'536;

[[gnu::tls_model("initial-exec")]] constinit thread_local LogSlot slot{};

ThreadLog& log() { return *std::launder(reinterpret_cast<ThreadLog*>(slot.memory)); }

void detach() {
  if (slot.generation != 0) log().~ThreadLog();
  slot.generation = slot.ready = 0;
}

void attach(std::uint32_t thread) {
  detach();
  const std::uint32_t generation = recorder.generation.load(std::memory_order_acquire);
  if (generation % 2 == 0 || thread >= most_threads) return;
  new (slot.memory) ThreadLog(recorder.file, thread);
  slot.generation = generation;
  pthread_setspecific(recorder.at_thread_exit, &slot);
}

/// Whether this thread may record now: then it is ready at once the next time.
[[gnu::noinline]] bool get_ready(std::uint32_t generation) {
  if (generation % 2 == 0 || slot.busy || slot.ended || slot.paused > 0) return false;
  slot.busy = true;
  if (slot.generation != generation) attach(recorder.threads.fetch_add(1));
  slot.busy = false;
  return slot.generation == generation;
}

/// Runs `record(log)` if a recording is on and this is not the recorder itself.
template <class Record>
inline void with_log(Record record) {
  const std::uint32_t generation = recorder.generation.load(std::memory_order_relaxed);
  if (slot.ready != generation || generation == 0) [[unlikely]] {
    if (!get_ready(generation)) return;
  }
  slot.ready = 0;
  slot.busy = true;
  record(log());
  slot.busy = false;
  slot.ready = generation;
}

std::uint64_t draw_ticket() { return recorder.ticket.fetch_add(1, std::memory_order_acq_rel) + 1; }

void synchronize(Kind kind, const volatile void* object, const void* pc) {
  with_log([&](ThreadLog& log) {
    if (!log.make_room(recorder.ticket)) return;
    log.synchronize(kind, reinterpret_cast<std::uint64_t>(object), reinterpret_cast<std::uint64_t>(pc), draw_ticket());
  });
}

void forget_recording() {
  if (recorder.generation.load() % 2 == 1) recorder.generation.fetch_add(1);
}

int add_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& [text, left] = *static_cast<std::pair<char*, std::size_t>*>(data);
  std::uint64_t start = ~std::uint64_t{0}, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    start = std::min<std::uint64_t>(start, info->dlpi_addr + segment.p_vaddr);
    end = std::max<std::uint64_t>(end, info->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  char program[4096] = {};
  const char* path = info->dlpi_name;
  if (!path || !*path) {
    if (::readlink("/proc/self/exe", program, sizeof program - 1) < 0) return 0;
    path = program;
  }
  if (path[0] != '/') return 0;  // the vdso has no file
  const int written = std::snprintf(text, left, "%lx %lx %lx %s\n", static_cast<unsigned long>(info->dlpi_addr),
                                    static_cast<unsigned long>(start), static_cast<unsigned long>(end), path);
  if (written < 0 || static_cast<std::size_t>(written) >= left) return 1;
  text += written;
  left -= static_cast<std::size_t>(written);
  return 0;
}

}  // namespace

extern "C" {

int muster_record_start(const char* path) {
  if (recorder.generation.load() % 2 == 1) muster_record_stop();
  if (!recorder.has_key && pthread_key_create(&recorder.at_thread_exit, [](void*) { muster_record_thread_end(); }) != 0)
    return EAGAIN;
  // The chunks of a forked process are those of its parent: it must not write to them.
  if (!recorder.has_key && pthread_atfork(nullptr, nullptr, forget_recording) != 0) return ENOMEM;
  recorder.has_key = true;
  if (const int error = recorder.file.open(path)) return error;
  recorder.ticket = 0;
  recorder.threads = 1;
  recorder.generation.fetch_add(1);
  muster_record_modules();
  slot.busy = true;
  attach(0);
  slot.busy = false;
  return 0;
}

void muster_record_stop(void) {
  if (recorder.generation.load() % 2 == 0) return;
  muster_record_modules();
  slot.busy = true;
  recorder.generation.fetch_add(1);
  detach();
  recorder.file.close();
  slot.busy = false;
}

void muster_record_modules(void) {
  if (recorder.generation.load() % 2 == 0) return;
  ChunkHeader* const chunk = recorder.file.map_chunk(ChunkKind::modules, 0, 0, recorder.ticket.load(), 0);
  if (!chunk) return;
  char* const text = reinterpret_cast<char*>(chunk + 1);
  std::pair<char*, std::size_t> rest{text, Recording::chunk_bytes - sizeof *chunk};
  dl_iterate_phdr(add_module, &rest);
  chunk->used = static_cast<std::uint64_t>(rest.first - text);
  Recording::unmap_chunk(chunk);
}

void muster_record_about(const char* text) {
  if (recorder.generation.load() % 2 == 0) return;
  ChunkHeader* const chunk = recorder.file.map_chunk(ChunkKind::about, 0, 0, recorder.ticket.load(), 0);
  if (!chunk) return;
  const std::size_t size = std::min(std::strlen(text), Recording::chunk_bytes - sizeof *chunk);
  std::memcpy(chunk + 1, text, size);
  chunk->used = size;
  Recording::unmap_chunk(chunk);
}

void muster_record_pause(void) {
  ++slot.paused;
  slot.ready = 0;
}
void muster_record_resume(void) { --slot.paused; }

void muster_record_access(const volatile void* address, size_t size, int kind, const void* pc) {
  with_log([&](ThreadLog& log) {
    auto at = reinterpret_cast<std::uint64_t>(address);
    for (std::uint64_t left = size; left > 0;) {
      if (!log.make_room(recorder.ticket)) return;
      // Plain accesses that nothing orders have no order to record, so they need not look at the shared counter; atomic
      // ones order others.
      const std::uint64_t ticket = is_plain(static_cast<Kind>(kind)) ? log.ticket() : draw_ticket();
      const std::uint64_t part = std::min<std::uint64_t>(left, muster::trace::binary::largest_range);
      log.access(static_cast<Kind>(kind), at, part, reinterpret_cast<std::uint64_t>(pc), ticket);
      at += part;
      left -= part;
    }
  });
}

void muster_record_lock(const volatile void* lock, int shared, const void* pc) {
  synchronize(shared ? Kind::lock_shared : Kind::lock, lock, pc);
}
void muster_record_unlock(const volatile void* lock, int shared, const void* pc) {
  synchronize(shared ? Kind::unlock_shared : Kind::unlock, lock, pc);
}

uint32_t muster_record_fork(const void* pc) {
  const std::uint32_t child = recorder.threads.fetch_add(1);
  synchronize(Kind::fork, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(child)), pc);
  return child;
}
void muster_record_thread_start(uint32_t thread) {
  slot.busy = true;
  slot.ended = false;
  attach(thread);
  slot.busy = false;
}
void muster_record_thread_end(void) {
  slot.busy = true;
  detach();
  slot.ended = true;
  slot.busy = false;
}
void muster_record_join(uint32_t thread, const void* pc) {
  synchronize(Kind::join, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(thread)), pc);
}

void muster_record_notify(const volatile void* condition, const void* pc) { synchronize(Kind::notify, condition, pc); }
void muster_record_wake(const volatile void* condition, const void* pc) { synchronize(Kind::wake, condition, pc); }
void muster_record_arrive(const volatile void* barrier, const void* pc) { synchronize(Kind::arrive, barrier, pc); }
void muster_record_leave(const volatile void* barrier, const void* pc) { synchronize(Kind::leave, barrier, pc); }
void muster_record_signal(const volatile void* object, const void* pc) { synchronize(Kind::signal, object, pc); }
void muster_record_await(const volatile void* object, const void* pc) { synchronize(Kind::await, object, pc); }

void muster_record_begin_transaction(const void* pc) { synchronize(Kind::begin, nullptr, pc); }
void muster_record_end_transaction(const void* pc) { synchronize(Kind::end, nullptr, pc); }

void muster_record_event(int kind, const volatile void* object, const void* pc) {
  synchronize(static_cast<Kind>(kind), object, pc);
}

}  // extern "C"
