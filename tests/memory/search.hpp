#pragma once
// All outcomes of a program that the machine comes to, by one of several ways to go through its executions.

#include <functional>

#include "memory/machine.hpp"

namespace muster::weak {

enum class Reduction : std::uint8_t {
  none,   // all orders of all steps
  sleep,  // sleep sets: executions that differ in the order of steps that commute are one
  source  // source sets as well: only threads that reverse a race
};

/// Where an execution ends in which a thread was given up that the newest values would lead elsewhere.
enum class Cut : std::uint8_t {
  never,     // it goes on to its end, and does not count
  own_step,  // if it is so when the thread is given up: its step was in vain
  any_step,  // as soon as it is so. Source sets do not see the races of what would follow
};

struct Search {
  Rule rule = Rule::essential;
  Reduction reduction = Reduction::none;
  Loops loops = Loops::end;
  Cut cut = Cut::own_step;
  bool look_further = true;   // a step in vain is no answer to a race
  bool check_graphs = false;  // each complete execution is looked at by the axioms
  std::size_t most_executions = 1'000'000;
};

struct Found {
  Outcomes outcomes;
  bool complete = true;        // no limit was reached
  std::size_t executions = 0;  // that came to their end
  std::size_t ended_early = 0, asleep = 0;
  std::size_t refuted = 0;  // by the axioms
};

/// `visit` gets each execution that is complete or ends early.
Found search(const Program& program, const Search& how, const std::function<void(const Machine&)>& visit = {});

}  // namespace muster::weak
