#pragma once
// Reads a trace of any format, batch by batch, in memory that does not grow with its length.
//
//   auto reader = open_trace("bank.std");
//   for (auto batch = reader->next(); !batch.empty(); batch = reader->next())
//     for (const Event& event : batch) ...

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/event.hpp"

namespace muster::trace {

enum class Format : std::uint8_t { binary, std_text, speedygo };

class TraceReader {
 public:
  virtual ~TraceReader() = default;

  /// The next events, in trace order; empty at the end. Throws Error at the first bad place, after all events before
  /// it were given.
  virtual std::span<const Event> next() = 0;

  /// Starts again at the first event. Names keep their numbers.
  virtual void rewind() = 0;

  virtual std::string name(NameClass name_class, std::uint32_t id) const = 0;
  virtual std::uint32_t count(NameClass name_class) const = 0;
  /// For people: a recording knows addresses by name, and what symbols the program has for some of them.
  virtual std::string describe(NameClass name_class, std::uint32_t id) const { return name(name_class, id); }

  /// Where a variable lies, for another run of the same program: "module+0x123"; empty where it is in no module's data.
  virtual std::string offset(NameClass, std::uint32_t) const { return {}; }

  /// Said once at the end: "truncated: …" where the rest of a recording is missing but what was read is whole.
  virtual std::optional<std::string> note() const { return std::nullopt; }

  /// What a recording says about itself, a line `name value` each: the arguments of the program, the functions taken as
  /// transactions, the test of a check.
  virtual std::string about() const { return {}; }

  /// "bank.std:14" or "bank.trace: event 14".
  virtual std::string where(const Event& event) const = 0;
};

/// The format by content, or by the name's ending where the content leaves it open (.log, .csv: SpeedyGo).
Format guess_format(const std::filesystem::path& path);

std::unique_ptr<TraceReader> open_trace(const std::filesystem::path& path, std::optional<Format> format = std::nullopt);

}  // namespace muster::trace
