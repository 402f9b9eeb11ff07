#pragma once
// What an execution can change outside of the engine: the program's data, and tables that are kept elsewhere. Each
// execution begins with all of it as it was, and what goes back with an execution is saved with it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/event.hpp"
#include "base/hash.hpp"
#include "base/tape.hpp"
#include "runtime/lasting_data.hpp"
#include "runtime/restore.hpp"

namespace muster {

/// State of an execution that is kept outside the engine.
struct Rewindable {
  bool (*can_be_saved)();
  void (*pass)(Tape&);
};

/// The same of what few programs use: executions that do not use it are not asked.
struct RareState {
  void (*forget)();               // it is as it was at the start of an execution
  void (*pass)(Tape&) = nullptr;  // none: an execution that uses it is not saved
};

class Surroundings {
 public:
  /// Called at the start of every execution: tables kept by address elsewhere are cleared there.
  void at_start(void (*reset)()) { resets_.push_back(reset); }
  /// State that belongs to an execution but is kept elsewhere, as a hash.
  void add_state(std::uint64_t (*hash)()) { state_hashes_.push_back(hash); }
  /// The same of what a thread has for itself besides its stack, such as how far it is in a sequence of numbers.
  void add_thread_state(std::uint64_t (*hash)(ThreadId)) { thread_states_.push_back(hash); }
  void add_rewindable(const Rewindable& state) { rewindables_.push_back(state); }
  /// `bit` is its own among the rare states; `begin_use` says that the execution uses it from now on.
  void add_rare(std::uint32_t bit, const RareState& state) { rare_states_.push_back({bit, state}); }
  void begin_use(std::uint32_t bit) { in_use_ |= bit; }
  bool is_in_use(std::uint32_t bit) const { return (in_use_ & bit) != 0; }

  /// Everything that is restored before each execution.
  Restorer& restorer() { return restorer_; }
  const Restorer& restorer() const { return restorer_; }
  LastingData& lasting_data() { return lasting_data_; }
  bool restores(const void* address) const {
    const auto* byte = static_cast<const std::byte*>(address);
    return std::ranges::any_of(restorer_.ranges(), [byte](const auto& range) {
      return byte >= range.data() && byte < range.data() + range.size();
    });
  }

  void reset() {
    for (const auto& reset : resets_) reset();
    forget_rare(in_use_);
    in_use_ = 0;
  }
  /// What code can see of it.
  std::uint64_t hash(std::uint64_t seed) const {
    for (const auto& range : restorer_.ranges()) seed = mix(seed, hash_bytes(range));
    for (const auto& state_hash : state_hashes_) seed = mix(seed, state_hash());
    return seed;
  }
  /// What a thread has of it for itself.
  std::uint64_t hash_of(ThreadId thread, std::uint64_t seed) const {
    for (const auto& state_hash : thread_states_) seed = mix(seed, state_hash(thread));
    return seed;
  }
  bool can_be_saved() const {
    return (in_use_ == 0 || rare_can_be_saved()) &&
           std::ranges::all_of(rewindables_, [](const Rewindable& state) { return state.can_be_saved(); });
  }
  void pass(Tape& tape) {
    restorer_.pass(tape);
    for (const Rewindable& state : rewindables_) state.pass(tape);
    const std::uint32_t used_until_now = in_use_;
    tape.pass(in_use_);
    if ((used_until_now | in_use_) != 0) [[unlikely]]
      pass_rare(tape, used_until_now);
  }

  /// Whether this process exists for executions only: then the kernel may be told to stop it from sleeping.
  bool in_worker() const { return in_worker_; }
  void set_in_worker() { in_worker_ = true; }

 private:
  struct Rare {
    std::uint32_t bit;
    RareState state;
  };
  void forget_rare(std::uint32_t which) {
    for (const Rare& rare : rare_states_) {
      if (which & rare.bit) rare.state.forget();
    }
  }
  bool rare_can_be_saved() const {
    return std::ranges::all_of(rare_states_,
                               [this](const Rare& rare) { return !is_in_use(rare.bit) || rare.state.pass; });
  }
  void pass_rare(Tape& tape, std::uint32_t used_until_now) {
    forget_rare(used_until_now & ~in_use_);
    for (const Rare& rare : rare_states_) {
      if (is_in_use(rare.bit)) rare.state.pass(tape);
    }
  }

  Restorer restorer_;
  LastingData lasting_data_;
  std::vector<void (*)()> resets_;
  std::vector<std::uint64_t (*)()> state_hashes_;
  std::vector<std::uint64_t (*)(ThreadId)> thread_states_;
  std::vector<Rewindable> rewindables_;
  std::vector<Rare> rare_states_;
  std::uint32_t in_use_ = 0;  // of them, by this execution
  bool in_worker_ = false;
};

}  // namespace muster
