#include "trace/binary_file.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace muster::trace {

using namespace binary;

BinaryFile::BinaryFile(const std::filesystem::path& path) : path_(path.string()), mapped_(path) {
  const auto bytes = mapped_.bytes();
  FileHeader header;
  if (bytes.size() < sizeof header) fail("{}: too short for a Muster trace ({} bytes)", path_, bytes.size());
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, file_magic, sizeof file_magic) != 0) fail("{}: not a Muster trace", path_);
  if (header.version != version)
    fail("{}: version {} of the trace format; this Muster reads version {}", path_, header.version, version);
  if (header.chunk_bytes <= sizeof(ChunkHeader) || header.chunk_bytes > largest_chunk_bytes)
    fail("{}: chunk size {} is impossible; the header is damaged", path_, header.chunk_bytes);
  index_chunks(header.chunk_bytes);
  const std::size_t held =
      (std::max(bytes.size(), header_bytes) - header_bytes + header.chunk_bytes - 1) / header.chunk_bytes;
  truncated_ |= header.chunks > held;
}

void BinaryFile::index_chunks(std::uint32_t chunk_bytes) {
  const auto bytes = mapped_.bytes();
  for (std::size_t offset = header_bytes; offset < bytes.size(); offset += chunk_bytes) {
    Chunk chunk{.header = {}, .payload = {}, .offset = offset};
    const std::size_t available = std::min<std::size_t>(chunk_bytes, bytes.size() - offset);
    std::memcpy(&chunk.header, bytes.data() + offset, std::min(available, sizeof chunk.header));
    if (available < sizeof chunk.header) {
      truncated_ = true;
      return;
    }
    if (chunk.header.magic == 0) continue;  // reserved by a recorder that never wrote to it
    const auto kind = static_cast<std::uint32_t>(chunk.header.kind);
    if (chunk.header.magic != chunk_magic || kind < 1 || kind > 4 ||
        chunk.header.used > chunk_bytes - sizeof chunk.header) {
      damage_ =
          fmt::format("{}: byte {}: the header of a chunk is damaged; what follows it is not read", path_, offset);
      return;
    }
    const std::size_t whole = std::min<std::size_t>(chunk.header.used, available - sizeof chunk.header);
    truncated_ |= whole < chunk.header.used;
    chunk.payload = bytes.subspan(offset + sizeof chunk.header, whole);
    chunks_.push_back(chunk);
  }
}

bool BinaryFile::recorded() const {
  return std::any_of(chunks_.begin(), chunks_.end(),
                     [](const Chunk& chunk) { return chunk.header.kind != ChunkKind::stream; });
}

std::uint64_t payload_checksum(std::span<const std::byte> payload) { return hash_bytes(payload, version) | 1; }

bool checksum_holds(const Chunk& chunk) {
  if (chunk.header.checksum == 0 || chunk.payload.size() < chunk.header.used) return true;
  return chunk.header.checksum == payload_checksum(chunk.payload);
}

}  // namespace muster::trace
