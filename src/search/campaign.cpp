#include "search/campaign.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "search/worker.hpp"

namespace muster {

Campaign::Campaign(Subjects& subjects, const CampaignOptions& options)
    : subjects_(subjects),
      options_(options),
      halt_(options.deadline, options.interrupted),
      workers_(halt_, options.hang_seconds, duties()),
      board_(make_shared_memory<Board>()) {
  for (unsigned i = 0; i < std::max(1u, options.jobs); ++i) slots_.push_back(make_shared_memory<WorkerSlot>());
}

void Campaign::run() {
  *board_ = {};
  over_ = false;
  last_tick_ = Halt::Clock::now();
  for (std::size_t i = 0; i < slots_.size(); ++i) restart_worker(i);
  workers_.watch();
}

Duties Campaign::duties() {
  return {.message = [this](std::span<const std::byte> message) { subjects_.message(message); },
          .ended = [this](std::size_t i, ProcessEnd end) { after_end(i, end); },
          .ordered =
              [this](Halt::Order order) {
                board_->stopped = 1;
                for (const auto& slot : slots_) slot->pass.work().stop();  // for those that wait there
                if (order == Halt::Order::kill) kill_workers();
              },
          .tick =
              [this] {
                const auto now = Halt::Clock::now();
                if (now - last_tick_ <= std::chrono::milliseconds(Supervisor::tick_milliseconds)) return;
                last_tick_ = now;
                subjects_.tick();
              }};
}

void Campaign::start_worker(std::size_t i) {
  const auto work = [this, i](Engine& engine, Channel& channel) { this->work({engine, channel, *slots_[i], i}); };
  workers_.start(i, std::make_unique<Worker>(slots_[i]->journal, slots_[i]->racy_sites, options_.runtime, true, work));
}

void Campaign::restart_worker(std::size_t i) {
  WorkerSlot& slot = *slots_[i];
  slot.pass.set_subject(WorkerSlot::none);
  slot.current = slot.host = WorkerSlot::none;
  slot.shows_again = slot.journal.in_execution = false;
  slot.journal.escaped_call = -1;
  slot.draws = false;
  if (!over_) start_worker(i);
}

void Campaign::after_end(std::size_t i, const ProcessEnd& end) {
  if (end.died())
    after_death(i, end);
  else if (slots_[i]->spoilt)
    restart_worker(i);
}

void Campaign::after_death(std::size_t i, const ProcessEnd& end) {
  WorkerSlot& slot = *slots_[i];
  const bool helped = slot.host != WorkerSlot::none && slot.journal.in_execution && slot.current == WorkerSlot::none;
  if (!helped && slot.current == WorkerSlot::none)
    fail("a worker process was ended by signal {} outside any search", end.signal);
  WorkerSlot& owner = helped ? *slots_[slot.host] : slot;
  const auto after = helped ? subjects_.helper_died(slot, owner, end) : subjects_.died(slot, end);
  if (helped) leave_for(slot, owner);
  if (after == Subjects::AfterDeath::again) return search_again(i);
  if (after == Subjects::AfterDeath::stop) {
    over_ = true;
    board_->stopped = 1;
    owner.pass.work().shut();  // those that wait for work get none
    if (!helped) owner.pass.set_subject(WorkerSlot::none);
    return;
  }
  restart_worker(i);
}

/// A helper's part is over with its process.
void Campaign::leave_for(WorkerSlot& helper, WorkerSlot& owner) {
  helper.host = WorkerSlot::none;
  if (!std::exchange(helper.joined, false)) return;
  if (owner.pass.is_reduced()) owner.pass.tree.stop();  // what it knew of its branch, others wait for
  owner.pass.work().done();
  owner.pass.work().leave();
}

/// What the others have done of this subject, and whether something comes before what ended its worker, is known to
/// nobody any more. They begin anew too: none of them may meddle with it once more.
void Campaign::search_again(std::size_t i) {
  WorkerSlot& slot = *slots_[i];
  slot.pass.work().shut();  // who has joined until now says whom it helps
  std::vector<std::size_t> helpers;
  for (std::size_t other = 0; other < slots_.size(); ++other) {
    if (other == i || slots_[other]->host != i) continue;
    workers_.kill(other);
    helpers.push_back(other);
  }
  std::destroy_at(&slot.pass);  // one of them may have held its lock
  std::construct_at(&slot.pass);
  slot.again = slot.current;
  restart_worker(i);
  for (const std::size_t helper : helpers) restart_worker(helper);
}

/// Those that have not stopped by themselves, but for one that confirms what it has found.
void Campaign::kill_workers() {
  over_ = true;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (!workers_.is_at_work(i) || slots_[i]->confirms) continue;
    workers_.kill(i);
    subjects_.killed(*slots_[i]);
  }
}

double Campaign::share_begun() const {
  double begun = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i]->current == WorkerSlot::none) continue;
    double share = slots_[i]->counters.share_done;
    for (const auto& other : slots_) {
      if (other->host == i) share = std::max(share, other->counters.share_done);
    }
    begun += share;
  }
  return begun;
}

}  // namespace muster
