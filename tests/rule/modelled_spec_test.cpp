// A model and the set of all serial histories of the same object must judge alike.

#include "rule/modelled_spec.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"
#include "rule/observation_set.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

/// A semaphore that starts at 0.
struct Semaphore {
  enum : Invocation { release, count, acquire, kinds };

  /// False if it blocks.
  static bool apply(int& value, Invocation invocation, std::string& answer) {
    if (invocation == acquire && value == 0) return false;
    answer = invocation == count ? std::to_string(value) : "";
    value += invocation == release ? 1 : invocation == acquire ? -1 : 0;
    return true;
  }

  struct Maker final : detail::ModelMaker {
    void* make() const override { return new int(0); }
    void destroy(void* model) const override { delete static_cast<int*>(model); }
    void* copy(const void* model) const override { return new int(*static_cast<const int*>(model)); }
    bool equal(const void* a, const void* b) const override {
      return *static_cast<const int*>(a) == *static_cast<const int*>(b);
    }
    std::uint64_t hash(const void*) const override { return 0; }
  };
  struct Call final : detail::Invoke {
    explicit Call(Invocation invocation)
        : Invoke([](const Invoke&, detail::CallFrame&, detail::ResponseSink&) {}), invocation(invocation) {}
    bool run_on_models(void* const* models, detail::ResponseSink& response) const override {
      std::string answer;
      if (!apply(*static_cast<int*>(models[0]), invocation, answer)) return false;
      response.put(answer);
      return true;
    }
    Invocation invocation;
  };

  static CheckDefinition definition(bool excused, bool asynchronous) {
    CheckDefinition check;
    check.name = "semaphore";
    check.objects.emplace_back();
    check.models.push_back(std::make_unique<Maker>());
    for (Invocation i = 0; i < kinds; ++i) {
      check.operations.push_back({.name = "operation", .excuses = {}});
      check.invocations.push_back({i, "", std::make_unique<Call>(i)});
    }
    if (excused) check.operations[count].excuses = {"0", "2"};
    check.operations[release].asynchronous = asynchronous;
    return check;
  }
};

/// All serial histories, by the definitions: nothing follows an asynchronous operation but by choice, and a declared
/// one may be skipped.
class Observer {
 public:
  Observer(const CheckDefinition& check, const Test& test, Responses& responses, std::uint64_t asynchronous,
           ObservationSet& observed)
      : check_(check),
        operations_(operations_of(test)),
        responses_(responses),
        asynchronous_(asynchronous),
        observed_(observed) {
    serial_.response.assign(operations_.size(), absent);
  }
  void extend(int value, std::uint64_t placed) {
    bool complete = true;
    for (unsigned i = 0; i < operations_.size(); ++i) {
      if (placed >> i & 1) continue;
      complete = false;
      if (!may_come(i, placed)) continue;
      serial_.order.push_back(static_cast<std::uint8_t>(i));
      int next = value;
      std::string answer;
      if (Semaphore::apply(next, operations_[i].invocation, answer)) {
        serial_.response[i] = responses_.number(answer);
        extend(next, placed | std::uint64_t{1} << i);
      } else {
        serial_.response[i] = pending;
        serial_.stuck = true;
        EXPECT_FALSE(observed_.add(serial_));
        serial_.stuck = false;
      }
      const auto& definition = check_.operations[check_.invocations[operations_[i].invocation].operation];
      if (!definition.excuses.empty()) {
        serial_.response[i] = responses_.any_of(definition.excuses);
        serial_.excused |= std::uint64_t{1} << i;
        extend(value, placed | std::uint64_t{1} << i);
        serial_.excused &= ~(std::uint64_t{1} << i);
      }
      serial_.order.pop_back();
      serial_.response[i] = absent;
    }
    if (complete) {
      EXPECT_FALSE(observed_.add(serial_));
    }
  }

 private:
  bool may_come(unsigned i, std::uint64_t placed) const {
    for (unsigned j = 0; j < i; ++j) {
      const bool before = operations_[j].column == operations_[i].column && !(asynchronous_ >> j & 1);
      if (before && !(placed >> j & 1)) return false;
    }
    return true;
  }

