#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "trace/binary_file.hpp"
#include "trace/text_reader.hpp"

namespace muster::trace {

Format guess_format(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  if (bytes.size() >= sizeof binary::file_magic &&
      std::memcmp(bytes.data(), binary::file_magic, sizeof binary::file_magic) == 0)
    return Format::binary;
  const std::string_view start{reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 4096)};
  const std::size_t delimiter = start.find_first_of("|,");
  if (delimiter != std::string_view::npos) return start[delimiter] == '|' ? Format::std_text : Format::speedygo;
  if (path.extension() == ".log" || path.extension() == ".csv") return Format::speedygo;
  return Format::std_text;
}

std::unique_ptr<TraceReader> open_trace(const std::filesystem::path& path, std::optional<Format> format) {
  switch (format ? *format : guess_format(path)) {
    case Format::std_text:
      return open_std_trace(path);
    case Format::speedygo:
      return open_speedygo_trace(path);
    case Format::binary:
      break;
  }
  auto file = std::make_unique<BinaryFile>(path);
  return file->recorded() ? open_recorded_trace(std::move(file)) : open_stream_trace(std::move(file));
}

}  // namespace muster::trace
