// SpeedyGo's CSV: `1,RD,41,mis.java:1:1,1` is thread, operation, object, location, flag. The flag is not needed.
// Signals and waits give order; FK and JN name the other thread in the object's place.

#include <cstring>
#include <utility>

#include "trace/text_reader.hpp"

namespace muster::trace {

namespace {

constexpr std::pair<std::string_view, Kind> codes[] = {
    {"RD", Kind::read},         {"WR", Kind::write},          {"LK", Kind::lock},        {"UK", Kind::unlock},
    {"RLK", Kind::lock_shared}, {"RUK", Kind::unlock_shared}, {"SIG", Kind::signal},     {"WT", Kind::await},
    {"FK", Kind::fork},         {"JN", Kind::join},           {"AR", Kind::atomic_read}, {"AW", Kind::atomic_write},
};

class SpeedyGoReader final : public TextReader {
 public:
  using TextReader::TextReader;

 private:
  const char* parse_lines(const char* at, const char* end) override {
    while (at != end && !full()) {
      ++line_;
      const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
      const char* newline = found ? static_cast<const char*>(found) : end;
      parse_line({at, static_cast<std::size_t>(newline - at)});
      at = newline == end ? end : newline + 1;
    }
    return at;
  }

  void parse_line(std::string_view line) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() == '#') return;
    const std::string_view thread = take_field(line), code = take_field(line), object = take_field(line),
                           site = take_field(line);
    if (thread.empty() || object.empty()) fail_here("expected `thread,operation,object,location,flag`");
    Event event;
    event.thread = intern_thread(thread);
    event.kind = kind(code);
    const NameClass name_class = object_class(event.kind);
    event.object = name_class == NameClass::thread ? intern_thread(object) : table(name_class).intern_padded(object);
    event.site = table(NameClass::site).intern(site == "nil" ? "" : site);
    push(event);
  }

  static std::string_view take_field(std::string_view& rest) {
    const std::size_t comma = rest.find(',');
    const std::string_view field = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    return field;
  }

  Kind kind(std::string_view code) const {
    for (const auto& [name, kind] : codes)
      if (name == code) return kind;
    fail_here("unknown operation `" + std::string(code.substr(0, 40)) +
              "`; known are RD WR LK UK RLK RUK SIG WT FK JN AR AW");
  }
};

}  // namespace

std::unique_ptr<TraceReader> open_speedygo_trace(const std::filesystem::path& path) {
  return std::make_unique<SpeedyGoReader>(path);
}

}  // namespace muster::trace
