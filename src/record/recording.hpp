#pragma once
// The file of one recording: chunks of a shared mapping, handed out to threads. What a thread wrote into its chunk is
// in the page cache, so it survives the death of the process; memory in use is one chunk a thread.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "trace/binary_format.hpp"

namespace muster::record {

using trace::binary::ChunkHeader;
using trace::binary::ChunkKind;

class Recording {
 public:
  static constexpr std::uint32_t chunk_bytes = 256 << 10;

  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// 0 or an errno value.
  int open(const char* path) noexcept;
  /// Cuts the file behind its last chunk. Chunks that are mapped stay writable, and their bytes reach the file.
  void close() noexcept;

  /// A fresh chunk, mapped, its header filled in; nullptr if the disk is full.
  ChunkHeader* map_chunk(ChunkKind kind, std::uint32_t thread, std::uint32_t sequence, std::uint64_t ticket,
                         std::uint64_t index) noexcept;
  static void unmap_chunk(ChunkHeader* chunk) noexcept;

 private:
  bool grow(std::uint64_t bytes) noexcept;
  ChunkHeader* map_next() noexcept;

  int file_ = -1;
  trace::binary::FileHeader* header_ = nullptr;
  std::atomic<std::uint64_t> size_{0};     // of the file
  std::atomic<std::uint32_t> mapping_{0};  // threads inside map_chunk: the file is not closed under them
  std::atomic<bool> open_{false};
};

}  // namespace muster::record
