// What one worker process of a campaign does: subjects of its own, one after the other, then a part in those of others.

#include <algorithm>
#include <utility>

#include "search/campaign.hpp"

namespace muster {
namespace {

/// A search goes on for so long.
template <class Condition>
class While final : public Interruption {
 public:
  explicit While(Condition condition) : condition_(std::move(condition)) {}
  bool go_on(Strategy&, Schedule&) override { return condition_(); }

 private:
  Condition condition_;
};

// A subject that is searched once more is another one: who prepared to help with the first attempt must not join it.
constexpr unsigned attempt_shift = 40;
constexpr std::uint64_t most_subjects = (std::uint64_t{1} << attempt_shift) - 1;

}  // namespace

void Campaign::work(const Place& at) {
  const auto is_spoilt = [&] { return at.slot.spoilt = at.engine.outlived_crash(); };
  if (const std::uint64_t again = std::exchange(at.slot.again, WorkerSlot::none); again != WorkerSlot::none)
    search(at, again, false);
  while (!is_spoilt()) {
    const std::uint64_t number = next_subject();
    if (number == WorkerSlot::none) break;
    search(at, number, slots_.size() > 1);
  }
  while (!is_spoilt() && help_somebody(at)) {
  }
}

std::uint64_t Campaign::next_subject() {
  if (load(board_->stopped) || Halt::Clock::now() > options_.deadline) return WorkerSlot::none;
  const std::uint64_t number = __atomic_fetch_add(&board_->next, 1, __ATOMIC_RELAXED);
  if (number >= subjects_.count()) return WorkerSlot::none;
  if (options_.keep_going || number <= load(board_->least_failing)) return number;
  __atomic_fetch_add(&board_->begun, 1, __ATOMIC_RELEASE);
  return WorkerSlot::none;
}

void Campaign::search(const Place& at, std::uint64_t number, bool shareable) {
  WorkerSlot& slot = at.slot;
  __atomic_store_n(&slot.current, number, __ATOMIC_RELEASE);
  __atomic_fetch_add(&board_->begun, 1, __ATOMIC_RELEASE);
  While not_overtaken([&] {  // by one before it that failed
    return !load(board_->stopped) && (options_.keep_going || load(board_->least_failing) >= number);
  });
  ++slot.attempt;
  const std::uint64_t subject = std::uint64_t{slot.attempt} << attempt_shift | number;
  const bool failed = subjects_.search(
      {at.engine, at.channel, slot, slot, not_overtaken, number, slot.attempt, at.number, subject, shareable});
  if (failed) lower(board_->least_failing, number);
  __atomic_store_n(&slot.current, WorkerSlot::none, __ATOMIC_RELEASE);
}

/// False once nobody is at a subject any more.
bool Campaign::help_somebody(const Place& at) {
  if (load(board_->stopped)) return false;
  const std::uint64_t taken = std::min(load(board_->next), subjects_.count());
  bool somebody_works = __atomic_load_n(&board_->begun, __ATOMIC_ACQUIRE) < taken;  // or is about to
  for (std::uint64_t i = 0; i < slots_.size(); ++i) {
    if (i == at.number || __atomic_load_n(&slots_[i]->current, __ATOMIC_ACQUIRE) == WorkerSlot::none) continue;
    somebody_works = true;
    const std::uint64_t subject = slots_[i]->pass.subject();
    if (subject == SharedPass::nothing || !slots_[i]->pass.inviting()) continue;
    help(at, i, subject);
    return true;
  }
  for (int i = 0; somebody_works && i < 20; ++i) short_sleep();
  return somebody_works;
}

void Campaign::help(const Place& at, std::uint64_t host, std::uint64_t subject) {
  WorkerSlot& owner = *slots_[host];
  at.slot.host = host;
  While wanted([&] { return !load(board_->stopped) && owner.pass.subject() == subject; });
  subjects_.help({at.engine, at.channel, at.slot, owner, wanted, subject & most_subjects,
                  static_cast<unsigned>(subject >> attempt_shift), host, subject, true});
  at.slot.host = WorkerSlot::none;
}

}  // namespace muster
