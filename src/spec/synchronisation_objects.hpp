#pragma once
// The synchronisation specs that Muster brings along: the examples of Lawrence and Lowe, section 7, as logs show them.

#include <string_view>
#include <vector>

#include "spec/synchronisation.hpp"

namespace muster {

/// send(x) gives nothing, receive() gives x.
SyncSpecPtr channel_spec();
/// send(x) gives the number of the transfer, receive() a list of value and number.
SyncSpecPtr counting_channel_spec();
/// send(x) gives true or false, receive() the value or nil.
SyncSpecPtr timeout_channel_spec();
/// The same, where false and nil are given only once close() was called.
SyncSpecPtr closeable_channel_spec();
/// exchange(x) gives the other's value.
SyncSpecPtr exchanger_spec();
/// The same, or nil.
SyncSpecPtr timeout_exchanger_spec();
/// man(x) and woman(y) give the other's.
SyncSpecPtr men_and_women_spec();
/// meet(x) gives the other one; a pair meets at most once, and nobody meets itself.
SyncSpecPtr one_family_spec();
/// meet_as_a(x) and meet_as_b(y) give the other one; a pair meets at most once.
SyncSpecPtr two_families_spec();
/// sync_a(x), sync_b(y), sync_c(z) give a list of the two other values.
SyncSpecPtr abc_spec();
/// The same, with the number of the meeting as a third item.
SyncSpecPtr counting_abc_spec();
/// sync() by `participants` threads; gives nothing.
SyncSpecPtr barrier_spec(unsigned participants);
/// The same; gives the number of the round, from 1.
SyncSpecPtr counting_barrier_spec(unsigned participants);
/// enqueue(x) gives nothing; dequeue() an item, or nil once all `participants` threads wait for one.
SyncSpecPtr terminating_queue_spec(unsigned participants);

/// By the names of the command line ("channel", "counting-barrier"); null if unknown. Throws Error where `participants`
/// is 0 and the object needs to know.
SyncSpecPtr find_synchronisation_spec(std::string_view name, unsigned participants = 0);

std::vector<std::string_view> synchronisation_spec_names();

}  // namespace muster
