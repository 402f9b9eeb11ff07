#pragma once
// The bytes of a file in pieces that end at a line's end: mapped into memory, or decompressed as they are read.

#include <memory>
#include <string>
#include <string_view>

namespace muster {

class Input {
 public:
  virtual ~Input() = default;

  /// The next piece: whole lines, except that the last line of the file may lack its end. Empty at the end.
  /// Valid until the next call. 64 readable bytes follow it.
  virtual std::string_view next() = 0;
};

/// Readable bytes that follow every piece, for parsers that read ahead.
constexpr std::size_t input_padding = 64;

/// Opens a file, or standard input for "-"; recognises gzip and zstd by their first bytes. Throws Error.
std::unique_ptr<Input> open_input(const std::string& path);

}  // namespace muster
