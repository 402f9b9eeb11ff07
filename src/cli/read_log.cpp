#include "cli/read_log.hpp"

#include "base/error.hpp"
#include "history/read.hpp"
#include "report/terminal.hpp"

namespace muster::cli {
namespace {

[[noreturn]] void complain_of_nothing(const HistorySource& source) {
  if (source.failed == 0 && source.ignored > 0)
    fail("{}: holds no operations, only {}", source.name, counted(source.ignored, "other entry", "other entries"));
  if (source.failed == 0) fail("{}: holds no operations", source.name);
  fail("{}: {}, and what failed did not happen; --failed observed takes failed compare-and-sets as answers",
       source.name,
       source.failed == 1 ? "the only operation failed"
                          : fmt::format("all {} operations failed", with_commas(source.failed)));
}

}  // namespace

History read_log(const std::string& path, const CheckOptions& options) {
  History history = read_history(path, options.read_options());
  if (history.empty()) complain_of_nothing(history.source());
  return history;
}

}  // namespace muster::cli
