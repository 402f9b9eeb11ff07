#include "spec/synchronisation_objects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace muster {
namespace {

struct Stateless {
  bool operator==(const Stateless&) const = default;
};

/// Synchronisations so far.
struct Tally {
  std::int64_t count = 0;
  bool operator==(const Tally&) const = default;
  std::uint64_t hash() const { return static_cast<std::uint64_t>(count); }
};

struct Closed {
  bool closed = false;
  bool operator==(const Closed&) const = default;
};

/// Pairs that have met.
struct Acquainted {
  std::vector<std::pair<Value, Value>> pairs;  // sorted
  bool operator==(const Acquainted&) const = default;
  std::uint64_t hash() const { return hash_bytes(std::as_bytes(std::span(pairs))); }

  /// False if they have met before.
  bool meet(Value a, Value b) {
    const std::pair pair{a, b};
    const auto at = std::ranges::lower_bound(pairs, pair);
    if (at != pairs.end() && *at == pair) return false;
    pairs.insert(at, pair);
    return true;
  }
};

struct Line {
  std::vector<Value> items;
  bool ended = false;
  bool operator==(const Line&) const = default;
  std::uint64_t hash() const { return hash_values(items) + ended; }
};

template <class State>
Meetings<State> gives(State next, std::vector<Value> responses) {
  return {{std::move(next), std::move(responses)}};
}

template <class State>
ModeFunction<State> alone(std::string name, MethodIndex operation, Value response) {
  return {std::move(name), {operation}, [response](const State& s, Participants) { return gives(s, {response}); }};
}

Value value_of(Participants participants, std::size_t who) { return participants[who][0]; }

}  // namespace

SyncSpecPtr channel_spec() {
  return synchronised<Stateless>("channel", {}, {{"send", 1}, {.name = "receive", .answers = true}},
                                 {{"transfer", {0, 1}, [](const Stateless& s, Participants p) {
                                     return gives(s, {Value(), value_of(p, 0)});
                                   }}});
}

SyncSpecPtr counting_channel_spec() {
  return synchronised<Tally>("counting-channel", {},
                             {{.name = "send", .arguments = 1, .answers = true}, {.name = "receive", .answers = true}},
                             {{"transfer", {0, 1}, [](const Tally& s, Participants p) {
                                 const Value number = Value::integer(s.count + 1);
                                 return gives(Tally{s.count + 1}, {number, Value::list({value_of(p, 0), number})});
                               }}});
}

SyncSpecPtr timeout_channel_spec() {
  return synchronised<Stateless>(
      "timeout-channel", {}, {{.name = "send", .arguments = 1, .answers = true}, {.name = "receive", .answers = true}},
      {{"transfer",
        {0, 1},
        [](const Stateless& s, Participants p) {
          return gives(s, {Value::boolean(true), value_of(p, 0)});
        }},
       alone<Stateless>("send expires", 0, Value::boolean(false)),
       alone<Stateless>("receive expires", 1, Value::nil())});
}

SyncSpecPtr closeable_channel_spec() {
  const auto once_closed = [](std::string name, MethodIndex operation, Value response) {
    return ModeFunction<Closed>{std::move(name), {operation}, [response](const Closed& s, Participants) {
                                  return s.closed ? gives(s, {response}) : Meetings<Closed>{};
                                }};
  };
  return synchronised<Closed>(
      "closeable-channel", {},
      {{.name = "send", .arguments = 1, .answers = true}, {.name = "receive", .answers = true}, {"close", 0}},
      {{"transfer",
        {0, 1},
        [](const Closed& s, Participants p) {
          return s.closed ? Meetings<Closed>{} : gives(s, {Value::boolean(true), value_of(p, 0)});
        }},
       once_closed("send fails", 0, Value::boolean(false)),
       once_closed("receive fails", 1, Value::nil()),
       {"close", {2}, [](const Closed&, Participants) { return gives(Closed{true}, {Value()}); }}});
}

SyncSpecPtr exchanger_spec() {
  return synchronised<Stateless>("exchanger", {}, {{.name = "exchange", .arguments = 1, .answers = true}},
                                 {{"exchange", {0, 0}, [](const Stateless& s, Participants p) {
                                     return gives(s, {value_of(p, 1), value_of(p, 0)});
                                   }}});
}

SyncSpecPtr timeout_exchanger_spec() {
  return synchronised<Stateless>("timeout-exchanger", {}, {{.name = "exchange", .arguments = 1, .answers = true}},
                                 {{"exchange",
                                   {0, 0},
                                   [](const Stateless& s, Participants p) {
                                     return gives(s, {value_of(p, 1), value_of(p, 0)});
                                   }},
                                  alone<Stateless>("exchange expires", 0, Value::nil())});
}

SyncSpecPtr men_and_women_spec() {
  return synchronised<Stateless>(
      "men-and-women", {},
      {{.name = "man", .arguments = 1, .answers = true}, {.name = "woman", .arguments = 1, .answers = true}},
      {{"meet", {0, 1}, [](const Stateless& s, Participants p) {
          return gives(s, {value_of(p, 1), value_of(p, 0)});
        }}});
}

SyncSpecPtr one_family_spec() {
  return synchronised<Acquainted>("one-family", {}, {{.name = "meet", .arguments = 1, .answers = true}},
                                  {{"meet", {0, 0}, [](const Acquainted& s, Participants p) {
                                      const Value a = value_of(p, 0), b = value_of(p, 1);
                                      Acquainted next = s;
                                      if (a == b || !next.meet(std::min(a, b), std::max(a, b)))
                                        return Meetings<Acquainted>{};
                                      return gives(std::move(next), {b, a});
                                    }}});
}

