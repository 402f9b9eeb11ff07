#pragma once
// What a thread has seen and changed since it last did something that others can notice. A failed attempt that a retry
// makes good (a compare-exchange loop) leaves nothing behind; this is what it takes to tell.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/event.hpp"
#include "base/hash.hpp"
#include "reduction/arrival.hpp"

namespace muster {

/// What of it has a size that is known.
struct RetryState {
  std::uint64_t observed_ = 0;
  std::uint64_t start_ = 0;        // a hash of where it began; 0: not yet
  bool disturbed_ = false;         // it may be: others can step
  bool touched_ = false;           // memory, other than by visible reads, in this transition
  std::uint32_t seen_before_ = 0;  // reads, before this transition
  std::uint32_t failures_ = 0;     // exchanges that were tried in vain
};

class RetryTracker : private RetryState {
 public:
  /// A new thread. Those that see the same are still different ones, and do what they were told at their start: `what`
  /// tells them apart.
  void begin(std::uint64_t what) {
    observed_ = what;
    restart();
  }
  /// Others can notice what the thread did. `what` tells this apart from other things it could have done or been told.
  void notice(std::uint64_t what) {
    observed_ = mix(observed_, what);
    restart();
  }
  void restart() {
    start_ = 0;
    reads_.clear();
    written_.clear();
    heads_.clear();
    failures_ = 0;
  }
  bool begun() const { return start_ != 0; }
  void begin_at(std::uint64_t state, bool may_be_disturbed) {
    start_ = state | 1;
    disturbed_ = may_be_disturbed;
  }
  void begin_transition() {
    touched_ = false;
    seen_before_ = static_cast<std::uint32_t>(reads_.size());
  }
  /// What a thread does that nobody disturbs is never in vain because of others, however often it reads the same.
  bool may_be_in_vain() const { return start_ != 0 && disturbed_; }

  /// Reads of memory that is not the thread's own stack: visible ones are of atomic objects or race.
  void read(ObjectId object, std::size_t size, std::uint64_t value) {
    observe(object, value);
    if (start_ != 0) reads_.push_back({object, value, static_cast<std::uint32_t>(size), true});
  }
  void read_unseen(ObjectId object, std::size_t size, std::uint64_t value) {
    observe(object, value);
    touched_ = true;
    if (start_ != 0 && !wrote(object)) reads_.push_back({object, value, static_cast<std::uint32_t>(size), false});
  }
  void write(ObjectId address, std::size_t size);
  bool wrote(ObjectId address) const { return std::binary_search(written_.begin(), written_.end(), address / 8); }

  /// Whether this transition only looked at what the attempt had looked at before: whoever may disturb it, or race with
  /// it, could do so without it.
  bool looked_at_nothing_new() const;

  /// An exchange was tried, and something else was there than expected.
  void fail() { ++failures_; }

  /// Where the thread read something in this attempt: a loop may begin there.
  struct Head {
    SiteId site;
    std::uint64_t state;  // it was in; 0: nobody looked
    std::uint32_t failures;
  };
  bool failed_since(const Head& head) const { return failures_ != head.failures; }
  const Head* head(SiteId site) const {
    const auto found = std::find_if(heads_.begin(), heads_.end(), [&](const Head& head) { return head.site == site; });
    return found == heads_.end() ? nullptr : &*found;
  }
  void add_head(SiteId site, std::uint64_t state) { heads_.push_back({site, state, failures_}); }
  bool wrote_nothing() const { return written_.empty(); }

  /// All that the thread ever saw: what it does next follows from that alone.
  std::uint64_t observed() const { return observed_; }
  std::uint64_t start() const { return start_; }
  const std::vector<SeenValue>& reads() const { return reads_; }
  /// What is now in the memory that it wrote, its stack aside.
  std::uint64_t written_hash() const;

  /// The number of reads before the last try: those since begin with the object that the first try began with. 0: there
  /// was one try.
  std::size_t earlier_tries() const;

  template <class Strip>
  void pass(Strip& strip) {
    strip.pass(static_cast<RetryState&>(*this));
    strip.pass_lists(reads_, written_, heads_);
  }

 private:
  /// A pointer that is read may be the place of the next read.
  void observe(ObjectId object, std::uint64_t value) { observed_ = mix(mix(observed_, object), value); }

  std::vector<SeenValue> reads_;
  std::vector<ObjectId> written_;  // words
  std::vector<Head> heads_;
};

}  // namespace muster
