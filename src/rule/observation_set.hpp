#pragma once
// What a class does when it is called serially, as observed (Line-Up, section 3.3): all full and stuck serial histories
// of one test, and the look-up of witnesses among them.

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rule/handle_names.hpp"
#include "rule/serial_spec.hpp"

namespace muster {

class ObservationSet final : public SerialSpec {
 public:
  /// Operations in `asynchronous` may take effect after they returned. `responses` gives the numbers of the answers.
  ObservationSet(const Test& test, const Responses& responses, std::uint64_t asynchronous = 0, HandleNames names = {});

  /// Adds a serial history. Gives back an earlier one that answers differently after a common prefix: the class is
  /// nondeterministic.
  std::optional<SerialHistory> add(SerialHistory history);

  bool explains(const Recorded& history) const override;
  ClassRuling explains_all(const HistoryClass& classed, absl::FunctionRef<bool()> go_on) const override;
  bool explains_stuck(const Recorded& history, unsigned operation) const override;
  bool explains_classic(const Recorded& history) const override;
  bool each_order(const Recorded& history, const std::function<bool(const SerialHistory&)>& tell) const override;

  const std::vector<SerialHistory>& histories() const { return histories_; }
  unsigned operations() const { return size_; }
  std::size_t full() const { return histories_.size() - stuck_; }
  std::size_t stuck() const { return stuck_; }

 private:
  /// The orders in which the same operations gave the same answers: a bit for each pair of operations of different
  /// columns.
  struct Group {
    std::vector<std::uint64_t> orders;  // words_ a history
    std::vector<std::uint32_t> histories;
  };
  /// A point of the tree of all serial histories. Points are named by their place in `nodes_`; the root, 0, follows
  /// none.
  struct Node {
    std::uint16_t step = 0;  // the operation that led here, with a flag for answers without running
    ResponseId response = absent;
    std::uint32_t history = 0;       // the first that came here
    std::uint32_t sibling = 0;       // the point after the same one that was added before
    std::uint32_t newest_after = 0;  // of the points after this one; the others are its siblings
  };
  /// Bits that an order must have, and bits that it must not have. As far as there are words.
  static constexpr unsigned most_words = (max_operations * (max_operations - 1) / 2 + 63) / 64;
  struct Constraints {
    std::array<std::uint64_t, most_words> set, clear;
    const GivenHandles* handles;  // what they must be, too
  };
  /// Where the last witness was found. Histories of one class have the same answers, and often the same witness.
  struct Found {
    const Group* group = nullptr;
    const std::vector<ResponseId>* answers = nullptr;
    std::size_t order = 0;
  };

  /// 0 if there is none.
  std::uint32_t node_after(std::uint32_t node, unsigned step) const;
  int pair(unsigned a, unsigned b) const { return pairs_[a * size_ + b]; }
  Constraints constraints(const Recorded& history, std::uint64_t among) const;
  bool keeps_order(const SerialHistory& serial, const Recorded& history) const;
  bool keeps(const Group& group, std::size_t order, const Constraints& constraints) const;
  bool find(std::vector<ResponseId> answers, const Constraints& constraints, const Recorded& history) const;
  bool has_handles(std::uint32_t history, const GivenHandles& handles) const;
  bool find_exactly(const std::vector<ResponseId>& answers, const Constraints& constraints) const;

  unsigned size_;
  const Responses& responses_;
  unsigned words_ = 1;
  std::uint64_t asynchronous_;
  HandleNames names_;
  std::vector<std::vector<HandleNames::Held>> held_;  // by history, if there are handles
  std::vector<int> pairs_;                            // for a < b of different columns the number of their bit, else -1
  std::vector<SerialHistory> histories_;
  std::size_t stuck_ = 0;
  bool has_excuses_ = false;
  std::vector<ResponseId> excuses_;  // by operation: what it answers where it does not run; absent if it always runs
  std::vector<Node> nodes_{1};
  struct HashResponses {
    std::size_t operator()(const std::vector<ResponseId>& responses) const {
      return hash_bytes(std::as_bytes(std::span(responses)));
    }
  };
  std::unordered_map<std::vector<ResponseId>, Group, HashResponses> groups_;
  mutable Found last_;
};

/// Operations of `history` that overlap another one.
std::uint64_t overlapping(const Recorded& history);

}  // namespace muster
