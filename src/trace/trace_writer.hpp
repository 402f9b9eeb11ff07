#pragma once
// Writes events in trace order, in Muster's binary form or as STD text.

#include <filesystem>
#include <memory>
#include <span>

#include "trace/trace_reader.hpp"

namespace muster::trace {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;

  /// The names of the events' objects are taken from `names`, whose numbers have to be dense and in order of first use.
  virtual void write(std::span<const Event> events, const TraceReader& names) = 0;

  /// Writes what is still buffered; throws Error if the disk does not take it.
  virtual void finish() = 0;
};

std::unique_ptr<TraceWriter> create_binary_trace(const std::filesystem::path& path);
std::unique_ptr<TraceWriter> create_std_trace(const std::filesystem::path& path);

}  // namespace muster::trace
