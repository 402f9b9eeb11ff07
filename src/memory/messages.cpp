#include "memory/messages.hpp"

#include <algorithm>
#include <cstring>

namespace muster {

void Messages::begin_execution() {
  older_choices_ = 0;
  too_long_ = false;
  past_.begin_execution();
  forget();
}

void Messages::forget() {
  lists_.clear();
  messages_.clear();
  order_.begin_execution();
}

Messages::Number Messages::add(Bits value) {
  Message& made = messages_.emplace_back();
  made = {};
  made.words = {static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64)};
  std::memset(made.seen.lane, 0xff, sizeof made.seen.lane);
  return static_cast<Number>(messages_.size());
}

void Messages::prepare(const Request& request) {
  past_.learn(clocks_, request.thread, request.known);
  order_.look_at(request.thread, request.known, request.number);
}

void Messages::look_at(std::uint32_t atomic, Bits in_memory, std::uint32_t stamp, bool anew) {
  if (atomic >= lists_.size()) lists_.resize(2 * std::size_t{atomic} + 1);
  List& list = lists_[atomic];
  if (!anew && list.newest != 0 && list.stamp == stamp && value(list.newest) == in_memory) return;
  list.newest = add(in_memory);
  at(list.newest).writer = no_thread;
  list.stamp = stamp;
  list.location = order_.new_location();
}

bool Messages::knows(const Clock& known, const Message& message) const {
  return clocks_.any_at_most(message.seen, known);
}

/// What is from before the list is known to all.
bool Messages::is_forced(const Message& message, const Clock& past) const {
  return message.event == 0 || message.number <= past.lane[message.writer];
}

/// Whether all that is newer than what is read, or than the place that is taken, comes before the thread's last step,
/// or before what is read.
bool Messages::is_essential(const List& list, const Request& request, Number message) const {
  const Message& chosen = at(message);
  for (Number newer = list.newest; newer != message; newer = at(newer).older) {
    const bool forced =
        is_forced(at(newer), past_.of(request.thread)) || (request.reads && is_forced(at(newer), chosen.past));
    if (!forced) return false;
  }
  return true;
}

StrongOrder::Event Messages::event(const List& list, const Request& request, Number message, bool writes) const {
  StrongOrder::Event event{.known = request.known,
                           .location = list.location,
                           .source = request.reads ? at(message).event : 0,
                           .older = 0,
                           .number = request.number,
                           .thread = request.thread,
                           .reads = request.reads,
                           .writes = writes,
                           .strong = (writes ? request.order : request.failure) == Order::seq_cst};
  return event;
}

/// Nothing comes between an update and what it read, and what seq_cst asks for holds.
bool Messages::is_allowed(const List& list, const Request& request, Number message, Number newer, bool writes) {
  if (newer == 0) return true;
  if (writes && at(newer).update) return false;
  StrongOrder::Event chosen = event(list, request, message, writes);
  if (request.reads && acquires(writes ? request.order : request.failure))
    clocks_.join(chosen.known, at(message).released);
  if (!order_.matters_to(chosen)) return true;
  if (order_.size() > StrongOrder::most) {
    too_long_ = true;
    return false;
  }
  return !order_.forbids(chosen, writes ? at(newer).event : 0);
}

void Messages::keep_release(std::uint32_t atomic, LocationClock released) {
  Clock& kept = at(lists_[atomic].newest).released;
  kept = {};
  clocks_.join(kept, released);
}

void Messages::has_read(std::uint32_t atomic, const Request& request, const Choice& choice) {
  std::uint16_t& seen = at(choice.message).seen.lane[request.thread];
  seen = std::min(seen, request.number);
  older_choices_ += !choice.newest;
  order_.add(event(lists_[atomic], request, choice.message, false), 0);
}

void Messages::has_written(std::uint32_t atomic, const Request& request, const Choice& choice, Bits value,
                           const Clock* released) {
  List& list = lists_[atomic];
  Number newer = 0;
  for (Number i = list.newest; i != choice.message; i = at(i).older) newer = i;
  const StrongOrder::Index written =
      order_.add(event(list, request, choice.message, true), newer == 0 ? 0 : at(newer).event);
  if (request.reads) {
    std::uint16_t& seen = at(choice.message).seen.lane[request.thread];
    seen = std::min(seen, request.number);
  }
  const Number made = add(value);
  Message& message = at(made);
  message.older = choice.message;
  message.event = written;
  message.site = static_cast<std::uint32_t>(request.site);
  message.number = request.number;
  message.writer = request.thread;
  message.order = request.order;
  message.update = request.reads;
  message.seen.lane[request.thread] = request.number;
  clocks_.assign(message.past, past_.of(request.thread));
  if (released) clocks_.assign(message.released, *released);
  (newer == 0 ? list.newest : at(newer).older) = made;
  older_choices_ += !choice.newest;
}

void Messages::has_fenced(const Request& request) {
  order_.add({request.known, 0, 0, 0, request.number, request.thread, false, false, request.order == Order::seq_cst},
             0);
}

}  // namespace muster
