#pragma once
// A thread that has only read since it began somewhere is about to write or to return.

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <span>

#include "base/event.hpp"

namespace muster {

/// Works out a hash of where a thread is: all that its future depends on besides what others do.
using StateHash = absl::FunctionRef<std::uint64_t()>;

struct SeenValue {
  ObjectId object;
  std::uint64_t value;
  std::uint32_t size;
  bool visible;
};

struct Arrival {
  SiteId site;                       // where it is now
  std::uint64_t start;               // the state it began in
  std::span<const SeenValue> reads;  // all since then
  std::size_t earlier;               // how many of them belong to tries before the last one
};

}  // namespace muster
