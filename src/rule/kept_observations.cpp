#include "rule/kept_observations.hpp"

#include <algorithm>
#include <map>

#include "base/archive.hpp"

namespace muster {
namespace {

struct KeptHistory {
  std::vector<std::uint8_t> order;
  std::vector<ResponseId> answers;  // beside `order`: places in the list of texts
  bool stuck = false;
};

struct KeptObservations {
  std::vector<std::vector<char>> texts;
  std::vector<KeptHistory> histories;
};

void visit(Archive& archive, KeptHistory& history) {
  archive.field(history.order);
  archive.field(history.answers);
  archive.field(history.stuck);
}

void visit(Archive& archive, KeptObservations& kept) {
  archive.field(kept.texts);
  archive.field(kept.histories);
}

}  // namespace

std::vector<std::byte> keep(const ObservationSet& observed, const Responses& responses) {
  constexpr std::size_t most_histories = 40'000;
  const auto& histories = observed.histories();
  const bool excused = std::ranges::any_of(histories, [](const SerialHistory& h) { return h.excused != 0; });
  if (histories.size() > most_histories || excused) return {};
  KeptObservations kept;
  std::map<ResponseId, ResponseId> places;
  const auto place_of = [&](ResponseId answer) {
    if (answer <= pending) return answer;
    const auto [place, is_new] = places.emplace(answer, static_cast<ResponseId>(kept.texts.size()) + pending + 1);
    if (is_new) kept.texts.emplace_back(responses.text(answer).begin(), responses.text(answer).end());
    return place->second;
  };
  for (const SerialHistory& history : histories) {
    KeptHistory& one = kept.histories.emplace_back();
    one.order = history.order;
    one.stuck = history.stuck;
    for (const std::uint8_t operation : history.order) one.answers.push_back(place_of(history.response[operation]));
  }
  Archive archive;
  archive.put(kept);
  return std::move(archive.bytes);
}

void restore(std::span<const std::byte> bytes, ObservationSet& observed, Responses& responses) {
  KeptObservations kept;
  Archive(bytes).field(kept);
  std::vector<ResponseId> numbers;
  for (const std::vector<char>& text : kept.texts) numbers.push_back(responses.number({text.data(), text.size()}));
  for (const KeptHistory& one : kept.histories) {
    SerialHistory history;
    history.order = one.order;
    history.stuck = one.stuck;
    history.response.assign(observed.operations(), absent);
    for (std::size_t i = 0; i < one.order.size(); ++i) {
      const ResponseId place = one.answers[i];
      history.response[one.order[i]] = place <= pending ? place : numbers[place - pending - 1];
    }
    observed.add(std::move(history));
  }
}

}  // namespace muster
