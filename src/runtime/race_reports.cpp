#include "runtime/race_reports.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "runtime/engine.hpp"
#include "runtime/unwatched_code.hpp"

namespace muster {

bool (*has_called_unwatched)() = nullptr;

namespace {

constexpr std::uintptr_t near = 16;  // the end of a block: what lies there was meant to be in it

/// "lock (libx.so) and unlock (libx.so)"
std::string words_of(const PossibleLink& link) {
  const OwnWork work;
  std::vector<std::string> names;  // one of the two may be an atomic, which has none
  for (const UnwatchedCode code : {link.released_in, link.acquired_in}) {
    if (code != 0) names.push_back(unwatched_world->name(code));
  }
  if (names.size() == 2 && names[0] == names[1]) names.pop_back();
  return fmt::format("{}", fmt::join(names, " and "));
}

}  // namespace

void RaceReports::race(std::uintptr_t address, ThreadId thread, const EarlierAccess& earlier, SiteId site, bool writes,
                       const std::optional<PossibleLink>& link) {
  // Of what such a library does only calls are seen: on a lock, which is no write, or freeing, which is one.
  if ((!writes && is_unwatched(static_cast<std::uint32_t>(site))) || (!earlier.writes && is_unwatched(earlier.site)))
      [[unlikely]]
    return;
  bool fresh = engine_.racy_sites_.insert(static_cast<std::uint32_t>(site));
  if (earlier.site != 0) fresh |= engine_.racy_sites_.insert(earlier.site);
  if (fresh) engine_.result_.learned = true;
  if (!engine_.races_.keeps_possible_order() && has_called_unwatched()) {  // that order says what this is
    engine_.racy_sites_.need_possible_order();
    engine_.result_.learned = true;
    engine_.end(Ending::abandoned);
  }
  Incident what{.kind = link ? IncidentKind::possible_race : IncidentKind::race,
                .place = {site, thread, writes ? EventKind::write : EventKind::read},
                .earlier = {earlier.site, no_thread, earlier.writes ? EventKind::write : EventKind::read}};
  what.address = address;
  if (link) [[unlikely]]
    what.say(words_of(*link));
  engine_.incident(what);
  if (engine_.racy_sites_.has_no_room_for(static_cast<std::uint32_t>(site))) [[unlikely]]
    engine_.fatal(IncidentKind::limit, site,
                  fmt::format("more than {} places race: what comes of all of them cannot be searched", SiteSet::most));
}

void RaceReports::use_after_free(std::uintptr_t address, ThreadId freed_by, std::uint32_t freed_at, SiteId site) {
  if (engine_.racy_sites_.insert(static_cast<std::uint32_t>(site)))
    engine_.result_.learned = true;  // the free may come later
  Incident what{.kind = IncidentKind::use_after_free,
                .place = {site, engine_.current_->id, EventKind::read},
                .earlier = {freed_at, freed_by, EventKind::free_block}};
  what.address = address;
  engine_.fatal(what);
}

void RaceReports::out_of_clock() {
  engine_.fatal(
      IncidentKind::limit, engine_.next_event().site,
      fmt::format("a thread may order what others do after what it did (an unlock, a release) at most {} times "
                  "in an execution, a fixed limit",
                  Clock::last - 1));
}

void RaceReports::out_of_bounds(std::uintptr_t address, SiteId site) {
  Incident what{
      .kind = IncidentKind::out_of_bounds, .place = {site, engine_.current_->id, EventKind::read}, .earlier = {}};
  what.address = address;
  what.say("no heap block of this execution holds this address");
  if (const TestHeap::Block* block = engine_.heap_.blocks().block_before(address);
      block && address - TestHeap::end(*block) < near) {
    what.say(fmt::format(
        "no heap block of this execution holds this address: it would be byte {} of one of {} that was allocated",
        block->size + (address - TestHeap::end(*block)) + 1, block->size));
    what.earlier = {block->site, block->thread, EventKind::allocate};
  }
  engine_.fatal(what);
}

void RaceReports::stack_is_shared(ThreadId owner) {
  if (engine_.racy_sites_.share_stack(owner)) engine_.result_.learned = true;
}

void RaceReports::outside_is_written() {
  if (engine_.racy_sites_.write_outside()) engine_.result_.learned = true;
}

bool RaceReports::adopt(std::uintptr_t address, Cell& cell) {
  const TestHeap::Block* block = engine_.heap_.blocks().block_around(address);
  if (!block) return false;
  engine_.races_.set_allocation(cell, block->thread, block->clock);
  cell.write_site = block->site;
  cell.end_after(TestHeap::end(*block) - (address & ~std::uintptr_t{7}));
  if (!block->live) cell.flags = Cell::freed;
  return true;
}

}  // namespace muster
