#pragma once
// Puts the writable data of the program and of instrumented libraries back to what it was before the first execution, so that every
// execution starts from the same globals and function-local statics.

#include <cstddef>
#include <span>
#include <vector>

namespace muster {

class Restorer {
 public:
  /// Keeps what `ranges` hold now as their content at the start of every execution.
  void snapshot(std::vector<std::span<std::byte>> ranges);
  void restore();
  const std::vector<std::span<std::byte>>& ranges() const { return ranges_; }

  /// The handler for a write to a page that was not written before; false if the fault has another cause.
  bool first_write(void* address);

 private:
  struct Page {
    std::byte* address;
    std::size_t offset;  // in the copy
    std::size_t size;
  };
  void protect_pages(std::span<std::byte> range, std::size_t offset);

  std::vector<std::span<std::byte>> ranges_;
  std::vector<std::byte> copy_;
  std::vector<Page> eager_;     // copied back each time
  std::vector<Page> untouched_; // write-protected until somebody writes there
};

}  // namespace muster
