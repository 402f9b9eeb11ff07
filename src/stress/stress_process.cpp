#include "stress/stress_process.hpp"

#include <algorithm>

#include "base/archive.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/shared_memory.hpp"
#include "base/supervisor.hpp"
#include "stress/stress_hooks.hpp"

namespace muster {

static void visit(Archive& archive, StressColumns::Line& line) {
  archive.field(line.operation);
  archive.field(line.entry);
  archive.field(line.role);
  archive.field(line.answer);
}

static void visit(Archive& archive, StressRun& run) {
  archive.field(run.number);
  archive.field(run.kind);
  archive.field(run.broken_invariant);
  archive.field(run.lines);
}

namespace {

// Runs in a row without waiting for their parent. A serial run that is stuck tells which others need not be run: where
// that happens, fewer are begun at once.
constexpr std::size_t largest_batch = 50;

constexpr char run_letter = 'r';  // begins a message: it is no error

using Entry = StressColumns::Entry;

std::vector<std::byte> encode(const StressRun& run) {
  Archive message;
  message.put(run_letter);
  message.put(run);
  return std::move(message.bytes);
}

StressRun decode(std::span<const std::byte> message) {
  StressRun run;
  Archive(message.subspan(sizeof run_letter)).field(run);
  return run;
}

/// The columns' calls of a run, in order: of a serial run that is stuck, a beginning that blocks.
std::vector<std::uint8_t> called(const StressRun& run, const Test& test) {
  std::vector<std::uint8_t> order;
  for (const StressColumns::Line& line : run.lines) {
    if (line.entry == Entry::call && line.operation >= test.first.size()) order.push_back(line.operation);
  }
  return order;
}

bool begins_with(const std::vector<std::uint8_t>& order, const std::vector<std::uint8_t>& beginning) {
  return order.size() >= beginning.size() && std::ranges::equal(beginning, std::span(order).first(beginning.size()));
}

/// Where the child is, for its parent to see after a crash, and for the next child.
struct SharedPlace {
  std::size_t next = 0;  // plan
  std::size_t batch_size = largest_batch;
};

class Child {
 public:
  Child(const CheckDefinition& check, const Test& test, const std::vector<StressPlan>& plans,
        const StressOptions& options, SharedPlace& place, Channel& channel)
      : check_(check), test_(test), plans_(plans), options_(options), place_(place), channel_(channel) {}

  void work() {
    const auto threads = StressColumns(check_, test_, {}).threads();
    seed_stress_choices(mix(options_.seed, place_.next));
    Stress stress(threads, options_);
    while (place_.next < plans_.size() && stress.left_behind() < options_.most_left_behind) {
      std::vector<StressPlan> batch;
      std::vector<std::size_t> numbers;
      std::size_t next = place_.next;
      for (; next < plans_.size() && batch.size() < place_.batch_size; ++next) {
        const auto blocks = [&](const auto& beginning) { return begins_with(plans_[next].order, beginning); };
        if (std::ranges::any_of(blocking_, blocks)) continue;
        numbers.push_back(next);
        batch.push_back(plans_[next]);
      }
      if (batch.empty()) {
        place_.next = next;
        continue;
      }
      const auto columns = std::make_shared<StressColumns>(check_, test_, std::move(batch));
      columns->cannot_begin = [this](const std::string& why) { give_up(why); };
      const bool serial = !plans_[numbers[0]].order.empty();
      const auto ends = stress.run(columns, numbers.size(), serial ? AfterStuck::stop : AfterStuck::go_on);
      for (std::size_t i = 0; i < ends.size(); ++i) tell(*columns, i, numbers[i], ends[i]);
      const bool all = ends.size() == numbers.size();
      place_.next = all ? next : numbers[ends.size() - 1] + 1;
      place_.batch_size = all ? std::min(2 * place_.batch_size, largest_batch) : (place_.batch_size + 3) / 4;
      // The threads that are stuck in it keep it alive for ever.
      const auto is_stuck = [](RunEnd end) { return end != RunEnd::completed; };
      if (std::ranges::any_of(ends, is_stuck)) new std::shared_ptr<StressColumns>(columns);
    }
  }

 private:
  /// By the thread that begins runs: no exception may leave it.
  [[noreturn]] void give_up(const std::string& why) {
    try {
      complain_of_objects(check_, why);
    } catch (const Error& error) {
      ChildProcess::give_up(channel_, error.what());
    }
  }

  void tell(const StressColumns& columns, std::size_t index, std::size_t number, RunEnd kind) {
    StressRun run{number, columns.read(index), kind, {}};
    if (const std::string* broken = columns.broken_invariant(index)) run.broken_invariant = *broken;
    if (kind != RunEnd::completed && !plans_[number].order.empty()) blocking_.push_back(called(run, test_));
    channel_.send(encode(run));
  }

  const CheckDefinition& check_;
  const Test& test_;
  const std::vector<StressPlan>& plans_;
  const StressOptions& options_;
  SharedPlace& place_;
  Channel& channel_;
  std::vector<std::vector<std::uint8_t>> blocking_;  // beginnings of serial orders
};

}  // namespace

PlansEnd run_plans(const CheckDefinition& check, const Test& test, const std::vector<StressPlan>& plans,
                   const StressOptions& options, Halt& halt, const std::function<bool(StressRun)>& take) {
  const auto place = make_shared_memory<SharedPlace>();
  const auto work = [&](Channel& channel) { Child(check, test, plans, options, *place, channel).work(); };
  while (place->next < plans.size()) {
    bool enough = false;
    std::string error;
    Halt until(Halt::never, [&] { return enough || halt.order() != Halt::Order::go_on; });
    const ProcessEnd end = supervise(std::make_unique<ChildProcess>(work), until, never_hangs,
                                     {.message =
                                          [&](std::span<const std::byte> message) {
                                            if (!enough) enough = !take(decode(message));
                                          },
                                      .error = [&](const std::string& why) { error = why; }});
    if (enough) return {};
    if (!error.empty()) throw Error(error);
    if (end.stopped) return {.crash = {}, .stopped = true};
    if (end.signal != 0 || end.code != 0) return {.crash = StressCrash{place->next, end.signal, end.code}};
  }
  return {};
}

}  // namespace muster
