#include "schedule/retry_table.hpp"

#include "base/hash.hpp"

namespace muster {
namespace {

std::uint64_t key(const Arrival& arrival, std::span<const SeenValue> reads) {
  std::uint64_t key = mix(arrival.start, arrival.site);
  for (const SeenValue& read : reads) key = mix(key, mix(read.object, read.value));
  return key;
}

}  // namespace

bool RetryTable::leaves_nothing(const Arrival& arrival, const std::function<std::uint64_t()>& state) {
  const auto [own, fresh] = states_.try_emplace(key(arrival, arrival.reads), 0);
  if (fresh) {
    own->second = state();
    if (const auto guess = guesses_.find(own->first); guess != guesses_.end()) {
      if (guess->second.state != own->second) {
        hopeless_.insert(guess->second.site);
        refuted_ = true;
      }
      guesses_.erase(guess);
    }
  }
  if (arrival.earlier == 0 || hopeless_.contains(arrival.site)) return false;
  const std::uint64_t here = own->second, without = key(arrival, arrival.reads.subspan(arrival.earlier));
  if (const auto known = states_.find(without); known != states_.end()) return known->second == here;
  const auto [guess, first] = guesses_.try_emplace(without, Guess{here, arrival.site});
  return first || guess->second.state == here;
}

bool RetryTable::drop_unconfirmed() {
  const bool any = !guesses_.empty();
  for (const auto& [key, guess] : guesses_) hopeless_.insert(guess.site);
  guesses_.clear();
  return any;
}

void RetryTable::restart() {
  guesses_.clear();
  refuted_ = false;
}

}  // namespace muster
