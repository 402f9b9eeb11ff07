#include "history/read.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "history/input.hpp"
#include "history/jepsen_line.hpp"
#include "history/literal.hpp"
#include "history/reader.hpp"

namespace muster {
namespace {

struct Named {
  std::string_view name;
  Format format;
  std::unique_ptr<Reader> (*make)(std::string, const ReadOptions&);
};

constexpr std::array formats{
    Named{"jsonl", Format::json_lines, json_lines_reader},
    Named{"edn", Format::edn, edn_reader},
    Named{"jepsen-json", Format::jepsen_json, jepsen_json_reader},
    Named{"jepsen-log", Format::jepsen_log, jepsen_log_reader},
    Named{"intervals", Format::intervals, intervals_reader},
    Named{"processes", Format::processes, processes_reader},
    Named{"calls", Format::calls, calls_reader},
    Named{"text", Format::text, text_reader},
};

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = trim(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_jepsen_log(std::string_view beginning) {
  while (!beginning.empty()) {
    if (find_jepsen_line(next_line(beginning))) return true;
  }
  return false;
}

/// Jepsen's fields, which an event or interval of our own does not have.
bool is_jepsen_json(std::string_view line) {
  return line.find("\"type\"") != line.npos && line.find("\"event\"") == line.npos &&
         (line.find("\"f\"") != line.npos || line.find("\"value\"") != line.npos) && line.find("\"op\"") == line.npos &&
         line.find("\"start\"") == line.npos;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// By the first line that says something.
std::optional<Format> recognise(std::string_view content) {
  std::string_view rest = content.substr(0, 1 << 16);
  if (is_jepsen_log(rest)) return Format::jepsen_log;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    if (line.empty() || line.starts_with("//")) continue;
    const char first = line.front();
    if (first == '#') {
      if (line.find("@object") != line.npos) return Format::calls;
      if (line.starts_with("#jepsen") || line.starts_with("#_") || line.starts_with("#{")) return Format::edn;
      continue;
    }
    if (first == '{') {
      if (is_jepsen_json(line)) return Format::jepsen_json;
      const std::string_view inside = trim(line.substr(1));
      return inside.empty() || inside.front() == '"' || inside.front() == '}' ? Format::json_lines : Format::edn;
    }
    if (first == '[') {
      const std::string_view entry = trim(content.substr(content.find('[') + 1));
      if (entry.starts_with('{') && trim(entry.substr(1)).starts_with('"')) return Format::jepsen_json;
      const std::size_t close = line.find(']');
      const std::string_view after = close == line.npos ? "" : trim(line.substr(close + 1));
      return after.starts_with("call") || after.starts_with("return") ? Format::calls : Format::edn;
    }
    if (first == '(' || first == ';') return Format::edn;
    const std::size_t colon = line.find(':');
    if (colon != line.npos && (line.find('(') != line.npos || line.find("->") != line.npos)) return Format::text;
    if (is_digit(first)) return Format::processes;
    if (line.find(' ') != line.npos && std::ranges::any_of(line, is_digit)) return Format::intervals;
    return std::nullopt;
  }
  return std::nullopt;
}

void stop_if_asked(const ReadOptions& options) {
  const bool is_late = options.until != std::chrono::steady_clock::time_point::max() &&
                       std::chrono::steady_clock::now() >= options.until;
  if (is_late || (options.meter && (options.meter->stop || options.meter->out_of_memory))) throw ReadingStopped();
}

std::unique_ptr<Reader> make_reader(std::string_view content, const std::string& name, const ReadOptions& options) {
  std::optional<Format> format = options.format;
  if (format == Format::recognised) {
    format = recognise(content);
    if (!format) {
      // An empty file is an empty history in every format.
      if (trim(content).empty()) return text_reader(name, options);
      std::string known;
      for (const Named& named : formats) known += std::string(known.empty() ? "" : ", ") + std::string(named.name);
      fail("{}:1: the format is not recognised; name it with --format ({})", name, known);
    }
  }
  const auto found = std::ranges::find(formats, *format, &Named::format);
  return found->make(name, options);
}

}  // namespace

std::string_view NameMap::operation(std::string_view name) const {
  const auto found = std::ranges::find(operations, name, &std::pair<std::string, std::string>::first);
  return found == operations.end() ? name : std::string_view(found->second);
}

std::string_view NameMap::field(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &std::pair<std::string, std::string>::first);
  return found == fields.end() ? field : std::string_view(found->second);
}

NameMap parse_name_map(std::string_view text) {
  NameMap names;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = trim(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == 0 || equals == part.npos || equals + 1 == part.size()) {
      fail("--map: `{}` is not NAME=NAME; an example is get=read,put=write,key=.k", part);
    }
    const std::string from(part.substr(0, equals)), to(part.substr(equals + 1));
    if (to.front() == '.') {
      names.fields.emplace_back(from, to.substr(1));
    } else {
      names.operations.emplace_back(from, to);
    }
  }
  return names;
}

std::optional<Format> find_format(std::string_view name) {
  const auto found = std::ranges::find(formats, name, &Named::name);
  if (found == formats.end()) return std::nullopt;
  return found->format;
}

History read_history(const std::string& path, const ReadOptions& options) {
  const std::string name = path == "-" ? "standard input" : path;
  const std::unique_ptr<Input> input = open_input(path);
  std::string_view piece = input->next();
  const std::unique_ptr<Reader> reader = make_reader(piece, name, options);
  for (bool is_first = true; !piece.empty(); piece = input->next(), is_first = false) {
    if (!is_first) stop_if_asked(options);  // small files are read, whatever the time: what is wrong with them is said
    reader->feed(piece);
  }
  return reader->finish();
}

History read_history_text(std::string_view content, const std::string& name, const ReadOptions& options) {
  std::string padded(content);
  padded.resize(content.size() + input_padding);
  const std::unique_ptr<Reader> reader = make_reader(content, name, options);
  reader->feed(std::string_view(padded.data(), content.size()));
  return reader->finish();
}

}  // namespace muster
