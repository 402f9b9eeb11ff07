#pragma once
// A trace held in memory: written as in STD text, or event by event.

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "trace/trace_reader.hpp"

namespace muster::test {

class MemoryTrace final : public trace::TraceReader {
 public:
  MemoryTrace() = default;

  /// Lines such as "T1 w x" or "T1 begin"; the location of each event is its line.
  explicit MemoryTrace(std::string_view text) {
    while (!text.empty()) {
      const std::size_t newline = text.find('\n');
      std::string_view line = text.substr(0, newline);
      text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
      if (!line.empty()) add_line(line);
    }
  }

  void add(std::string_view thread, trace::Kind kind, std::string_view object, std::string_view site) {
    trace::Event event;
    event.thread = static_cast<trace::ThreadIndex>(id(trace::NameClass::thread, thread));
    event.kind = kind;
    if (has_object(kind)) event.object = id(object_class(kind), object);
    event.site = id(trace::NameClass::site, site);
    event.index = next_index_[event.thread]++;
    event.line = static_cast<std::uint32_t>(events_.size() + 1);
    events_.push_back(event);
  }

  std::span<const trace::Event> next() override {
    if (given_) return {};
    given_ = true;
    return events_;
  }
  void rewind() override { given_ = false; }
  std::string name(trace::NameClass name_class, std::uint32_t number) const override {
    return names_[static_cast<unsigned>(name_class)].at(number);
  }
  std::uint32_t count(trace::NameClass name_class) const override {
    return static_cast<std::uint32_t>(names_[static_cast<unsigned>(name_class)].size());
  }
  std::string where(const trace::Event& event) const override { return fmt::format("trace:{}", event.line); }

  const std::vector<trace::Event>& events() const { return events_; }

 private:
  void add_line(std::string_view line) {
    const auto word = [&] {
      const std::size_t space = line.find(' ');
      const std::string_view result = line.substr(0, space);
      line.remove_prefix(space == std::string_view::npos ? line.size() : space + 1);
      return result;
    };
    const std::string_view thread = word(), operation = word(), object = word();
    for (unsigned kind = 0; kind < trace::kind_count; ++kind)
      if (trace::kind_names[kind] == operation)
        return add(thread, static_cast<trace::Kind>(kind), object, std::to_string(events_.size() + 1));
    fail("unknown operation {}", operation);
  }

  std::uint32_t id(trace::NameClass name_class, std::string_view name) {
    auto& names = names_[static_cast<unsigned>(name_class)];
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) names.emplace_back(name);
    return static_cast<std::uint32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  std::vector<trace::Event> events_;
  std::vector<std::string> names_[trace::name_class_count];
  std::map<std::uint32_t, std::uint32_t> next_index_;
  bool given_ = false;
};

}  // namespace muster::test
