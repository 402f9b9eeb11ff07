#include "record/thread_log.hpp"

namespace muster::record {

bool ThreadLog::begin_chunk(std::uint64_t ticket) noexcept {
  if (chunk_) Recording::unmap_chunk(chunk_);
  at_ = end_ = nullptr;
  chunk_ = recording_.map_chunk(ChunkKind::thread, thread_, sequence_, ticket, index_);
  if (!chunk_) return false;
  ++sequence_;
  at_ = reinterpret_cast<std::byte*>(chunk_ + 1);
  end_ = reinterpret_cast<std::byte*>(chunk_) + Recording::chunk_bytes;
  ticket_ = ticket;
  address_ = pc_ = 0;
  return true;
}

}  // namespace muster::record
