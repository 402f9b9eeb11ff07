#pragma once
// How far operations of each class may be out of order.
//
//   parse_factors("dequeue=2", *queue_spec()), parse_factors("3", *spec), parse_factors("read+get=1", *spec)

#include <string>
#include <string_view>
#include <vector>

#include "spec/spec.hpp"

namespace muster {

/// Quasi factors (Round-Up, Definition 3): methods that are in no class have factor 0.
struct QuasiFactors {
  struct Class {
    std::vector<MethodIndex> methods;
    unsigned factor = 0;
    bool operator==(const Class&) const = default;
  };
  std::vector<Class> classes;

  bool operator==(const QuasiFactors&) const = default;
  unsigned of(MethodIndex method) const;
  /// The largest of them.
  unsigned largest() const;
  /// The same with `factor` for every relaxed class: those with a factor above 0, or all if there are none.
  QuasiFactors with(unsigned factor) const;
};

/// One number is the factor of the removals of a queue, stack or priority queue, and of every method of another object.
/// Throws Error for what is no factor, or names no method of the spec.
QuasiFactors parse_factors(std::string_view text, const Spec& spec);

/// "dequeue=2".
std::string to_string(const QuasiFactors& factors, const Spec& spec);

/// Whether the relaxed object of the spec (spec/relaxed.hpp) says the same, whatever the factor of the relaxed classes:
/// they are the removals. Anything else is a matter of displaced operations.
bool relaxes_removals_only(const QuasiFactors& factors, const Spec& spec);

}  // namespace muster
