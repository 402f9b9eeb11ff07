// Queues, stacks, sets and their relatives.

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "spec/builtin.hpp"
#include "spec/modelled.hpp"
#include "spec/priority_states.hpp"
#include "spec/sequence_states.hpp"

namespace muster {
namespace {

/// Items in a row; what removing means is up to the operations below.
struct Items {
  std::vector<Value> items;

  bool operator==(const Items&) const = default;
  std::uint64_t hash() const { return hash_values(items); }
  std::size_t footprint() const { return items.capacity() * sizeof(Value); }
  std::string describe() const {
    std::string out = "[";
    for (const Value item : items) out += fmt::format("{}{}", out.size() > 1 ? " " : "", to_string(item));
    return out + "]";
  }

  Value front() const { return items.empty() ? Value::nil() : items.front(); }
  Value back() const { return items.empty() ? Value::nil() : items.back(); }
  Value push_back(Value value) {
    items.push_back(value);
    return {};
  }
  Value push_front(Value value) {
    items.insert(items.begin(), value);
    return {};
  }
  Value pop_back() {
    const Value value = back();
    if (!items.empty()) items.pop_back();
    return value;
  }
  Value pop_front() {
    const Value value = front();
    if (!items.empty()) items.erase(items.begin());
    return value;
  }
};

/// A sorted row whose back is what comes first.
template <class Before>
struct Sorted : Items {
  bool operator==(const Sorted&) const = default;
  Value insert(Value value) {
    items.insert(std::ranges::upper_bound(items, value, [](Value a, Value b) { return Before()(b, a); }), value);
    return {};
  }
};

struct Bounded : Items {
  std::size_t capacity = 1;
  bool operator==(const Bounded&) const = default;
};

struct Presence {
  bool present = false;

