// Logs written down in every form, read and judged, agree with brute force on what their writer knows.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "history/read.hpp"
#include "judge/core/explain.hpp"
#include "judge/core/linearizability.hpp"
#include "spec/builtin.hpp"
#include "support/log_models.hpp"
#include "support/log_writer.hpp"
#include "support/property.hpp"

namespace muster {
namespace {

using test::Form;
using test::LoggedCall;
using test::LoggedCalls;
using test::Touching;

/// Several objects of one kind, by their keys.
template <class Model>
struct Objects {
  Model fresh;
  std::map<Value, Model> by_key;

  std::optional<Value> perform(const LoggedCall& call) {
    return by_key.try_emplace(call.key, fresh).first->second.perform(call);
  }
  static bool fits(Value answer, const LoggedCall& call) { return Model::fits(answer, call); }
};

struct Object {
  std::string_view spec;
  bool has_keys;  ///< its keys are arguments, too
};

struct LogTally {
  int passing = 0, failing = 0, blurred_only = 0;
};

/// Calls on one or two objects, and some that are recorded as failed.
template <class Model>
LoggedCalls random_log(Rng& rng, const Model& object, Form form, bool has_keys) {
  const std::size_t keys = has_keys ? 1 + rng.below(2) : 1;
  LoggedCalls calls;
  for (std::size_t key = 0; key < keys; ++key) {
    for (LoggedCall& call : random_calls(rng, object, 1 + rng.below(keys == 1 ? 7 : 4))) {
      if (has_keys) call.key = Value::text(key == 0 ? "k" : "l");
      calls.push_back(std::move(call));
    }
  }
  if (test::tells_failures(form) && rng.chance(1, 4) && !calls.empty()) {
    LoggedCall call = object.draw(rng);
    call.start = static_cast<std::int64_t>(rng.below(12));
    call.end = call.start + 2;
    call.key = calls[0].key;
    call.failed = true;
    if (call.name != "cas") calls.push_back(call);
  }
  std::ranges::stable_sort(calls, {}, &LoggedCall::start);
  return calls;
}

/// What a form cannot say is not what happened.
void leave_out_unsaid(LoggedCalls& calls, Form form) {
  for (LoggedCall& call : calls) {
    const bool gives_nothing = call.pending || call.failed || !call.result.is_none();
    const bool looks =
        call.name == "get" || call.name.starts_with("try") || call.name == "cas" || test::takes_out(call);
    if (test::is_jepsen(form) && looks && !gives_nothing) call.pending = true;
    if (form == Form::calls && test::takes_out(call) && !gives_nothing) call.pending = true;
  }
}

/// The calls that happened, as far as the log says.
LoggedCalls told(const LoggedCalls& calls, Form form) {
  LoggedCalls kept;
  std::ranges::copy_if(calls, std::back_inserter(kept), [&](const LoggedCall& call) {
    return !call.failed && !(form == Form::edn && call.name == "cas" && call.result.is_false() && !call.pending);
  });
  return kept;
}

template <class Model>
class LogFuzz {
 public:
  LogFuzz(Object object, std::uint64_t seed) : object_(object), rng_(seed) {}

  /// `prepare` draws how the object begins; options of the spec say it.
  template <class Prepare>
  void run(int count, const Prepare& prepare) {
    for (int i = 0; i < count; ++i) {
      SpecOptions options;
      Model fresh;
      prepare(rng_, fresh, options);
      one(fresh, options);
      if (testing::Test::HasFatalFailure()) return;
    }
    // All answers are common, or the comparison says little.
    EXPECT_GT(tally_.passing, count / 10);
    EXPECT_GT(tally_.failing, count / 20);
    EXPECT_GT(tally_.blurred_only, count / 200);
  }

 private:
  void one(const Model& fresh, const SpecOptions& options) {
    const Form form = test::all_forms[rng_.below(test::all_forms.size())];
    const bool keyed = object_.has_keys || (test::has_keys(form) && rng_.chance(1, 3));
    LoggedCalls calls = random_log(rng_, fresh, form, keyed);
    leave_out_unsaid(calls, form);
    give_processes(calls);
    const LoggedCalls happened = told(calls, form);
    if (happened.empty()) return;
    const bool timed = rng_.chance(1, 2);
    text_ = test::LogWriter(rng_, form, timed).write(calls);
    History history = read_history_text(text_, "log");
    const SpecPtr spec = spec_for(history, object_.spec, options);
    ASSERT_EQ(history.size(), happened.size()) << text_;
    const Objects<Model> objects{fresh, {}};
    const bool truth = is_explained(happened, objects, test::touching_in(form));
    (truth ? tally_.passing : tally_.failing)++;
    compare(history, *spec, truth);
    if (HasFatalFailure()) return;
    if (history.has_times()) compare_with_skew(history, *spec, happened, objects, truth);
    if (HasFatalFailure()) return;
    History again = read_history_text(to_json_lines(history), "again");
    ASSERT_EQ(passes(judge_linearizability(again, *spec_for(again, object_.spec, options))), truth) << text_;
  }

