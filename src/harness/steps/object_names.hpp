#pragma once
// Names for the objects of one execution, and for the pointers to them, that are the same whenever its schedule is run:
// never an address.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/steps/tracer.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

/// What lies in variables of the standard library's own.
constexpr std::string_view library_data = "data of the standard library";

class ObjectNames {
 public:
  /// What an object is shows in what is done to it, so all events are looked at first.
  ObjectNames(const std::vector<TracedEvent>& events, Symbolizer& symbolizer);

  /// As it is called in the source, "mailbox.full_", where that is known; "n2.next" of a heap block whose type is; else
  /// "mutex#1 of main", "block#2+8 (stack.hpp:31)". Empty if the event is about no object.
  std::string name(const TracedEvent& traced);

  /// What the access found and left: "= 1", "n1 → null". Empty where that is not known.
  std::string values(const TracedEvent& traced);
  /// What an access took no notice of, if it did so.
  std::string newest_value(const TracedEvent& traced);

  /// Which blocks the names are of that were given: "n1, n2: Node (stack.hpp:31)"; empty if they are of none.
  std::string blocks();

 private:
  struct Block {
    TypeId type = 0;        // of what lies in it, from its beginning
    bool is_named = false;  // in the source: what allocated it says what it is
    std::uint32_t site = 0;
    bool is_told = false;
  };

  void look_at(const TracedEvent& traced);
  bool learn_types(const TracedEvent& traced);
  TypedPlace typed(const Location& location);
  TypeId value_type(const TracedEvent& traced);
  std::string text(const TracedEvent& traced, const TracedValues::Value& value);
  std::string pointer_text(std::uint64_t word, const Location& at, TypeId pointee);
  std::string place_text(const Location& location);
  std::string number_text(std::uint64_t word, unsigned size) const;
  std::string block_name(std::uint32_t number);
  bool is_typed(std::uint32_t block) const;  // but has no name in the source

  std::string_view sort_of(ObjectId object) const;
  std::string& in_source(const Location& location);
  /// Also where another event tells: a variable of a thread that has not been heard of yet is known by its name later.
  std::string called_in_source(const Location& location);
  bool is_ambiguous(const std::string& name) const;

  Symbolizer& symbolizer_;
  std::map<ObjectId, std::string_view> sorts_;
  std::map<std::uint32_t, Block> blocks_;                                    // by number
  std::map<std::pair<std::uint64_t, std::int64_t>, std::string> in_source_;  // by code and offset
  std::map<std::string, std::set<ObjectId>> called_;                         // what goes by the same name in the source
  std::map<ObjectId, std::set<std::string>> names_;                          // of variables on stacks
  std::map<ObjectId, unsigned> numbers_;           // of what has no name of its own, by sort, as they are met
  std::map<std::string_view, unsigned> how_many_;  // of each sort
  std::map<std::pair<TypedPlace, std::uint64_t>, TypeId> value_types_;
  std::map<std::pair<std::uint64_t, std::int64_t>, TypedPlace> locals_;  // by code and offset
  std::map<ObjectId, TypedPlace> globals_;
  std::map<std::uint64_t, TypeId> atomics_;  // by code
};

}  // namespace muster