  bool operator==(const Presence&) const = default;
  std::uint64_t hash() const { return present; }
  std::string describe() const { return present ? "present" : "absent"; }
};

const Method enqueue{.name = "enqueue",
                     .aliases = {"enq", "add", "push", "offer", "put", "send", "insert"},
                     .arguments = 1,
                     .always_works = true};
const Method dequeue{.name = "dequeue",
                     .aliases = {"deq", "remove", "pop", "poll", "take", "try_pop", "try_dequeue", "receive"},
                     .idle = Value::nil(),
                     .answers = true};
const Method peek{.name = "peek", .aliases = {"front", "top"}, .observes = true, .answers = true};

template <class First>
SpecPtr priority_queue(Family family, std::unique_ptr<StateSpace> (*states)()) {
  using Model = Sorted<First>;
  return modelled<Model>(
      "priority-queue", {},
      {{{.name = "insert",
         .aliases = {"add", "push", "offer", "enqueue", "enq", "put"},
         .arguments = 1,
         .always_works = true},
        [](Model& q, Arguments a) { return Answer(q.insert(a[0])); }},
       {{.name = "poll",
         .aliases = {"remove", "pop", "dequeue", "deq", "take", "extract", "delete_min", "delete_max", "try_pop"},
         .idle = Value::nil(),
         .answers = true},
        [](Model& q, Arguments) { return Answer(q.pop_back()); }},
       {{.name = "peek", .aliases = {"top", "front", "min", "max"}, .observes = true, .answers = true},
        [](Model& q, Arguments) { return Answer(q.back()); }}},
      {.family = family, .states = states, .shows_what_was_put = true});
}

}  // namespace

SpecPtr queue_spec() {
  return modelled<Items>("queue", {},
                         {{enqueue, [](Items& q, Arguments a) { return Answer(q.push_back(a[0])); }},
                          {dequeue, [](Items& q, Arguments) { return Answer(q.pop_front()); }},
                          {peek, [](Items& q, Arguments) { return Answer(q.front()); }}},
                         {.family = Family::queue, .states = queue_states});
}

SpecPtr bounded_queue_spec(std::size_t capacity) {
  Method offer = enqueue;
  offer.answers_bool = true;
  offer.always_works = false;
  offer.idle = Value::boolean(false);
  // Without a recorded answer an enqueue is one that waits for room, and so cannot happen while the queue is full.
  static constexpr auto offers = [](Bounded& q, Arguments a) {
    if (q.items.size() >= q.capacity) return Answer(Value::boolean(false));
    q.push_back(a[0]);
    return Answer(Value::boolean(true));
  };
  SpecTraits traits;
  traits.fits = [](Value answer, Value recorded) {
    return recorded.is_none() ? !answer.is_false() : same_answer(answer, recorded);
  };
  return modelled<Bounded>("bounded-queue", {{}, capacity},
                           {{offer, [](Bounded& q, Arguments a) { return offers(q, a); }},
                            {dequeue, [](Bounded& q, Arguments) { return Answer(q.pop_front()); }},
                            {peek, [](Bounded& q, Arguments) { return Answer(q.front()); }}},
                           traits);
}

SpecPtr stack_spec() {
  return modelled<Items>(
      "stack", {},
      {{{.name = "push", .aliases = {"add", "put", "insert"}, .arguments = 1, .always_works = true},
        [](Items& s, Arguments a) { return Answer(s.push_back(a[0])); }},
       {{.name = "pop", .aliases = {"remove", "take", "poll", "try_pop"}, .idle = Value::nil(), .answers = true},
        [](Items& s, Arguments) { return Answer(s.pop_back()); }},
       {peek, [](Items& s, Arguments) { return Answer(s.back()); }}},
      {.family = Family::stack, .states = stack_states});
}

SpecPtr deque_spec() {
  return modelled<Items>(
      "deque", {},
      {{{.name = "push_front", .aliases = {"add_first", "pushleft"}, .arguments = 1, .always_works = true},
        [](Items& d, Arguments a) { return Answer(d.push_front(a[0])); }},
       {{.name = "push_back", .aliases = {"add_last", "pushright"}, .arguments = 1, .always_works = true},
        [](Items& d, Arguments a) { return Answer(d.push_back(a[0])); }},
       {{.name = "pop_front", .aliases = {"remove_first", "popleft"}, .idle = Value::nil(), .answers = true},
        [](Items& d, Arguments) { return Answer(d.pop_front()); }},
       {{.name = "pop_back", .aliases = {"remove_last", "popright"}, .idle = Value::nil(), .answers = true},
        [](Items& d, Arguments) { return Answer(d.pop_back()); }},
       {{.name = "peek_front", .aliases = {"front", "first"}, .observes = true, .answers = true},
        [](Items& d, Arguments) { return Answer(d.front()); }},
       {{.name = "peek_back", .aliases = {"back", "last"}, .observes = true, .answers = true},
        [](Items& d, Arguments) { return Answer(d.back()); }}});
}

SpecPtr priority_queue_spec(First first) {
  return first == First::smallest ? priority_queue<std::less<>>(Family::smallest_first, smallest_first_states)
                                  : priority_queue<std::greater<>>(Family::largest_first, largest_first_states);
}

SpecPtr set_spec() {
  return modelled<Presence>(
      "set", {},
      {{{.name = "insert", .aliases = {"add"}, .answers_bool = true, .idle = Value::boolean(false), .answers = true},
        [](Presence& p, Arguments) { return Answer(Value::boolean(!std::exchange(p.present, true))); }},
       {{.name = "remove",
         .aliases = {"erase", "delete"},
         .answers_bool = true,
         .idle = Value::boolean(false),
         .answers = true},
        [](Presence& p, Arguments) { return Answer(Value::boolean(std::exchange(p.present, false))); }},
       {{.name = "contains", .aliases = {"has", "member"}, .observes = true, .answers_bool = true, .answers = true},
        [](Presence& p, Arguments) { return Answer(Value::boolean(p.present)); }}},
      {.keyed = true, .family = Family::set});
}

}  // namespace muster