  void compare(const History& history, const Spec& spec, bool truth) {
    ASSERT_EQ(passes(judge_linearizability(history, spec)), truth) << text_;
    const Verdict general = judge_linearizability(history, spec, {.monitors = false, .explain = true});
    ASSERT_EQ(passes(general), truth) << text_;
    if (truth) {
      ASSERT_TRUE(is_witness(history, spec, std::get<Witness>(general).order)) << text_;
    }
    ASSERT_EQ(passes(judge_linearizability(history, spec, {.split = false})), truth) << text_;
  }

  void compare_with_skew(const History& history, const Spec& spec, const LoggedCalls& calls,
                         const Objects<Model>& objects, bool truth) {
    const auto skew = static_cast<std::int64_t>(rng_.below(8));
    const bool blurred = is_explained(calls, objects, Touching::overlap, skew);
    ASSERT_EQ(passes(judge_linearizability(with_skew(history, skew), spec)), blurred) << "skew " << skew << "\n"
                                                                                      << text_;
    tally_.blurred_only += blurred && !truth;
    if (!rng_.chance(1, 4)) return;
    std::optional<std::int64_t> least;
    for (std::int64_t tried = 0; tried < 64 && !least; ++tried) {
      if (is_explained(calls, objects, Touching::overlap, tried)) least = tried;
    }
    ASSERT_EQ(smallest_skew(history, spec), least) << text_;
  }

  static bool HasFatalFailure() { return testing::Test::HasFatalFailure(); }

  Object object_;
  Rng rng_;
  LogTally tally_;
  std::string text_;
};

const auto as_it_is = [](Rng&, auto&, SpecOptions&) {};

TEST(LogFuzz, Transactions) {
  const auto begin = [](Rng& rng, test::TransactionModel& model, SpecOptions& options) {
    if (rng.chance(1, 2)) model.initial = Value::nil();
    options.initial = model.initial;
  };
  LogFuzz<test::TransactionModel>({"multi-register", false}, 40).run(test::cases(4'000, 100'000), begin);
}

TEST(LogFuzz, AppendedText) { LogFuzz<test::TextModel>({"kv", true}, 41).run(test::cases(4'000, 100'000), as_it_is); }

TEST(LogFuzz, AppendedLists) { LogFuzz<test::ListModel>({"kv", true}, 42).run(test::cases(4'000, 100'000), as_it_is); }

TEST(LogFuzz, Mutexes) { LogFuzz<test::LockModel>({"mutex", false}, 43).run(test::cases(4'000, 100'000), as_it_is); }

TEST(LogFuzz, ReaderWriterLocks) {
  const auto begin = [](Rng&, test::LockModel& model, SpecOptions&) { model.exclusive_only = false; };
  LogFuzz<test::LockModel>({"rwlock", false}, 44).run(test::cases(4'000, 100'000), begin);
}

TEST(LogFuzz, Semaphores) {
  const auto begin = [](Rng& rng, test::SemaphoreModel& model, SpecOptions& options) {
    model.permits = static_cast<std::int64_t>(rng.below(4));
    options.initial = Value::integer(model.permits);
  };
  LogFuzz<test::SemaphoreModel>({"semaphore", false}, 45).run(test::cases(4'000, 100'000), begin);
}

TEST(LogFuzz, Queues) {
  LogFuzz<test::ContainerModel>({"queue", false}, 46).run(test::cases(4'000, 100'000), as_it_is);
}

TEST(LogFuzz, Stacks) {
  const auto begin = [](Rng&, test::ContainerModel& model, SpecOptions&) { model.is_stack = true; };
  LogFuzz<test::ContainerModel>({"stack", false}, 47).run(test::cases(4'000, 100'000), begin);
}

}  // namespace
}  // namespace muster
