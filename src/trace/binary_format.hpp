#pragma once
// The layout of Muster's binary traces (docs/reference/trace-formats.md): a header page, then chunks of one size. A
// chunk is either part of one interleaved stream (converted traces) or belongs to one thread (recorded ones), and says
// how many of its bytes are whole, so that a file cut anywhere, or left by a crashed program, reads up to that place.

#include <cstddef>
#include <cstdint>

namespace muster::trace::binary {

inline constexpr char file_magic[8] = {'M', 'U', 'S', 'T', 'R', 'A', 'C', 'E'};
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t header_bytes = 4096;
inline constexpr std::uint32_t default_chunk_bytes = 64 << 10;
inline constexpr std::uint32_t largest_chunk_bytes = 1 << 26;
inline constexpr std::uint32_t chunk_magic = 0x4b4e4843;  // "CHNK"

enum class ChunkKind : std::uint32_t { stream = 1, thread = 2, modules = 3, about = 4 };

struct FileHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t chunk_bytes;
  std::uint64_t chunks;  // begun by a recorder so far; 0 in converted traces
};

struct ChunkHeader {
  std::uint32_t magic;
  ChunkKind kind;
  std::uint32_t thread;    // of a thread chunk
  std::uint32_t sequence;  // among the chunks of the stream, or of the thread
  std::uint64_t ticket;    // of a thread chunk: the last one drawn when the chunk was begun
  std::uint64_t index;     // of a thread chunk: the index of its first event in the thread
  std::uint64_t used;      // bytes of payload that are whole; the recorder raises it after each event
  std::uint64_t checksum;  // of the payload; 0 while the chunk is open and in recorded chunks
  std::uint64_t reserved[2];
};
static_assert(sizeof(ChunkHeader) == 64);

// The low five bits of an event's first byte are its kind; in thread chunks the upper three are log2 of an access's
// size, or `range_size` if the size follows the address as a number.
inline constexpr std::uint8_t code_mask = 31;
inline constexpr std::uint8_t range_size = 7;
inline constexpr std::uint64_t largest_range = 4096;
inline constexpr std::uint8_t switch_thread = 30;   // stream chunks: the following events are of this thread (varint)
inline constexpr std::uint8_t advance_ticket = 30;  // thread chunks: the ticket grows by a varint
inline constexpr std::uint8_t define_name = 31;     // stream chunks: class byte, length varint, text; numbered in order

}  // namespace muster::trace::binary
