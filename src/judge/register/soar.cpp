// The two references from the paper. They follow its text and are as slow as it says; register_property.cpp is the fast
// judge.

#include "judge/register/soar.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace muster {
namespace {

using Access = RegisterHistory::Access;

/// linRds of Figure 3: the reads that can be linearized after the last write.
std::vector<Access> linearizable_reads(const Access& last_write, const std::vector<Access>& reads) {
  std::vector<Access> found;
  for (const Access& read : reads) {
    const bool same_value = read.value == last_write.value;                             // a11
    const bool not_before = read.ret > last_write.call;                                 // a12
    const bool followers_agree = std::ranges::all_of(reads, [&](const Access& other) {  // a13
      return !(read.ret < other.call) || other.value == last_write.value;
    });
    if (same_value && not_before && followers_agree) found.push_back(read);
  }
  return found;
}

}  // namespace

bool soar(const RegisterHistory& accesses) {
  std::vector<Access> reads = accesses.reads;
  for (std::size_t last = accesses.writes.size() - 1; last > 0; --last) {
    const Access& write = accesses.writes[last];
    for (const Access& done : linearizable_reads(write, reads)) {
      std::erase_if(reads, [&](const Access& read) { return read.id == done.id; });
    }
    if (std::ranges::any_of(reads, [&](const Access& read) { return read.call > write.ret; })) return false;  // a2
  }
  return std::ranges::all_of(reads, [&](const Access& read) { return read.value == accesses.writes[0].value; });  // a1
}

namespace {

/// Candidate relations over writes 1..W and reads, numbered in that order; the initial write precedes all and is not
/// among them.
class Relations {
 public:
  explicit Relations(const RegisterHistory& accesses)
      : writes_(accesses.writes.size() - 1), initial_(accesses.writes[0].value) {
    operations_.assign(accesses.writes.begin() + 1, accesses.writes.end());
    operations_.insert(operations_.end(), accesses.reads.begin(), accesses.reads.end());
    if (operations_.size() > 32) fail("CLMT takes at most 32 operations, not {}", operations_.size());
    after_.resize(operations_.size());
    for (std::size_t a = 0; a < operations_.size(); ++a) {
      for (std::size_t b = a + 1; b < operations_.size(); ++b) {
        if (b < writes_) {
          put(a, b);  // section 4.2: writes precede each other in their order
        } else {
          pairs_.emplace_back(a, b);
        }
      }
    }
  }

  /// Tries every relation: each pair one way, the other way, or not at all.
  std::optional<bool> some_is_good(std::uint64_t limit) { return search(0, limit); }

 private:
  void put(std::size_t a, std::size_t b) { after_[a] |= 1u << b; }
  void take(std::size_t a, std::size_t b) { after_[a] &= ~(1u << b); }
  bool precedes(std::size_t a, std::size_t b) const { return after_[a] >> b & 1; }
  bool happens_before(std::size_t a, std::size_t b) const { return operations_[a].ret < operations_[b].call; }

  std::optional<bool> search(std::size_t pair, std::uint64_t& limit) {
    if (pair == pairs_.size()) {
      if (limit-- == 0) return std::nullopt;
      return is_good();
    }
    const auto [a, b] = pairs_[pair];
    const auto incomparable = search(pair + 1, limit);
    if (!incomparable || *incomparable) return incomparable;
    put(a, b);
    const auto forward = search(pair + 1, limit);
    take(a, b);
    if (!forward || *forward) return forward;
    put(b, a);
    const auto backward = search(pair + 1, limit);
    take(b, a);
    return backward;
  }

  bool is_transitive() const {
    for (std::size_t a = 0; a < after_.size(); ++a) {
      for (std::size_t b = 0; b < after_.size(); ++b) {
        if (precedes(a, b) && (after_[b] & ~after_[a]) != 0) return false;
      }
    }
    return true;
  }

  /// The writes before `read` with no write between; none means the initial write.
  std::vector<std::size_t> last_preceding_writes(std::size_t read) const {
    std::vector<std::size_t> found;
    for (std::size_t w = 0; w < writes_; ++w) {
      if (!precedes(w, read)) continue;
      bool is_last = true;
      for (std::size_t other = 0; other < writes_; ++other) is_last &= !(precedes(w, other) && precedes(other, read));
      if (is_last) found.push_back(w);
    }
    return found;
  }

  bool is_good() const {
    if (!is_transitive()) return false;
    const std::size_t count = operations_.size();
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        if (!happens_before(a, b)) continue;
        if (precedes(b, a)) return false;                                  // 1
        if (a < writes_ && b >= writes_ && !precedes(a, b)) return false;  // 3
        if (a >= writes_ && b >= writes_) {                                // 4
          for (const std::size_t w : last_preceding_writes(a)) {
            if (!precedes(w, b)) return false;
          }
        }
      }
    }
    for (std::size_t read = writes_; read < count; ++read) {  // 5
      const auto last = last_preceding_writes(read);
      const Value value = operations_[read].value;
      const bool written =
          last.empty() ? value == initial_
                       : std::ranges::any_of(last, [&](std::size_t w) { return operations_[w].value == value; });
      if (!written) return false;
    }
    return true;
  }

  std::size_t writes_;
  Value initial_;
  std::vector<Access> operations_;
  std::vector<std::uint32_t> after_;  ///< by operation: a bit for each that it precedes
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace

std::optional<bool> clmt(const RegisterHistory& accesses, std::uint64_t limit) {
  return Relations(accesses).some_is_good(limit);
}

}  // namespace muster
