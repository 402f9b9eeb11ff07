// RAPID's STD text: `T2|acq(L34)|120`. Variations read too: begin and end with or without parentheses, a missing
// location, blank lines, lines that start with `#`, CRLF, and the further kinds of trace/event.hpp.

#include <cstring>

#include "trace/text_reader.hpp"

namespace muster::trace {

namespace {

class StdReader final : public TextReader {
 public:
  using TextReader::TextReader;

 private:
  const char* parse_lines(const char* at, const char* end) override {
    while (at != end && !full()) {
      ++line_;
      at = parse_line(at, end);
    }
    return at;
  }

  // The mapping is followed by zeros, so scanning for a delimiter or '\0'-free text stops at `end` at the latest.
  const char* parse_line(const char* at, const char* end) {
    if (is_line_end(at, end) || *at == '#') return skip_line(at, end);
    const char* bar = at;
    while (bar != end && *bar != '|' && *bar != '\n') ++bar;
    if (bar == end || *bar != '|' || bar == at) fail_here("expected `thread|operation(object)|location`");
    Event event;
    event.thread = thread({at, static_cast<std::size_t>(bar - at)});

    const char* op = bar + 1;
    const char* stop = op;
    while (stop != end && *stop != '(' && *stop != '|' && *stop != '\n' && *stop != '\r') ++stop;
    event.kind = kind({op, static_cast<std::size_t>(stop - op)});
    std::string_view object;
    if (stop != end && *stop == '(') {
      const char* open = ++stop;
      while (stop != end && *stop != ')' && *stop != '\n') ++stop;
      if (stop == end || *stop != ')') fail_here("`(` without `)`");
      object = {open, static_cast<std::size_t>(stop - open)};
      ++stop;
    }
    event.object = intern_object(event.kind, object);

    std::string_view site;
    if (stop != end && *stop == '|') {
      const char* start = ++stop;
      while (stop != end && *stop != '\n' && *stop != '\r') ++stop;
      site = {start, static_cast<std::size_t>(stop - start)};
    }
    if (!is_line_end(stop, end)) fail_here("text after the operation; expected `|location` or the end of the line");
    event.site = site.empty() ? table(NameClass::site).intern("") : table(NameClass::site).intern_padded(site);
    push(event);
    return skip_line(stop, end);
  }

  static bool is_line_end(const char* at, const char* end) { return at == end || *at == '\n' || *at == '\r'; }

  static const char* skip_line(const char* at, const char* end) {
    if (at != end && *at == '\n') return at + 1;
    const void* newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    return newline ? static_cast<const char*>(newline) + 1 : end;
  }

  ThreadIndex thread(std::string_view name) {
    if (name != last_thread_name_) {
      last_thread_ = intern_thread(name);
      last_thread_name_ = name;  // stays valid: it points into the mapped file
    }
    return last_thread_;
  }

  Kind kind(std::string_view word) const {
    if (word.size() == 1 && word[0] == 'r') return Kind::read;
    if (word.size() == 1 && word[0] == 'w') return Kind::write;
    for (unsigned kind = 0; kind < kind_count; ++kind)
      if (kind_names[kind] == word) return static_cast<Kind>(kind);
    fail_here("unknown operation `" + std::string(word.substr(0, 40)) +
              "`; known are r w ar aw au acq rel racq rrel fork join signal await notify wake arrive leave begin end "
              "tacq tracq");
  }

  std::uint32_t intern_object(Kind kind, std::string_view object) {
    if (!has_object(kind)) return 0;
    if (object.empty()) fail_here("operation without an object; expected `operation(object)`");
    const NameClass name_class = object_class(kind);
    if (name_class == NameClass::thread) return intern_thread(object);
    return table(name_class).intern_padded(object);
  }

  std::string_view last_thread_name_;
  ThreadIndex last_thread_ = 0;
};

}  // namespace

std::unique_ptr<TraceReader> open_std_trace(const std::filesystem::path& path) {
  return std::make_unique<StdReader>(path);
}

}  // namespace muster::trace