SyncSpecPtr two_families_spec() {
  return synchronised<Acquainted>(
      "two-families", {},
      {{.name = "meet_as_a", .arguments = 1, .answers = true}, {.name = "meet_as_b", .arguments = 1, .answers = true}},
      {{"meet", {0, 1}, [](const Acquainted& s, Participants p) {
          Acquainted next = s;
          if (!next.meet(value_of(p, 0), value_of(p, 1))) return Meetings<Acquainted>{};
          return gives(std::move(next), {value_of(p, 1), value_of(p, 0)});
        }}});
}

SyncSpecPtr abc_spec() {
  return synchronised<Stateless>("abc", {},
                                 {{.name = "sync_a", .arguments = 1, .answers = true},
                                  {.name = "sync_b", .arguments = 1, .answers = true},
                                  {.name = "sync_c", .arguments = 1, .answers = true}},
                                 {{"meet", {0, 1, 2}, [](const Stateless& s, Participants p) {
                                     const Value a = value_of(p, 0), b = value_of(p, 1), c = value_of(p, 2);
                                     return gives(s, {Value::list({b, c}), Value::list({a, c}), Value::list({a, b})});
                                   }}});
}

SyncSpecPtr counting_abc_spec() {
  return synchronised<Tally>(
      "counting-abc", {},
      {{.name = "sync_a", .arguments = 1, .answers = true},
       {.name = "sync_b", .arguments = 1, .answers = true},
       {.name = "sync_c", .arguments = 1, .answers = true}},
      {{"meet", {0, 1, 2}, [](const Tally& s, Participants p) {
          const Value a = value_of(p, 0), b = value_of(p, 1), c = value_of(p, 2), n = Value::integer(s.count + 1);
          return gives(Tally{s.count + 1}, {Value::list({b, c, n}), Value::list({a, c, n}), Value::list({a, b, n})});
        }}});
}

SyncSpecPtr barrier_spec(unsigned participants) {
  return synchronised<Stateless>(
      "barrier", {}, {{"sync", 0, {"wait", "await", "arrive_and_wait"}}},
      {{"sync", std::vector<MethodIndex>(participants, 0),
        [participants](const Stateless& s, Participants) { return gives(s, std::vector<Value>(participants)); }}});
}

SyncSpecPtr counting_barrier_spec(unsigned participants) {
  return synchronised<Tally>(
      "counting-barrier", {}, {{"sync", 0, {"wait", "await", "arrive_and_wait"}, true}},
      {{"sync", std::vector<MethodIndex>(participants, 0), [participants](const Tally& s, Participants) {
          return gives(Tally{s.count + 1}, std::vector<Value>(participants, Value::integer(s.count + 1)));
        }}});
}

SyncSpecPtr terminating_queue_spec(unsigned participants) {
  return synchronised<Line>(
      "terminating-queue", {}, {{"enqueue", 1, {"enq", "push"}}, {"dequeue", 0, {"deq", "pop"}, true}},
      {{"enqueue",
        {0},
        [](const Line& s, Participants p) {
          Line next = s;
          next.items.push_back(value_of(p, 0));
          return gives(std::move(next), {Value()});
        }},
       {"dequeue",
        {1},
        [](const Line& s, Participants) {
          if (s.ended) return gives(s, {Value::nil()});
          if (s.items.empty()) return Meetings<Line>{};
          Line next = s;
          next.items.erase(next.items.begin());
          return gives(std::move(next), {s.items.front()});
        }},
       {"end", std::vector<MethodIndex>(participants, 1), [participants](const Line& s, Participants) {
          if (!s.items.empty() || s.ended) return Meetings<Line>{};
          return gives(Line{.items = {}, .ended = true}, std::vector<Value>(participants, Value::nil()));
        }}});
}

namespace {

struct NamedObject {
  std::string_view name;
  SyncSpecPtr (*make)();
};
struct NamedForSome {
  std::string_view name;
  SyncSpecPtr (*make)(unsigned participants);
};

constexpr NamedObject fixed[] = {
    {"channel", channel_spec},
    {"counting-channel", counting_channel_spec},
    {"timeout-channel", timeout_channel_spec},
    {"closeable-channel", closeable_channel_spec},
    {"exchanger", exchanger_spec},
    {"timeout-exchanger", timeout_exchanger_spec},
    {"men-and-women", men_and_women_spec},
    {"one-family", one_family_spec},
    {"two-families", two_families_spec},
    {"abc", abc_spec},
    {"counting-abc", counting_abc_spec},
};
constexpr NamedForSome for_some[] = {
    {"barrier", barrier_spec},
    {"counting-barrier", counting_barrier_spec},
    {"terminating-queue", terminating_queue_spec},
};

}  // namespace

SyncSpecPtr find_synchronisation_spec(std::string_view name, unsigned participants) {
  for (const NamedObject& spec : fixed) {
    if (spec.name == name) return spec.make();
  }
  for (const NamedForSome& spec : for_some) {
    if (spec.name != name) continue;
    if (participants == 0) fail("--spec {}: say how many threads meet with --participants", name);
    return spec.make(participants);
  }
  return nullptr;
}

std::vector<std::string_view> synchronisation_spec_names() {
  std::vector<std::string_view> names;
  for (const NamedObject& spec : fixed) names.push_back(spec.name);
  for (const NamedForSome& spec : for_some) names.push_back(spec.name);
  return names;
}

}  // namespace muster
