#pragma once
// How many executions a branch has, told by those that ended: of the same depth in the same tree they are alike, and
// what is alike can be told before it is explored.

#include <cstdint>
#include <limits>
#include <vector>

namespace muster {

class BranchSizes {
 public:
  /// The executions made so far: the branches of `depth` decisions have begun with this one, unless they have before.
  void executed(std::size_t depth) {
    begun_.resize(depth, made_);
    ++made_;
  }

  /// The branch that the decision at `depth` is on has ended, and another one begins there, or none.
  void ended(std::size_t depth) {
    if (depth >= begun_.size()) return;
    if (sizes_.size() <= depth) sizes_.resize(depth + 1);
    sizes_[depth].add(made_ - begun_[depth]);
    begun_.resize(depth + 1);
    begun_[depth] = made_;
  }

  /// The search goes on with so many decisions.
  void resume(std::size_t depth) {
    if (begun_.size() > depth) begun_.resize(depth);
  }

  /// Of a branch that begins at `depth`. Where none has ended there, those below tell that it is larger; before any has
  /// ended, all are.
  double expected(std::size_t depth) const {
    if (sizes_.empty()) return std::numeric_limits<double>::infinity();
    double larger = 1;
    for (std::size_t i = depth; i < sizes_.size(); ++i, larger *= growth) {
      if (sizes_[i].count > 0) return larger * sizes_[i].average();
    }
    return larger;
  }

 private:
  static constexpr double growth = 1.4;  // from one decision to the one above, where nothing else is known

  struct Size {
    double sum = 0, count = 0;
    double average() const { return sum / count; }
    /// Those of long ago count less: the tree is not the same everywhere.
    void add(std::uint64_t size) {
      constexpr double most = 64;
      if (count >= most) sum /= 2, count /= 2;
      sum += static_cast<double>(size);
      ++count;
    }
  };

  std::uint64_t made_ = 0;
  std::vector<std::uint64_t> begun_;  // by decision of the current path: when its branch did
  std::vector<Size> sizes_;           // by depth
};

}  // namespace muster
