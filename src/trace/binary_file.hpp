#pragma once
// The chunks of a binary trace, checked as far as their headers go.

#include <optional>
#include <string>
#include <vector>

#include "trace/binary_format.hpp"
#include "trace/mapped_file.hpp"
#include "trace/trace_reader.hpp"

namespace muster::trace {

struct Chunk {
  binary::ChunkHeader header;
  std::span<const std::byte> payload;
  std::size_t offset;  // of the chunk in the file, for messages
};

class BinaryFile {
 public:
  explicit BinaryFile(const std::filesystem::path& path);

  const std::string& path() const { return path_; }
  const MappedFile& mapped() const { return mapped_; }
  /// In file order; damage to a header ends the list (see `damage`).
  const std::vector<Chunk>& chunks() const { return chunks_; }
  /// Where and how the file is damaged; what stands before is still readable.
  const std::optional<std::string>& damage() const { return damage_; }
  /// Whether the file ends inside a chunk, or before chunks that were begun.
  bool truncated() const { return truncated_; }
  bool recorded() const;

 private:
  void index_chunks(std::uint32_t chunk_bytes);

  std::string path_;
  MappedFile mapped_;
  std::vector<Chunk> chunks_;
  std::optional<std::string> damage_;
  bool truncated_ = false;
};

/// Whether a sealed payload still has the checksum it was sealed with.
bool checksum_holds(const Chunk& chunk);
std::uint64_t payload_checksum(std::span<const std::byte> payload);

std::unique_ptr<TraceReader> open_stream_trace(std::unique_ptr<BinaryFile> file);
std::unique_ptr<TraceReader> open_recorded_trace(std::unique_ptr<BinaryFile> file);

}  // namespace muster::trace
