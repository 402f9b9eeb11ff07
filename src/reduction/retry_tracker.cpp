#include "reduction/retry_tracker.hpp"

#include <algorithm>

namespace muster {

void RetryTracker::write(ObjectId address, std::size_t size) {
  touched_ = true;
  if (start_ == 0) return;
  for (ObjectId word = address / 8; word <= (address + size - 1) / 8; ++word) {
    const auto at = std::lower_bound(written_.begin(), written_.end(), word);
    if (at == written_.end() || *at != word) written_.insert(at, word);
  }
}

bool RetryTracker::looked_at_nothing_new() const {
  const auto now = reads_.begin() + seen_before_;
  return !touched_ && std::all_of(now, reads_.end(), [&](const SeenValue& read) {
    return std::any_of(reads_.begin(), now, [&](const SeenValue& before) {
      return before.object == read.object && before.size >= read.size;
    });
  });
}

std::uint64_t RetryTracker::written_hash() const {
  std::uint64_t hash = written_.size();
  for (const ObjectId word : written_) hash = mix(hash, mix(word, *reinterpret_cast<const std::uint64_t*>(word * 8)));
  return hash;
}

std::size_t RetryTracker::earlier_tries() const {
  const auto first = std::find_if(reads_.begin(), reads_.end(), [](const SeenValue& r) { return r.visible; });
  if (first == reads_.end()) return 0;
  for (std::size_t i = reads_.size(); i-- > 0;) {
    const SeenValue& read = reads_[i];
    if (read.visible && read.object == first->object) return &read == &*first ? 0 : i;
  }
  return 0;
}

}  // namespace muster