  const CheckDefinition& check_;
  std::vector<TestOperation> operations_;
  Responses& responses_;
  std::uint64_t asynchronous_;
  ObservationSet& observed_;
  SerialHistory serial_;
};

/// Random calls and returns with random answers; some columns stop inside an operation.
Recorded random_modelled_history(const Test& test, Responses& responses, Rng& rng) {
  Recorded history;
  history.begin(static_cast<unsigned>(test.size()));
  const auto operations = operations_of(test);
  std::vector<unsigned> next(test.columns.size()), end(test.columns.size());
  unsigned at = 0;
  for (std::size_t c = 0; c < test.columns.size(); ++c) {
    next[c] = at;
    end[c] = at += static_cast<unsigned>(test.columns[c].size());
  }
  for (;;) {
    std::vector<std::size_t> able;
    for (std::size_t c = 0; c < next.size(); ++c) {
      if (next[c] < end[c]) able.push_back(c);
    }
    if (able.empty()) return history;
    const std::size_t c = able[rng.below(able.size())];
    if (!(history.called >> next[c] & 1)) {
      history.call(next[c]);
      if (rng.below(8) == 0) end[c] = next[c];  // it never returns
    } else {
      const bool reads = operations[next[c]].invocation == Semaphore::count;
      history.ret(next[c]++, responses.number(reads ? std::to_string(rng.below(3)) : ""));
    }
  }
}

muster::Test random_test_of_semaphore(Rng& rng) {
  muster::Test test;
  for (std::uint64_t c = 0; c < 2 + rng.below(2); ++c) {
    test.columns.emplace_back();
    const std::uint64_t rows = 1 + rng.below(2);
    for (std::uint64_t r = 0; r < rows; ++r)
      test.columns.back().push_back(static_cast<Invocation>(rng.below(Semaphore::kinds)));
  }
  return test;
}

std::uint64_t releases(const muster::Test& test) {
  std::uint64_t mask = 0;
  const auto operations = operations_of(test);
  for (unsigned i = 0; i < operations.size(); ++i) {
    if (operations[i].invocation == Semaphore::release) mask |= bit_of(i);
  }
  return mask;
}

