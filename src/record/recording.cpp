#include "record/recording.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace muster::record {

using namespace trace::binary;

int Recording::open(const char* path) noexcept {
  file_ = ::open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file_ < 0) return errno;
  if (::ftruncate(file_, header_bytes) != 0) return errno;
  void* const page = ::mmap(nullptr, header_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (page == MAP_FAILED) return errno;
  header_ = static_cast<FileHeader*>(page);
  std::memcpy(header_->magic, file_magic, sizeof file_magic);
  header_->version = version;
  header_->chunk_bytes = chunk_bytes;
  size_ = header_bytes;
  open_ = true;
  return 0;
}

void Recording::close() noexcept {
  if (!open_.exchange(false)) return;
  while (mapping_.load() > 0) ::sched_yield();
  const std::uint64_t chunks = std::atomic_ref(header_->chunks).load();
  if (::ftruncate(file_, static_cast<off_t>(header_bytes + chunks * chunk_bytes)) != 0) {
    // Chunks that were never begun stay at the end of the file; readers skip them.
  }
  ::munmap(header_, header_bytes);
  ::close(file_);
  header_ = nullptr;
  file_ = -1;
}

bool Recording::grow(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t extent = 64 * std::uint64_t{chunk_bytes};
  std::uint64_t known = size_.load();
  while (known < bytes) {
    const std::uint64_t wanted = bytes + extent;
    // posix_fallocate never shrinks, so threads that grow the file at one time do not undo each other; and a full disk
    // is an error here rather than a bus error later.
    if (::posix_fallocate(file_, static_cast<off_t>(known), static_cast<off_t>(wanted - known)) != 0) return false;
    size_.compare_exchange_strong(known, wanted);
    known = size_.load();
  }
  return true;
}

ChunkHeader* Recording::map_chunk(ChunkKind kind, std::uint32_t thread, std::uint32_t sequence, std::uint64_t ticket,
                                  std::uint64_t index) noexcept {
  mapping_.fetch_add(1);
  ChunkHeader* const chunk = open_.load() ? map_next() : nullptr;
  if (chunk) {
    chunk->kind = kind;
    chunk->thread = thread;
    chunk->sequence = sequence;
    chunk->ticket = ticket;
    chunk->index = index;
    std::atomic_signal_fence(std::memory_order_release);
    chunk->magic = chunk_magic;
  }
  mapping_.fetch_sub(1);
  return chunk;
}

ChunkHeader* Recording::map_next() noexcept {
  const std::uint64_t number = std::atomic_ref(header_->chunks).fetch_add(1);
  const std::uint64_t offset = header_bytes + number * chunk_bytes;
  if (!grow(offset + chunk_bytes)) return nullptr;
  void* const memory =
      ::mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(offset));
  if (memory == MAP_FAILED) return nullptr;
#ifdef MADV_POPULATE_WRITE
  // All pages at once, ready to be written; where the kernel does not know that, one by one.
  ::madvise(memory, chunk_bytes, MADV_POPULATE_WRITE);
#endif
  return static_cast<ChunkHeader*>(memory);
}

void Recording::unmap_chunk(ChunkHeader* chunk) noexcept { ::munmap(chunk, chunk_bytes); }

}  // namespace muster::record
