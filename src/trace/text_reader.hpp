#pragma once
// What the two text formats share: lines of a mapped file, a table a class of names, one batch of events at a time.

#include <array>
#include <exception>
#include <vector>

#include "trace/mapped_file.hpp"
#include "trace/names.hpp"
#include "trace/trace_reader.hpp"

namespace muster::trace {

class TextReader : public TraceReader {
 public:
  explicit TextReader(const std::filesystem::path& path);

  std::span<const Event> next() override;
  void rewind() override;
  std::string name(NameClass name_class, std::uint32_t id) const override;
  std::uint32_t count(NameClass name_class) const override { return table(name_class).size(); }
  std::string where(const Event& event) const override;

 protected:
  /// Parses lines from `at` on, stopping before `end` or when the batch is full; returns where it stopped.
  virtual const char* parse_lines(const char* at, const char* end) = 0;

  NameTable& table(NameClass name_class) { return tables_[static_cast<unsigned>(name_class)]; }
  const NameTable& table(NameClass name_class) const { return tables_[static_cast<unsigned>(name_class)]; }

  bool full() const { return batch_.size() >= batch_events; }
  void push(Event event) {
    if (event.thread >= next_index_.size()) next_index_.resize(event.thread + 1u);
    event.index = next_index_[event.thread]++;
    event.line = line_;
    batch_.push_back(event);
  }

  ThreadIndex intern_thread(std::string_view name);
  [[noreturn]] void fail_here(std::string_view what) const;

  std::uint32_t line_ = 0;  // the line being parsed, from 1

 private:
  static constexpr std::size_t batch_events = 4096;

  std::string file_;
  MappedFile mapped_;
  const char* at_;
  const char* end_;
  const char* forgotten_;
  std::array<NameTable, name_class_count> tables_;
  std::vector<Event> batch_;
  std::vector<std::uint32_t> next_index_;
  std::exception_ptr pending_;  // the error to throw once the events before it were given
};

std::unique_ptr<TraceReader> open_std_trace(const std::filesystem::path& path);
std::unique_ptr<TraceReader> open_speedygo_trace(const std::filesystem::path& path);

}  // namespace muster::trace
