#pragma once
// Bad input is an `Error`: thrown where it is found, caught once, at the edge of a program (exit code 2).

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace muster {

/// What is wrong, where, and what to do about it: "queue.jsonl:14: return of operation 7, which was never called".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  std::string message = fmt::format(format, std::forward<Args>(args)...);
  std::replace(message.begin(), message.end(), '\0', '\x7f');  // what() would end there
  throw Error(message);
}

/// Exit codes of every Muster program.
enum class ExitCode { no_finding = 0, finding = 1, bad_input = 2, undecided = 3 };

}  // namespace muster
