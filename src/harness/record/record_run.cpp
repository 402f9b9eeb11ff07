#include "harness/record/record_run.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "harness/record/transaction_functions.hpp"
#include "harness/steps/event_places.hpp"
#include "instrument/tap.hpp"

namespace muster {
namespace {

/// A line break inside a value is written as two characters.
std::string escaped(const std::string& value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text;
}

std::string unescaped(const std::string& text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == '\\' && i + 1 < text.size();
    value += !pair ? text[i] : text[i + 1] == 'n' ? '\n' : text[i + 1];
    i += pair;
  }
  return value;
}

bool expects_transaction_functions = false;

}  // namespace

std::string RunDescription::to_text() const {
  std::string text;
  for (const std::string& argument : arguments) text += "argument " + escaped(argument) + "\n";
  for (const auto& [name, value] : {std::pair("scenario", &scenario), std::pair("check", &check),
                                    std::pair("test", &test), std::pair("atomic", &atomic)}) {
    if (!value->empty()) text += fmt::format("{} {}\n", name, escaped(*value));
  }
  return text;
}

RunDescription RunDescription::parse(const std::string& text) {
  RunDescription run;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto space = line.find(' ');
    const std::string name = line.substr(0, space),
                      value = space == std::string::npos ? "" : unescaped(line.substr(space + 1));
    if (name == "argument")
      run.arguments.push_back(value);
    else if (name == "scenario")
      run.scenario = value;
    else if (name == "check")
      run.check = value;
    else if (name == "test")
      run.test = value;
    else if (name == "atomic")
      run.atomic = value;
  }
  return run;
}

RunDescription read_run_description(const std::string& folder) {
  std::ifstream file(folder + "/run");
  return RunDescription::parse({std::istreambuf_iterator<char>(file), {}});
}

std::optional<std::string> take_recording_request() {
  const char* const file = std::getenv("MUSTER_RECORD");
  if (!file || !*file) return std::nullopt;
  std::string name = file;
  unsetenv("MUSTER_RECORD");
  return name;
}

std::string requested_transaction_functions() {
  const char* const expression = std::getenv("MUSTER_ATOMIC");
  return expression ? expression : "";
}

void begin_recording(const std::string& file, const RunDescription& about) {
  choose_transaction_functions(about.atomic);
  tell_events_outside_headers();
  expects_transaction_functions = !about.atomic.empty();
  if (const int error = tap::start_recording(file.c_str(), about.to_text().c_str()))
    fail("{}: cannot be written: {}", file, std::strerror(error));
  std::atexit(end_recording);
}

void end_recording() {
  tap::stop_recording();
  if (std::exchange(expects_transaction_functions, false) && !any_transaction_function()) {
    fmt::print(
        stderr,
        "muster: no function that was entered matches MUSTER_ATOMIC={}: compile with entry and exit of functions "
        "(muster_add_program, or muster_add_check with FUNCTIONS); a function that was inlined has none\n",
        requested_transaction_functions());
  }
}

}  // namespace muster
