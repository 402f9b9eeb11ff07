#pragma once
// Many keys in one state: how a keyed spec is judged when its keys are not split.

#include <absl/container/flat_hash_map.h>

#include <map>

#include "spec/spec.hpp"

namespace muster {

/// A state maps each key that was touched to a state of the one-key space. Sorted by key, so equal maps are equal
/// words.
class KeyedStates final : public StateSpace {
 public:
  explicit KeyedStates(std::unique_ptr<StateSpace> one) : one_(std::move(one)), untouched_(one_->initial()) {}

  StateId initial() override { return number({}); }

  void step(StateId state, const Call& call, std::vector<StateId>& next) override {
    const Content& content = *contents_[state];
    const auto found = content.find(call.key);
    found_.clear();
    one_->step(found == content.end() ? untouched_ : found->second, call, found_);
    for (const StateId after : found_) {
      Content changed = content;
      if (after == untouched_) {
        changed.erase(call.key);
      } else {
        changed[call.key] = after;
      }
      next.push_back(number(std::move(changed)));
    }
  }

  std::size_t bytes() const override { return one_->bytes() + bytes_; }

 private:
  using Content = std::map<Value, StateId>;

  StateId number(Content content) {
    const auto [found, fresh] = numbers_.try_emplace(std::move(content), static_cast<StateId>(contents_.size()));
    if (fresh) {
      contents_.push_back(&found->first);
      bytes_ += 64 + found->first.size() * 48;
    }
    return found->second;
  }

  std::unique_ptr<StateSpace> one_;
  StateId untouched_;
  std::map<Content, StateId> numbers_;
  std::vector<const Content*> contents_;
  std::vector<StateId> found_;
  std::size_t bytes_ = 0;
};

}  // namespace muster
