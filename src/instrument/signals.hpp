#pragma once

#include <cstdint>

#include "base/event.hpp"
#include "base/tape.hpp"

namespace muster {

/// A thread sends itself a signal: 0, or what is wrong with it.
int send_to_self(int signal, SiteId site);

/// What the running thread blocks, a bit for each signal; and blocking these and no others: what has waited may come.
std::uint64_t blocked_signals();
void block_only(std::uint64_t signals, SiteId site);

/// A thread begins with the signals blocked that its parent blocks.
void inherit_blocked_signals(ThreadId child);

/// Signals do again what they did before the execution, and none is blocked.
void forget_signals();

/// Handlers and blocked signals are rare: an execution that changed any is not saved, and going back forgets them.
bool signals_can_be_saved();
void pass_signals(Tape& tape);
std::uint64_t signals_hash();

}  // namespace muster