TEST(ModelledSpec, JudgesLikeTheSetOfAllSerialHistories) {
  Rng rng(3);
  int explained = 0, refuted = 0;
  const int rounds = muster::test::cases(150, 5'000);
  for (int round = 0; round < rounds; ++round) {
    const CheckDefinition check = Semaphore::definition(round % 3 == 1, round % 3 == 2);
    const muster::Test test = random_test_of_semaphore(rng);
    const std::uint64_t asynchronous = round % 3 == 2 ? releases(test) : 0;
    const auto operations = operations_of(test);
    Responses responses;
    ObservationSet observed(test, responses, asynchronous);
    Observer(check, test, responses, asynchronous, observed).extend(0, 0);
    const ModelledSpec modelled(check, test, responses, asynchronous);
    for (int i = 0; i < 20; ++i) {
      const Recorded history = random_modelled_history(test, responses, rng);
      if (history.waiting() == 0) {
        const bool expected = observed.explains(history);
        EXPECT_EQ(modelled.explains(history), expected);
        ++(expected ? explained : refuted);
      }
      for (unsigned operation = 0; operation < operations.size(); ++operation) {
        if (history.waiting() >> operation & 1) {
          EXPECT_EQ(modelled.explains_stuck(history, operation), observed.explains_stuck(history, operation));
        }
      }
      if (round % 3 == 0) {
        EXPECT_EQ(modelled.explains_classic(history), observed.explains_classic(history));
      }
    }
  }
  EXPECT_GT(explained, rounds);
  EXPECT_GT(refuted, rounds);
}

/// Which operations begin before which end is drawn, and so are the answers.
HistoryClass random_class_of_semaphore(const muster::Test& test, Responses& responses, Rng& rng) {
  const auto operations = operations_of(test);
  HistoryClass made;
  made.size = static_cast<unsigned>(operations.size());
  made.called = made.returned = bit_of(made.size) - 1;
  const std::uint64_t often = rng.below(5);
  for (unsigned i = 0; i < made.size; ++i) {
    const bool reads = operations[i].invocation == Semaphore::count;
    made.response[i] = responses.number(reads ? std::to_string(rng.below(2)) : "");
    for (unsigned j = 0; j < made.size; ++j) {
      const bool same = operations[i].column == operations[j].column;
      if (same && j < i) made.always_before[i] |= bit_of(j);
      if (same ? j < i : rng.below(5) < often) made.begun_before_end[i] |= bit_of(j);
    }
  }
  return made;
}

/// Executions of the class can have it, and the spec does not explain it.
void expect_failing(const SerialSpec& spec, const HistoryClass& classed, const Recorded& history) {
  EXPECT_FALSE(spec.explains(history));
  EXPECT_EQ(history.returned, classed.returned);
  for (unsigned i = 0; i < classed.size; ++i) {
    EXPECT_EQ(history.response[i], classed.response[i]);
    EXPECT_EQ(classed.always_before[i] & ~history.before[i], 0u);
    for (unsigned j = 0; j < classed.size; ++j) {
      if (history.before[i] & bit_of(j)) {
        EXPECT_FALSE(classed.begun_before_end[j] & bit_of(i));
      }
    }
  }
}

TEST(ModelledSpec, RulesOnAClassAsOnItsHistories) {
  Rng rng(4);
  int passed = 0, failed = 0, many = 0;
  const int rounds = muster::test::cases(300, 10'000);
  for (int round = 0; round < rounds; ++round) {
    const CheckDefinition check = Semaphore::definition(round % 8 == 1, round % 3 == 2);
    const muster::Test test = random_test_of_semaphore(rng);
    const std::uint64_t asynchronous = round % 3 == 2 ? releases(test) : 0;
    Responses responses;
    ObservationSet observed(test, responses, asynchronous);
    Observer(check, test, responses, asynchronous, observed).extend(0, 0);
    const ModelledSpec modelled(check, test, responses, asynchronous);
    for (int i = 0; i < 20; ++i) {
      const HistoryClass classed = random_class_of_semaphore(test, responses, rng);
      std::size_t explained = 0, histories = 0;
      each_history(classed, responses, [&](const Recorded& history) {
        ++histories;
        explained += modelled.explains(history);
        return true;
      });
      if (histories == 0) continue;  // no execution can be so
      for (const SerialSpec* spec :
           {static_cast<const SerialSpec*>(&modelled), static_cast<const SerialSpec*>(&observed)}) {
        const ClassRuling ruling = spec->explains_all(classed, [] { return true; });
        if (ruling.kind == ClassRuling::Kind::unknown) {
          EXPECT_EQ(round % 8, 1) << "where answers are excused, each history is judged by itself";
          continue;
        }
        EXPECT_EQ(ruling.kind == ClassRuling::Kind::passes, explained == histories);
        EXPECT_EQ(ruling.failing.has_value(), explained < histories);
        if (ruling.failing) expect_failing(*spec, classed, *ruling.failing);
        ++(ruling.failing ? failed : passed);
        many += explained > 0 && explained < histories;
      }
    }
  }
  EXPECT_GT(passed, rounds);
  EXPECT_GT(failed, rounds);
  EXPECT_GT(many, rounds / 10) << "some explained, some not";
}

TEST(ModelledSpec, TellsTheOrdersThatKeepTheRealTimeOrder) {
  const CheckDefinition check = Semaphore::definition(false, false);
  const muster::Test test{{}, {{Semaphore::release}, {Semaphore::acquire}}, {}};
  Responses responses;
  const ModelledSpec modelled(check, test, responses, 0);
  Recorded together, apart;
  together.begin(2);
  together.call(0);
  together.call(1);
  apart.begin(2);
  apart.call(0);
  apart.ret(0, responses.number(""));
  apart.call(1);
  const auto count = [&](const Recorded& history) {
    int orders = 0;
    EXPECT_TRUE(modelled.each_order(history, [&](const SerialHistory&) { return ++orders > 0; }));
    return orders;
  };
  EXPECT_EQ(count(together), 2) << "one is stuck at once";
  EXPECT_EQ(count(apart), 1);
}

}  // namespace
}  // namespace muster
