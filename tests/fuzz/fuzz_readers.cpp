// Any bytes, read as every format and judged by every spec: an Error is fine, anything else that goes wrong is not.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "history/read.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using muster::Format;
  if (size == 0) return 0;
  constexpr Format formats[] = {Format::recognised, Format::json_lines, Format::edn,   Format::jepsen_log,
                                Format::intervals,  Format::processes,  Format::calls, Format::text};
  static const std::vector<std::string_view> names = muster::spec_names();
  muster::ReadOptions options;
  options.format = formats[data[0] % std::size(formats)];
  const std::string_view content(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    muster::History history = muster::read_history_text(content, "fuzz", options);
    if (!history.is_positional()) muster::read_history_text(muster::to_json_lines(history), "again");
    const std::size_t which = data[0] / std::size(formats);
    const muster::SpecPtr spec = muster::spec_for(history, which < names.size() ? names[which] : "");
    muster::judge_linearizability(history, *spec, {.steps = 2'000});
  } catch (const muster::Error&) {
  }
  return 0;
}
