#pragma once
// Puts the writable data of the program and of instrumented libraries back to what it was before the first execution,
// so that every execution starts from the same globals and function-local statics.

#include <cstddef>
#include <span>
#include <vector>

#include "base/tape.hpp"

namespace muster {

class Restorer {
 public:
  /// Keeps what `ranges` hold now as their content at the start of every execution.
  void snapshot(std::vector<std::span<std::byte>> ranges);
  void restore();
  const std::vector<std::span<std::byte>>& ranges() const { return ranges_; }

  /// Data of libraries that keep it from execution to execution: pages of it that are written to go back with `pass`,
  /// and only with it.
  void follow(const std::vector<std::span<std::byte>>& ranges);
  void stop_following();
  /// For when no saved state is left, also to begin with: nothing is passed of pages until they are written to.
  void follow_anew();

  void pass(Tape& tape);
  std::size_t size_to_pass() const;

  /// The handler for a write to a page that was not written before; false if the fault has another cause.
  bool first_write(void* address);

 private:
  struct Page {
    std::byte* address;
    std::size_t offset;  // in the copy
    std::size_t size;
  };
  static bool take_page(std::vector<Page>& from, std::vector<Page>& to, std::byte* address);
  static void put_back_from(std::size_t first, const std::vector<Page>& pages, const std::vector<std::byte>& copy);
  void protect_pages(std::span<std::byte> range, std::size_t offset);

  std::vector<std::span<std::byte>> ranges_;
  std::vector<std::byte> copy_;
  std::vector<Page> eager_;               // copied back each time
  std::vector<Page> untouched_;           // write-protected until somebody writes there
  std::vector<std::byte> followed_copy_;  // of followed pages, as they were before somebody wrote there
  std::vector<Page> followed_;            // written to
  std::vector<Page> unwritten_;           // write-protected
};

}  // namespace muster
