#include "trace/validator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::trace {

std::string Validator::impossible(const Event& event, const std::string& what) const {
  return fmt::format("{}: {} {}", names_.where(event), thread_name(event.thread), what);
}

std::optional<std::string> Validator::check_other(const Event& event) {
  if (threads_[event.thread].joined) return impossible(event, "has an event after it was joined");
  threads_[event.thread].started = true;
  switch (event.kind) {
    case Kind::lock:
    case Kind::lock_shared:
    case Kind::try_lock:
    case Kind::try_lock_shared:
      return check_lock(event);
    case Kind::unlock:
    case Kind::unlock_shared:
      return check_unlock(event);
    case Kind::fork:
      return check_fork(event);
    case Kind::join:
      if (event.object == event.thread) return impossible(event, "joins itself");
      if (event.object >= threads_.size()) threads_.resize(event.object + 1u);
      threads_[event.object].joined = true;
      return std::nullopt;
    case Kind::begin:
      ++threads_[event.thread].depth;
      return std::nullopt;
    case Kind::end:
      if (threads_[event.thread].depth == 0) return impossible(event, "ends a transaction, but none was begun");
      --threads_[event.thread].depth;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<std::string> Validator::check_lock(const Event& event) {
  if (event.object >= locks_.size()) locks_.resize(event.object + 1u);
  std::vector<Holder>& holders = locks_[event.object];
  const bool shared = is_shared(event.kind);
  Holder* own = nullptr;
  for (Holder& holder : holders) {
    if (holder.thread != event.thread && !(shared && holder.shared))
      return impossible(event,
                        fmt::format("takes {}, which {} holds", lock_name(event.object), thread_name(holder.thread)));
    if (holder.thread == event.thread && holder.shared == shared) own = &holder;
  }
  if (own)
    ++own->count;
  else
    holders.push_back({event.thread, shared, 1});
  return std::nullopt;
}

std::optional<std::string> Validator::check_unlock(const Event& event) {
  if (event.object >= locks_.size()) locks_.resize(event.object + 1u);
  std::vector<Holder>& holders = locks_[event.object];
  const bool shared = event.kind == Kind::unlock_shared;
  const auto own = std::find_if(holders.begin(), holders.end(), [&](const Holder& holder) {
    return holder.thread == event.thread && holder.shared == shared;
  });
  if (own == holders.end())
    return impossible(event, fmt::format("releases {}, which it does not hold", lock_name(event.object)));
  if (--own->count == 0) holders.erase(own);
  return std::nullopt;
}

std::optional<std::string> Validator::check_fork(const Event& event) {
  if (event.object >= threads_.size()) threads_.resize(event.object + 1u);
  Thread& child = threads_[event.object];
  if (event.object == event.thread) return impossible(event, "forks itself");
  if (child.forked)
    return impossible(event, fmt::format("forks {}, which was forked before", thread_name(event.object)));
  child.forked = true;
  if (child.started)
    return impossible(event, fmt::format("forks {}, which had events before", thread_name(event.object)));
  return std::nullopt;
}

std::uint32_t Validator::open_transactions() const {
  std::uint32_t open = 0;
  for (const Thread& thread : threads_) open += thread.depth;
  return open;
}

std::uint32_t Validator::held_locks() const {
  std::uint32_t held = 0;
  for (const auto& holders : locks_)
    for (const Holder& holder : holders) held += holder.count;
  return held;
}

}  // namespace muster::trace
