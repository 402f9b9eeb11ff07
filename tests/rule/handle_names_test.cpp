// Handles are told apart by their values where a serial order has them held at once, and nowhere else.

#include "rule/handle_names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "base/rng.hpp"
#include "rule/observation_set.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

enum : Invocation { give, take, count };

/// A check of handles, as data: `give` gives one, `take` takes it, `count` says how many there are.
CheckDefinition definition() {
  CheckDefinition check;
  check.slots.resize(1);
  check.slots[0].name = "h";
  for (const char* name : {"give", "take", "count"}) {
    check.operations.emplace_back().name = name;
    check.invocations.emplace_back().operation = static_cast<unsigned>(check.operations.size() - 1);
  }
  check.operations[give].gives = 0;
  check.operations[take].takes = 0;
  return check;
}

muster::Test random_test(const CheckDefinition& check, Rng& rng) {
  muster::Test test;
  const std::size_t columns = 2 + rng.below(2);
  for (std::size_t c = 0; c < columns; ++c) {
    Sequence& column = test.columns.emplace_back();
    const std::size_t rows = 1 + rng.below(columns == 2 ? 4 : 3);
    for (std::size_t r = 0; r < rows; ++r) column.emplace_back(static_cast<Invocation>(rng.below(3)));
  }
  test = with_handles(check, test);
  return test;
}

/// The class: the third handle that is held at once is the oldest one again. What its handles are called is `fresh`'s
/// business, as with addresses.
class Giver {
 public:
  using Fresh = std::function<int(const std::map<unsigned, int>&)>;
  explicit Giver(Fresh fresh) : fresh_(std::move(fresh)) {}

  /// The value of the handle that it gives, or what it answers otherwise.
  int run(const TestOperation& operation, unsigned number) {
    if (operation.invocation == count) return static_cast<int>(held_.size());
    if (operation.invocation == take) return static_cast<int>(held_.erase(static_cast<unsigned>(operation.source)));
    const int value = held_.size() < 2 ? fresh_(held_) : oldest();
    order_.push_back(number);
    return held_[number] = value;
  }

 private:
  int oldest() const {
    for (const unsigned number : order_) {
      if (held_.contains(number)) return held_.at(number);
    }
    return -1;
  }

  Fresh fresh_;
  std::map<unsigned, int> held_;  // by the operation that gave it
  std::vector<unsigned> order_;
};

int smallest_free(const std::map<unsigned, int>& held) {
  for (int value = 0;; ++value) {
    if (std::ranges::none_of(held, [&](const auto& one) { return one.second == value; })) return value;
  }
}

class HandlesOf {
 public:
  HandlesOf(const CheckDefinition& check, const muster::Test& test)
      : test_(test), operations_(operations_of(test)), names_(check, test, responses_) {}

  void returns(Recorded& history, unsigned operation, int answer) {
    const bool gives = operations_[operation].invocation == give;
    const std::string text = (gives ? std::string(1, handle_mark) : "") + std::to_string(answer);
    if (names_.some())
      names_.record(operation, text, responses_.number(text), history);
    else
      history.ret(operation, responses_.number(text));
  }

  void for_each_order(const std::function<void(const std::vector<std::uint8_t>&)>& visit) {
    std::vector<std::uint8_t> order;
    std::vector<std::size_t> next(test_.columns.size(), 0);
    const std::function<void()> extend = [&] {
      if (order.size() == operations_.size()) return visit(order);
      unsigned begin = 0;
      for (std::size_t c = 0; c < next.size(); begin += static_cast<unsigned>(test_.columns[c++].size())) {
        if (next[c] == test_.columns[c].size()) continue;
        order.push_back(static_cast<std::uint8_t>(begin + next[c]++));
        extend();
        order.pop_back();
        --next[c];
      }
    };
    extend();
  }

  /// What the class does in this order, and the values of its handles.
  SerialHistory serial(const std::vector<std::uint8_t>& order, std::vector<int>* values = nullptr) {
    Giver object(smallest_free);
    Recorded history;
    history.begin(static_cast<unsigned>(operations_.size()));
    if (values) values->resize(operations_.size());
    for (const unsigned i : order) {
      history.call(i);
      const int answer = object.run(operations_[i], i);
      if (values) (*values)[i] = answer;
      returns(history, i, answer);
    }
    SerialHistory made{order, {history.response.begin(), history.response.begin() + history.size}, 0, false};
    if (names_.some()) names_.put_names(history, made.response);
    return made;
  }

