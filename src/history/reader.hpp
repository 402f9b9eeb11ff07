#pragma once
// What the readers of all formats share.

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "history/history.hpp"
#include "history/read.hpp"

namespace muster {

/// Takes a file in pieces and gives its history. 64 readable bytes follow every piece (see input.hpp).
class Reader {
 public:
  explicit Reader(std::string name, const ReadOptions& options)
      : options_(options), build_(name), name_(std::move(name)) {}
  virtual ~Reader() = default;

  virtual void feed(std::string_view piece) = 0;
  virtual History finish() = 0;

 protected:
  template <class... Args>
  [[noreturn]] void complain(std::uint32_t line, fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}:{}: {}", name_, line, fmt::format(format, std::forward<Args>(args)...));
  }

  History finish_with(Ties ties) { return build_.finish(options_.ties.value_or(ties)); }

  /// The method of this name, after renaming.
  MethodId method(std::string_view name) {
    // Few names, asked for again and again.
    for (const auto& [known, id] : methods_) {
      if (known == name) return id;
    }
    const MethodId id = build_.method(options_.names.operation(name));
    methods_.emplace_back(name, id);
    return id;
  }

  const ReadOptions options_;
  HistoryBuilder build_;
  std::string name_;

 private:
  std::vector<std::pair<std::string, MethodId>> methods_;
};

/// A format in which each line stands alone.
class LineReader : public Reader {
 public:
  using Reader::Reader;

  void feed(std::string_view piece) final {
    const char* at = piece.data();
    const char* const end = at + piece.size();
    while (at < end) {
      const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
      const char* const stop = found ? static_cast<const char*>(found) : end;
      const char* last = stop;
      if (last > at && last[-1] == '\r') --last;
      ++number_;
      line({at, static_cast<std::size_t>(last - at)});
      at = stop + 1;
    }
  }

 protected:
  /// One line without its end; its number is number_.
  virtual void line(std::string_view text) = 0;

  std::uint32_t number_ = 0;
};

/// Matches returns with calls by process, for formats of events. Values are kept as they stand in the file until the
/// end.
class OpenCalls {
 public:
  /// The open call of a process, taken off; none if there is none.
  std::optional<OperationId> take(ProcessId process) {
    if (process >= open_.size() || open_[process] == 0) return std::nullopt;
    return std::exchange(open_[process], 0) - 1;
  }
  std::optional<OperationId> find(ProcessId process) const {
    return has(process) ? std::optional(open_[process] - 1) : std::nullopt;
  }
  bool has(ProcessId process) const { return process < open_.size() && open_[process] != 0; }
  void put(ProcessId process, OperationId id) {
    if (process >= open_.size()) open_.resize(process + 1);
    open_[process] = id + 1;
  }

 private:
  std::vector<OperationId> open_;  ///< by process, plus one
};

std::unique_ptr<Reader> json_lines_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> edn_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> jepsen_json_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> jepsen_log_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> intervals_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> processes_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> calls_reader(std::string name, const ReadOptions& options);
std::unique_ptr<Reader> text_reader(std::string name, const ReadOptions& options);

}  // namespace muster
