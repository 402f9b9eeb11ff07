#pragma once
// Names for the objects of one execution that are the same whenever its schedule is run: never an address.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/tracer.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {

class ObjectNames {
 public:
  /// What an object is shows in what is done to it, so all events are looked at first.
  ObjectNames(const std::vector<TracedEvent>& events, Symbolizer& symbolizer);

  /// As it is called in the source, "mailbox.full_", where that is known; else "mutex#1 of main", "block#2+8
  /// (stack.hpp:31)". Empty if the event is about no object.
  std::string name(const TracedEvent& traced);

 private:
  std::string_view sort_of(ObjectId object) const;
  const std::string& in_source(const TracedEvent& traced);
  /// Also where another event tells: a variable of a thread that has not been heard of yet is known by its name later.
  std::string called_in_source(const TracedEvent& traced);
  bool is_ambiguous(const std::string& name) const;

  Symbolizer& symbolizer_;
  std::map<ObjectId, std::string_view> sorts_;
  std::map<std::pair<std::uint64_t, std::int64_t>, std::string> in_source_;  // by code and offset
  std::map<std::string, std::set<ObjectId>> called_;                         // what goes by the same name in the source
  std::map<ObjectId, std::set<std::string>> names_;                          // of variables on stacks
  std::map<ObjectId, unsigned> numbers_;           // of what has no name of its own, by sort, as they are met
  std::map<std::string_view, unsigned> how_many_;  // of each sort
};

}  // namespace muster
