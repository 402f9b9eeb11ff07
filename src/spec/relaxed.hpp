#pragma once
// Queues, stacks and priority queues that may be out of order by a few items, and count it.
//
//   const SpecPtr two_off = relaxed(queue_spec(), 2);

#include "spec/spec.hpp"

namespace muster {

/// Whether `relaxed` knows the object: queues, stacks and priority queues.
bool can_relax(const Spec& spec);

/// The object whose removals take an item of rank at most `factor` and skip each item of smaller rank at most `factor`
/// times in its life; "nothing there" still means that nothing is there, and looking is as exact as before. The rank of
/// an item: how many stand before it in the queue, above it in the stack, strictly before it in the order of the
/// priority queue. With factor 0 it is `spec` itself. Throws Error for another object.
SpecPtr relaxed(const SpecPtr& spec, unsigned factor);

}  // namespace muster
