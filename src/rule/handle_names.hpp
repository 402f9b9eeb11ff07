#pragma once
// How the handles of a test are called. Executions differ in the values of handles, addresses for one, so a handle has
// the name of the place that gave it: pin#A1. Of values it is only told which are the same.
//
// A handle is held from the call that gives it to the call that takes it. A serial order explains an execution if
// handles that are held at once in that order were the same in the execution just where they are the same serially. The
// order says which are held at once, not the execution: there, a call that takes may overlap one that gives. So what an
// object gives anew after it was taken is never compared with what it was before.

#include <span>
#include <string_view>
#include <vector>

#include "rule/recorded.hpp"

namespace muster {

/// Bytes of an answer that is a handle; its value follows.
constexpr char handle_mark = '\x02';
inline bool is_handle(std::string_view answer) { return !answer.empty() && answer[0] == handle_mark; }

class HandleNames {
 public:
  HandleNames() = default;  // of a test in which nothing gives any
  HandleNames(const CheckDefinition& check, const Test& test, Responses& responses);

  /// Whether some operation gives a handle.
  bool some() const { return !operations_.empty(); }
  /// The name of a handle after the operation that gave it.
  ResponseId own(unsigned operation) const { return operations_[operation].name; }
  /// Whether the operation gave a handle: then it answered a name.
  bool is_name(unsigned operation, ResponseId response) const;
  /// The answer with the name that the handle has by its own place, if it is one.
  ResponseId by_place(unsigned operation, ResponseId response) const {
    return some() && is_name(operation, response) ? own(operation) : response;
  }

  /// Notes what an operation answered: a text, or the value of a handle.
  void record(unsigned operation, std::string_view answer, ResponseId number, Recorded& history) const {
    if (is_handle(answer)) [[unlikely]]
      return history.give(operation, own(operation), number);
    history.ret(operation, number);
  }

  /// `history` with the names that people read: the same as long as it is the same handle, until a call that takes it
  /// has returned.
  Recorded named(const Recorded& history) const;
  void put_names(const Recorded& history, std::span<ResponseId> answers) const;

  /// Handles that were held when an operation gave one: those that are the same, and others.
  struct Held {
    std::uint64_t same = 0, other = 0;
  };
  /// By operation.
  std::vector<Held> held_in(const SerialHistory& history) const;

 private:
  struct Operation {
    int gives = -1;            // a slot
    ResponseId name = absent;  // of what it gives
    int takes = -1;            // the operation whose handle is gone afterwards
    int taker = -1;            // the other way round
  };
  bool is_gone(unsigned giver, unsigned later, const Recorded& history) const;

  std::vector<Operation> operations_;
};

/// Whether the handle that an operation gave in an execution is the same as those which were held when it was given
/// serially, just where it is serially.
bool agrees(const HandleNames::Held& held, unsigned operation, const GivenHandles& handles);

}  // namespace muster
