#pragma once

#include <cstdint>

#include "base/event.hpp"

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

std::uint64_t signals_hash();

}  // namespace muster