  /// Calls, effects and returns as they come. `answer_of` says what an operation answers when it takes effect.
  Recorded draw(Rng& rng, const std::function<int(const TestOperation&, unsigned)>& answer_of) {
    enum Step { call, effect, ret };
    Recorded history;
    history.begin(static_cast<unsigned>(operations_.size()));
    std::vector<std::size_t> next(test_.columns.size(), 0);
    std::vector<int> step(test_.columns.size(), call), answer(test_.columns.size());
    for (;;) {
      std::vector<std::size_t> able;
      for (std::size_t c = 0; c < next.size(); ++c) {
        if (next[c] < test_.columns[c].size()) able.push_back(c);
      }
      if (able.empty()) return history;
      const std::size_t c = able[rng.below(able.size())];
      unsigned operation = static_cast<unsigned>(next[c]);
      for (std::size_t before = 0; before < c; ++before)
        operation += static_cast<unsigned>(test_.columns[before].size());
      if (step[c] == call) {
        history.call(operation);
      } else if (step[c] == effect) {
        answer[c] = answer_of(operations_[operation], operation);
      } else {
        returns(history, operation, answer[c]);
        ++next[c];
      }
      step[c] = (step[c] + 1) % 3;
    }
  }

  /// Whether handles that are held at once in this order are the same in the history just where they are here.
  bool agrees_by_definition(const std::vector<std::uint8_t>& order, const std::vector<int>& values,
                            const GivenHandles& handles) const {
    const auto place = [&](int operation) { return std::ranges::find(order, operation) - order.begin(); };
    for (unsigned a = 0; a < operations_.size(); ++a) {
      for (unsigned b = 0; b < operations_.size(); ++b) {
        if (a == b || operations_[a].invocation != give || operations_[b].invocation != give) continue;
        bool taken_before_b = false;
        for (unsigned t = 0; t < operations_.size(); ++t)
          taken_before_b |=
              operations_[t].source == static_cast<int>(a) && place(static_cast<int>(t)) < place(static_cast<int>(b));
        if (place(static_cast<int>(a)) > place(static_cast<int>(b)) || taken_before_b) continue;
        if ((values[a] == values[b]) != handles.same(a, b)) return false;
      }
    }
    return true;
  }

  bool is_explained_by_definition(const Recorded& history) {
    bool explained = false;
    for_each_order([&](const std::vector<std::uint8_t>& order) {
      std::vector<int> values;
      const SerialHistory run = serial(order, &values);
      std::uint64_t placed = 0;
      bool fits = true;
      for (const unsigned i : order) {
        fits &= (history.before[i] & ~placed) == 0;
        fits &= operations_[i].invocation == give || run.response[i] == history.response[i];
        placed |= bit_of(i);
      }
      explained |= fits && agrees_by_definition(order, values, history.handles);
    });
    return explained;
  }

  ObservationSet observed() {
    ObservationSet set(test_, responses_, 0, names_);
    for_each_order([&](const auto& order) { EXPECT_FALSE(set.add(serial(order))) << "it is deterministic"; });
    return set;
  }
  Responses& responses() { return responses_; }
  const HandleNames& names() const { return names_; }

 private:
  const muster::Test& test_;
  std::vector<TestOperation> operations_;
  Responses responses_;
  HandleNames names_;
};

