#pragma once
// Histories from files, in the formats of docs/reference/formats.md.
//
//   const History history = read_history("log.jsonl");

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/meter.hpp"
#include "history/history.hpp"

namespace muster {

enum class Format {
  recognised,   ///< by content
  json_lines,   ///< events or intervals, one JSON object a line
  edn,          ///< Jepsen histories: maps, in a vector or in a stream
  jepsen_json,  ///< the same as JSON, as elle-cli reads them: an array, or an object a line
  jepsen_log,   ///< lines of a Jepsen log, `0<tab>:invoke<tab>:read<tab>nil`
  intervals,    ///< `push 1 10 20`: method, values, start, end
  processes,    ///< `0 10 20 PUSH 1`: process, start, end, method, values
  calls,        ///< `[3] call add(1)`, `[3] return`
  text,         ///< `A: push(1) -> ok`
};

/// What an operation that is recorded as failed means.
enum class Failed {
  removed,   ///< it did not happen
  observed,  ///< a failed compare-and-set saw another value; other failed operations did not happen
};

/// Other names in a file: operations (`get=read`), and fields of JSON Lines or EDN maps (`key=.k`).
struct NameMap {
  std::vector<std::pair<std::string, std::string>> operations;
  std::vector<std::pair<std::string, std::string>> fields;

  std::string_view operation(std::string_view name) const;
  /// What the file calls the field that Muster calls `field`.
  std::string_view field(std::string_view field) const;
};

/// Parses `get=read,key=.k`; throws Error.
NameMap parse_name_map(std::string_view text);

struct ReadOptions {
  Format format = Format::recognised;
  std::optional<Ties> ties;            ///< unset: the format's own rule
  std::optional<Failed> failed;        ///< unset: the format's own rule
  std::optional<bool> keys_in_values;  ///< Jepsen's `[k v]`; unset: if every value is such a pair
  NameMap names;
  const Meter* meter = nullptr;  ///< asked whether to stop
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// Reading was stopped by the options before the file was read.
struct ReadingStopped {};

/// Reads a file, plain or compressed by gzip or zstd; "-" is standard input. Throws Error with file and
/// line, and ReadingStopped.
History read_history(const std::string& path, const ReadOptions& options = {});

/// Reads a history from memory; `name` stands for the file in messages.
History read_history_text(std::string_view content, const std::string& name, const ReadOptions& options = {});

std::optional<Format> find_format(std::string_view name);

/// The history as JSON Lines events, which read_history reads back.
std::string to_json_lines(const History& history);

}  // namespace muster
