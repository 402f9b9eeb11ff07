// Objects of Jepsen's workloads that are read as a whole: grow-only sets, and the accounts of a bank.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "spec/builtin.hpp"
#include "spec/modelled.hpp"

namespace muster {
namespace {

std::vector<Value> sorted_items(Value list) {
  std::vector<Value> items;
  if (list.kind() == Value::Kind::list) items.assign(list.items().begin(), list.items().end());
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

struct WholeSet {
  std::vector<Value> items;  ///< sorted

  bool operator==(const WholeSet&) const = default;
  std::uint64_t hash() const { return hash_values(items); }
  std::size_t footprint() const { return items.capacity() * sizeof(Value); }
  std::string describe() const { return to_string(Value::list(items)); }

  void add(Value value) {
    const auto place = std::ranges::lower_bound(items, value);
    if (place == items.end() || *place != value) items.insert(place, value);
  }
};

/// The order in which a read lists the elements says nothing; nil is a set that nobody has made yet.
bool same_set(Value answer, Value recorded) {
  if (same_answer(answer, recorded)) return true;
  if (recorded.is_nil()) return answer.items().empty();
  return recorded.kind() == Value::Kind::list && sorted_items(recorded) == sorted_items(answer);
}

using Balances = std::vector<std::pair<Value, std::int64_t>>;  ///< sorted by account

/// JSON's names of fields are texts, also where accounts are numbers.
Value account_of(Value name) {
  if (name.kind() != Value::Kind::text) return name;
  const std::string_view letters = name.letters();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(letters.data(), letters.data() + letters.size(), number);
  return error == std::errc() && end == letters.data() + letters.size() ? Value::integer(number) : name;
}

/// What a read of all accounts says; nothing where it says something else.
std::optional<Balances> balances_of(Value read) {
  if (read.kind() != Value::Kind::map) return std::nullopt;
  Balances balances;
  const auto items = read.items();
  for (std::size_t at = 0; at + 1 < items.size(); at += 2) {
    if (!items[at + 1].is_integer()) return std::nullopt;
    balances.emplace_back(account_of(items[at]), items[at + 1].as_integer());
  }
  std::ranges::sort(balances);
  return balances;
}

/// A field of the map that says what a transfer is, `:from` in EDN and "from" in JSON.
std::optional<Value> field_of(Value transfer, std::string_view name) {
  const auto items = transfer.items();
  for (std::size_t at = 0; at + 1 < items.size(); at += 2) {
    const Value::Kind kind = items[at].kind();
    if (kind != Value::Kind::symbol && kind != Value::Kind::text) continue;
    std::string_view letters = items[at].letters();
    if (letters.starts_with(':')) letters.remove_prefix(1);
    if (letters == name) return items[at + 1];
  }
  return std::nullopt;
}

std::string objection_to_transfer(std::span<const Value> arguments, Value) {
  const Value transfer = arguments[0];
  const bool is_one = transfer.kind() == Value::Kind::map && field_of(transfer, "from") && field_of(transfer, "to") &&
                      field_of(transfer, "amount") && field_of(transfer, "amount")->is_integer();
  return is_one ? "" : fmt::format("{} is no transfer such as {{:from 0, :to 1, :amount 5}}", to_string(transfer));
}

std::string objection_to_read(std::span<const Value>, Value result) {
  if (result.is_none() || result.is_nil() || balances_of(result)) return "";
  return fmt::format("{} is no map of accounts to their balances", to_string(result));
}

/// Until the first read nobody knows what the accounts hold: only what was moved since the beginning.
struct Bank {
  bool known = false;
  Balances balances;  ///< or changes of them, without those that came out even

  bool operator==(const Bank&) const = default;
  std::uint64_t hash() const { return mix(hash_bytes(std::as_bytes(std::span(balances))), known); }
  std::size_t footprint() const { return balances.capacity() * sizeof(balances[0]); }

  void change(Value account, std::int64_t amount) {
    const auto place = std::ranges::lower_bound(balances, account, {}, &Balances::value_type::first);
    if (place == balances.end() || place->first != account) {
      if (amount != 0) balances.insert(place, {account, amount});
    } else if ((place->second += amount) == 0 && !known) {
      balances.erase(place);
    }
  }
};

void transfer(Bank& bank, Value said) {
  const std::int64_t amount = field_of(said, "amount")->as_integer();
  bank.change(account_of(*field_of(said, "from")), -amount);
  bank.change(account_of(*field_of(said, "to")), amount);
}

/// A read answers for all accounts at once, and the first one says what they held at the beginning.
class BankStates final : public StateSpace {
 public:
  StateId initial() override { return number({}); }

  void step(StateId id, const Call& call, std::vector<StateId>& next) override {
    Bank bank = *banks_[id];
    if (call.method == 0) {
      transfer(bank, call.arguments[0]);
      next.push_back(number(std::move(bank)));
      return;
    }
    const auto read = call.pending ? std::nullopt : balances_of(call.result);
    if (!read || bank.balances == *read) {
      next.push_back(read && !bank.known ? number({true, *read}) : id);
    } else if (!bank.known && std::ranges::all_of(bank.balances, [&](const auto& changed) {
                 return std::ranges::binary_search(*read, changed.first, {}, &Balances::value_type::first);
               })) {
      next.push_back(number({true, *read}));
    }
  }

  std::size_t bytes() const override { return bytes_; }

  std::string describe(StateId id) const override {
    std::string out = banks_[id]->known ? "" : "unknown";
    for (const auto& [account, balance] : banks_[id]->balances)
      out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", to_string(account),
                         banks_[id]->known || balance < 0 ? "" : "+", balance);
    return "{" + out + "}";
  }

 private:
  StateId number(Bank bank) {
    const auto [found, fresh] = numbers_.try_emplace({bank.known, bank.balances}, static_cast<StateId>(banks_.size()));
    if (fresh) {
      bytes_ += sizeof(Bank) + 96 + 2 * bank.balances.size() * sizeof(bank.balances[0]);
      banks_.push_back(std::make_unique<Bank>(std::move(bank)));
    }
    return found->second;
  }

  std::map<std::pair<bool, Balances>, StateId> numbers_;
  std::vector<std::unique_ptr<Bank>> banks_;
  std::size_t bytes_ = 0;
};

std::unique_ptr<StateSpace> bank_states() { return std::make_unique<BankStates>(); }

}  // namespace

SpecPtr bank_spec() {
  return modelled<Bank>("bank", {},
                        {{{.name = "transfer", .arguments = 1, .objection = objection_to_transfer},
                          [](Bank& bank, Arguments a) {
                            transfer(bank, a[0]);
                            return Answer(Value());
                          }},
                         {{.name = "read", .answers = true, .objection = objection_to_read},
                          [](Bank&, Arguments) { return Answer(Value()); }}},
                        {.states = bank_states});
}

SpecPtr whole_set_spec() {
  return modelled<WholeSet>("whole-set", {},
                            {{{.name = "add", .aliases = {"insert"}, .arguments = 1, .always_works = true},
                              [](WholeSet& s, Arguments a) {
                                s.add(a[0]);
                                return Answer(Value());
                              }},
                             {{.name = "read", .aliases = {"get"}, .observes = true, .answers = true},
                              [](WholeSet& s, Arguments) { return Answer(Value::list(s.items)); }}},
                            {.family = Family::whole_set, .fits = same_set});
}

}  // namespace muster
