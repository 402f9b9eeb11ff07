#include "predict/serializability.hpp"

#include <algorithm>

namespace muster::predict {

using trace::Event;
using trace::Kind;

void SerializabilityChecker::consume(std::span<const Event> events) {
  for (const Event& event : events) is_access(event.kind) ? access(event) : synchronize(event);
}

SerializabilityChecker::Thread& SerializabilityChecker::thread(std::uint32_t id) {
  if (id >= threads_.size()) threads_.resize(id + 1);
  if (threads_[id].node == none) {
    fresh_node(id);
    if (transactions_ == Transactions::whole_threads) begin(id);
  }
  return threads_[id];
}

void SerializabilityChecker::access(const Event& event) {
  if (event.object >= variables_.size()) variables_.resize(event.object + 1u);
  Variable& variable = variables_[event.object];
  const NodeId node = thread(event.thread).node;
  if (is_write(event.kind)) {
    if (variable.write != node || !variable.readers.empty()) write(variable, event);
  } else if (variable.last_reader != node && variable.write != node) {
    read(variable, event);
  }
}

void SerializabilityChecker::read(Variable& variable, const Event& event) {
  if (variable.write != none) absorb(event.thread, variable.write, event);
  const NodeId node = threads_[event.thread].node;
  variable.last_reader = node;
  // An earlier transaction of the same thread comes before this one, so this one stands for it.
  for (NodeId& reader : variable.readers) {
    if (nodes_[reader].thread == event.thread) return refer(reader, node);
  }
  retain(node);
  variable.readers.push_back(node);
}

void SerializabilityChecker::write(Variable& variable, const Event& event) {
  if (variable.write != none) absorb(event.thread, variable.write, event);
  for (const NodeId reader : variable.readers) {
    absorb(event.thread, reader, event);
    release(reader);
  }
  variable.readers.clear();
  variable.last_reader = none;
  refer(variable.write, threads_[event.thread].node);
}

SerializabilityChecker::NodeId& SerializabilityChecker::grow(std::vector<NodeId>& references, std::uint32_t object) {
  if (object >= references.size()) references.resize(object + 1, none);
  return references[object];
}

void SerializabilityChecker::synchronize(const Event& event) {
  Thread& self = thread(event.thread);
  const auto list_of = [&](std::vector<std::vector<NodeId>>& lists) -> std::vector<NodeId>& {
    if (event.object >= lists.size()) lists.resize(event.object + 1u);
    return lists[event.object];
  };
  switch (event.kind) {
    case Kind::lock:
    case Kind::lock_shared:
    case Kind::try_lock:
    case Kind::try_lock_shared:
      if (const NodeId last = grow(released_, event.object); last != none) absorb(event.thread, last, event);
      if (!is_shared(event.kind))
        for (const NodeId last : list_of(shared_released_)) absorb(event.thread, last, event);
      break;
    case Kind::unlock:
      for (const NodeId last : list_of(shared_released_)) release(last);
      list_of(shared_released_).clear();
      refer(grow(released_, event.object), self.node);
      break;
    case Kind::fork: {
      const NodeId parent = self.node;
      thread(event.object);  // may move `self`
      absorb(event.object, parent, event);
      break;
    }
    case Kind::join: {
      const NodeId child = thread(event.object).node;
      absorb(event.thread, child, event);
      break;
    }
    case Kind::begin:
      if (transactions_ == Transactions::marked && self.depth++ == 0) begin(event.thread);
      break;
    case Kind::end:
      if (transactions_ == Transactions::marked && self.depth > 0 && --self.depth == 0) end(event.thread, event);
      break;
    default:
      if (is_await(event.kind)) {
        for (const NodeId last : list_of(signalled_)) absorb(event.thread, last, event);
        break;
      }
      // A shared release or a signal: kept beside those of other threads.
      auto& list = event.kind == Kind::unlock_shared ? list_of(shared_released_) : list_of(signalled_);
      const auto own = std::ranges::find_if(list, [&](NodeId node) { return nodes_[node].thread == event.thread; });
      if (own != list.end()) {
        refer(*own, self.node);
      } else {
        retain(self.node);
        list.push_back(self.node);
      }
  }
}

void SerializabilityChecker::begin(std::uint32_t id) {
  fresh_node(id);
  Thread& self = threads_[id];
  Node& node = nodes_[self.node];
  self.begun = node.clock.at(id) + 1;
  node.clock.set(id, self.begun);
  node.transaction = ++self.transactions;
  node.open = true;
  self.reported.clear();
  open_.push_back(id);
}

// Whatever depends on a part of the transaction depends on all of it.
void SerializabilityChecker::end(std::uint32_t id, const Event& event) {
  const NodeId ended = threads_[id].node;
  nodes_[ended].open = false;
  std::erase(open_, id);
  std::vector<NodeId> dependents = std::move(threads_[id].dependents);
  threads_[id].dependents.clear();
  threads_[id].prune_at = 64;
  for (const NodeId dependent : dependents) {
    const std::uint32_t other = nodes_[dependent].thread;
    if (dependent != ended && nodes_[dependent].references > 0) {
      if (nodes_[dependent].open && nodes_[ended].clock.at(other) >= threads_[other].begun) report(other, ended, event);
      join_into(dependent, ended);
    }
    --nodes_[dependent].listings;
    retain(dependent);
    release(dependent);
  }
  fresh_node(id);  // what follows is outside of the transaction
}

void SerializabilityChecker::absorb(std::uint32_t id, NodeId from, const Event& event) {
  if (nodes_[from].thread == id) return;
  Thread& self = threads_[id];
  const bool inside = nodes_[self.node].open;
  if (inside && nodes_[from].clock.at(id) >= self.begun) report(id, from, event);
  // Events outside of transactions stand alone: what an earlier one was seen by must not learn of this one.
  if (!inside && nodes_[self.node].references > 1) fresh_node(id);
  join_into(threads_[id].node, from);
}

void SerializabilityChecker::join_into(NodeId into, NodeId from) {
  for (const std::uint32_t id : open_) {
    const std::uint32_t begun = threads_[id].begun;
    if (nodes_[from].clock.at(id) >= begun && nodes_[into].clock.at(id) < begun) add_dependent(threads_[id], into);
  }
  nodes_[into].clock.join(nodes_[from].clock);
}

void SerializabilityChecker::add_dependent(Thread& owner, NodeId node) {
  if (owner.dependents.size() >= owner.prune_at) {
    std::erase_if(owner.dependents, [&](NodeId each) {
      if (nodes_[each].references > 0) return false;
      if (--nodes_[each].listings == 0) free_.push_back(each);
      return true;
    });
    owner.prune_at = std::max<std::size_t>(64, 2 * owner.dependents.size());
  }
  ++nodes_[node].listings;
  owner.dependents.push_back(node);
}

/// Gives the thread a node of its own with what its present one knows.
void SerializabilityChecker::fresh_node(std::uint32_t id) {
  NodeId fresh;
  if (free_.empty()) {
    fresh = static_cast<NodeId>(nodes_.size());
    nodes_.emplace_back();
  } else {
    fresh = free_.back();
    free_.pop_back();
  }
  const NodeId old = threads_[id].node;
  Node& node = nodes_[fresh];
  node.clock = old == none ? VectorClock{} : nodes_[old].clock;
  node.thread = id;
  node.transaction = 0;
  node.references = 1;
  node.listings = 0;
  node.open = false;
  for (const std::uint32_t other : open_)
    if (other != id && node.clock.at(other) >= threads_[other].begun) add_dependent(threads_[other], fresh);
  threads_[id].node = fresh;
  if (old != none) release(old);
}

void SerializabilityChecker::release(NodeId node) {
  if (--nodes_[node].references == 0 && nodes_[node].listings == 0) free_.push_back(node);
}

void SerializabilityChecker::refer(NodeId& reference, NodeId node) {
  if (reference == node) return;
  retain(node);
  if (reference != none) release(reference);
  reference = node;
}

void SerializabilityChecker::report(std::uint32_t id, NodeId other, const Event& event) {
  const Node& node = nodes_[other];
  const bool closed_by_end = event.kind == Kind::end;
  const std::tuple pair{node.thread, node.transaction, ~0u, ~0u};
  const std::tuple key{node.thread, node.transaction, static_cast<std::uint32_t>(object_class(event.kind)),
                       event.object};
  auto& reported = threads_[id].reported;
  if (closed_by_end ? !reported.insert(pair).second : !reported.insert(key).second) return;
  reported.insert(pair);
  ++count_;
  if (violations_.size() < most_kept_)
    violations_.push_back({id, nodes_[threads_[id].node].transaction, node.thread, node.transaction, event.kind,
                           event.object, event.site, event.line});
}

}  // namespace muster::predict
