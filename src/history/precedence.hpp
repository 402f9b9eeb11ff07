#pragma once
// Which operation precedes which, where calls and returns alone do not say it: under weak memory "before" is
// happens-before, and that need not be an interval order.

#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "history/operation.hpp"

namespace muster {

/// A square of bits: row a, column b is set when a precedes b. Kept transitive by who fills it.
class PrecedenceMatrix {
 public:
  explicit PrecedenceMatrix(std::size_t operations)
      : size_(operations), row_words_((operations + 63) / 64), words_(operations * row_words_) {}

  std::size_t size() const { return size_; }
  void set(OperationId before, OperationId after) {
    MUSTER_ASSERT(before < size_ && after < size_);
    words_[before * row_words_ + after / 64] |= std::uint64_t{1} << after % 64;
  }
  bool test(OperationId before, OperationId after) const {
    return words_[before * row_words_ + after / 64] >> after % 64 & 1;
  }

 private:
  std::size_t size_;
  std::size_t row_words_;
  std::vector<std::uint64_t> words_;
};

}  // namespace muster
