#pragma once
// What steps inside the standard library are for the program that calls it.

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "finding/finding.hpp"
#include "harness/steps/tracer.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

class LibraryWords {
 public:
  LibraryWords(const std::vector<TracedEvent>& events, Symbolizer& symbolizer);

  /// Tells a step by the function that the program called, or by what that does with a shared pointer, where it is
  /// about data of the library's own.
  void retell(const TracedEvent& traced, std::span<const std::uint64_t> stack, Step& step);

 private:
  Symbolizer& symbolizer_;
  std::set<ObjectId> shared_;  // by several threads
};

}  // namespace muster
