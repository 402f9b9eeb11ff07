// `muster split`: parts of a search that was stopped, to be gone on with anywhere.

#include <fmt/core.h>

#include "cli/command.hpp"
#include "division/divide.hpp"

namespace muster::cli {

Action add_split(CLI::App& app) {
  app.description("Divide a search that was stopped into parts, to be gone on with on any machine, at any time");
  app.footer(
      "Example:\n"
      "  ./queue_check --unbounded --budget 60s --checkpoint begun\n"
      "  muster split begun 100\n"
      "  ./queue_check --unbounded --resume part-7        # and the others, anywhere; writes part-7.done\n"
      "  muster merge part-*.done --rest rest             # says what is missing, and what is left\n"
      "  ./queue_check --unbounded --resume rest          # goes on, or prints the report\n\n"
      "A part fits only the build of the program that wrote the checkpoint, with the same libraries and settings.");
  struct Settings {
    std::string checkpoint, prefix = "part-";
    unsigned count = 0;
  };
  const auto settings = std::make_shared<Settings>();
  app.add_option("CHECKPOINT", settings->checkpoint, "What --checkpoint wrote, or muster merge --rest")->required();
  app.add_option("PARTS", settings->count, "So many parts, at most")->required()->check(CLI::Range(1, 1'000'000));
  app.add_option("--to", settings->prefix, "Files are called so, with the number of the part")->capture_default_str();
  return [settings] {
    const CheckpointText whole = read_checkpoint(settings->checkpoint);
    if (whole.count > 0)
      fail("{}: is a part already; muster merge makes a whole of all parts first", settings->checkpoint);
    const auto parts = divide(whole, settings->count);
    std::size_t pieces = 0;
    for (const CheckpointText& part : parts) {
      write_checkpoint(fmt::format("{}{}", settings->prefix, part.number), part);
      pieces += part.pieces_left();
    }
    fmt::print("{} part{} of {}, {}1 to {}{}, with {} pieces of the search", parts.size(), parts.size() == 1 ? "" : "s",
               parts.front().subject, settings->prefix, settings->prefix, parts.size(), pieces);
    if (const auto tests = parts.front().tests_known; tests > 0) fmt::print(" and tests that nobody has begun");
    fmt::print("\n");
    if (parts.size() < settings->count)
      fmt::print("There are no more pieces: a search that goes on for longer before it is stopped has more.\n");
    return ExitCode::no_finding;
  };
}

}  // namespace muster::cli
