// Any bytes, read as every format: an Error is fine, anything else that goes wrong is not.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "history/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using muster::Format;
  if (size == 0) return 0;
  constexpr Format formats[] = {Format::recognised, Format::json_lines, Format::edn,   Format::jepsen_log,
                                Format::intervals,  Format::processes,  Format::calls, Format::text};
  muster::ReadOptions options;
  options.format = formats[data[0] % std::size(formats)];
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const muster::History history = muster::read_history_text(content, "fuzz", options);
    if (!history.is_positional()) muster::read_history_text(muster::to_json_lines(history), "again");
  } catch (const muster::Error&) {
  }
  return 0;
}