TEST(HandleNames, WhatIsLinearizableIsExplainedWhateverTheValuesAre) {
  Rng rng(11);
  const CheckDefinition check = definition();
  const int rounds = muster::test::cases(400, 10'000);
  for (int round = 0; round < rounds; ++round) {
    const muster::Test test = random_test(check, rng);
    if (test.columns.empty()) continue;
    HandlesOf handles(check, test);
    const ObservationSet observed = handles.observed();
    for (int i = 0; i < 30; ++i) {
      // A value that nobody holds may be any one, new or used before.
      Giver object([&](const auto& held) {
        for (;;) {
          const int value = static_cast<int>(rng.below(4));
          if (std::ranges::none_of(held, [&](const auto& one) { return one.second == value; })) return value;
        }
      });
      const Recorded history = handles.draw(
          rng, [&](const TestOperation& operation, unsigned number) { return object.run(operation, number); });
      ASSERT_TRUE(observed.explains(history)) << to_text(check, test);
      ASSERT_TRUE(observed.explains_classic(history)) << to_text(check, test);
    }
  }
}

TEST(HandleNames, AnythingElseIsExplainedJustWhereTheDefinitionSaysSo) {
  Rng rng(12);
  const CheckDefinition check = definition();
  const int rounds = muster::test::cases(300, 10'000);
  int explained = 0, unexplained = 0;
  for (int round = 0; round < rounds; ++round) {
    const muster::Test test = random_test(check, rng);
    if (test.columns.empty()) continue;
    HandlesOf handles(check, test);
    const ObservationSet observed = handles.observed();
    for (int i = 0; i < 20; ++i) {
      Giver object(smallest_free);
      const bool wild = rng.below(2) == 0;
      const Recorded history = handles.draw(rng, [&](const TestOperation& operation, unsigned number) {
        const int answer = object.run(operation, number);
        const bool other = operation.invocation == give && (wild || rng.below(4) == 0);
        return other ? static_cast<int>(rng.below(3)) : answer;
      });
      const bool expected = handles.is_explained_by_definition(history);
      ASSERT_EQ(observed.explains(history), expected) << to_text(check, test);
      ASSERT_EQ(observed.explains_classic(history), expected) << to_text(check, test);
      (expected ? explained : unexplained) += 1;
    }
  }
  EXPECT_GT(explained, rounds);
  EXPECT_GT(unexplained, rounds);
}

TEST(HandleNames, AllHistoriesOfAClassAreJudgedAsEachOfThem) {
  Rng rng(13);
  const CheckDefinition check = definition();
  const int rounds = muster::test::cases(300, 10'000);
  int passing = 0, failing = 0;
  for (int round = 0; round < rounds; ++round) {
    const muster::Test test = random_test(check, rng);
    if (test.columns.empty()) continue;
    HandlesOf handles(check, test);
    const ObservationSet observed = handles.observed();
    for (int i = 0; i < 10; ++i) {
      const Recorded drawn =
          handles.draw(rng, [&](const TestOperation&, unsigned) { return static_cast<int>(rng.below(3)); });
      HistoryClass classed;
      classed.size = drawn.size;
      classed.called = classed.returned = drawn.called;
      classed.handles = drawn.handles;
      const auto operations = operations_of(test);
      for (unsigned a = 0; a < classed.size; ++a) {
        classed.response[a] = drawn.response[a];
        for (unsigned b = 0; b < classed.size; ++b) {
          const bool same = operations[a].column == operations[b].column;
          if (same && b < a) classed.always_before[a] |= bit_of(b);
          const bool begun = !(drawn.before[b] & bit_of(a));  // so there is such a history
          if (a != b && (same ? b < a : begun && rng.below(3) > 0)) classed.begun_before_end[a] |= bit_of(b);
        }
      }
      bool all = true;
      each_history(classed, handles.responses(),
                   [&](const Recorded& history) { return all = observed.explains(history); });
      const ClassRuling ruling = observed.explains_all(classed, [] { return true; });
      ASSERT_EQ(ruling.kind, all ? ClassRuling::Kind::passes : ClassRuling::Kind::fails) << to_text(check, test);
      ASSERT_TRUE(all || !observed.explains(classed.strictest()));
      (all ? passing : failing) += 1;
    }
  }
  EXPECT_GT(passing, rounds / 10);
  EXPECT_GT(failing, rounds);
}

TEST(HandleNames, AHandleKeepsItsNameUntilItIsTaken) {
  const CheckDefinition check = definition();
  const muster::Test test = parse_test(check, "give, take | give, give");
  HandlesOf handles(check, test);
  const auto names = [&](const std::vector<std::pair<unsigned, int>>& marks) {
    Recorded history;
    history.begin(4);
    for (const auto& [operation, answer] : marks) {
      if (answer < 0)
        history.call(operation);
      else
        handles.returns(history, operation, answer);
    }
    const Recorded named = handles.names().named(history);
    std::string text;
    for (const unsigned i : {0u, 2u, 3u}) text += handles.responses().text(named.response[i]) + " ";
    return text;
  };
  constexpr int call = -1;
  EXPECT_EQ(names({{0, call}, {0, 7}, {1, call}, {1, 1}, {2, call}, {2, 7}, {3, call}, {3, 7}}), "h#A1 h#B1 h#B1 ");
  EXPECT_EQ(names({{0, call}, {0, 7}, {1, call}, {2, call}, {2, 7}, {1, 1}, {3, call}, {3, 7}}), "h#A1 h#A1 h#A1 ")
      << "while the call that takes it has not returned, it may be held";
  EXPECT_EQ(names({{2, call}, {0, call}, {0, 7}, {2, 7}, {1, call}, {1, 1}, {3, call}, {3, 8}}), "h#A1 h#A1 h#B2 ");
  EXPECT_EQ(names({{2, call}, {0, call}, {2, 7}, {0, 7}, {3, call}, {3, 7}, {1, call}, {1, 1}}), "h#B1 h#B1 h#B1 ");
}

TEST(HandleNames, KeysDependOnWhichHandlesAreTheSameNotOnTheirValues) {
  const CheckDefinition check = definition();
  const muster::Test test = parse_test(check, "give | give");
  HandlesOf handles(check, test);
  const auto key = [&](int a, int b, bool other_way_round) {
    Recorded history;
    history.begin(2);
    history.call(0);
    history.call(1);
    handles.returns(history, other_way_round ? 1 : 0, other_way_round ? b : a);
    handles.returns(history, other_way_round ? 0 : 1, other_way_round ? a : b);
    return history.key(handles.responses());
  };
  EXPECT_EQ(key(1, 1, false), key(5, 5, true));
  EXPECT_EQ(key(1, 2, false), key(5, 3, true));
  EXPECT_NE(key(1, 1, false), key(1, 2, false));
}

}  // namespace
}  // namespace muster
