#include "rule/observation_file.hpp"

#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <sstream>
#include <tuple>

#include "base/error.hpp"

namespace muster {
namespace {

/// The threads of a test as the file names them: "first", "A", "B" …, "last", each with its operations.
struct ThreadOfFile {
  std::string id;
  std::vector<unsigned> operations;
};

std::vector<ThreadOfFile> threads_of(const Test& test) {
  std::vector<ThreadOfFile> threads;
  unsigned next = 0;
  const auto add = [&](const std::string& id, const Sequence& sequence) {
    threads.push_back({id, {}});
    for (std::size_t i = 0; i < sequence.size(); ++i) threads.back().operations.push_back(next++);
  };
  if (!test.first.empty()) add("first", test.first);
  for (std::size_t c = 0; c < test.columns.size(); ++c) add(column_name(static_cast<int>(c)), test.columns[c]);
  if (!test.last.empty()) add("last", test.last);
  return threads;
}

/// std::vector's own comparison of bytes draws a false warning from g++ 12.
bool in_order(const SerialHistory& a, const SerialHistory& b) {
  return std::lexicographical_compare(a.order.begin(), a.order.end(), b.order.begin(), b.order.end(),
                                      [](unsigned x, unsigned y) { return x < y; });
}

// Which handles are the same is part of what was observed. Records from before that do not say so.
constexpr const char* by_value = "by value";

bool gives_handles(const CheckDefinition& check, const std::vector<TestOperation>& operations) {
  return std::ranges::any_of(operations, [&](const TestOperation& operation) {
    return check.operations[check.invocations[operation.invocation].operation].gives >= 0;
  });
}

class FileWriter {
 public:
  FileWriter(const CheckDefinition& check, const Test& test, const ObservationSet& observed, const Responses& responses)
      : check_(check), test_(test), operations_(operations_of(test)), observed_(observed), responses_(responses) {}

  std::string write() {
    pugi::xml_document document;
    pugi::xml_node root = document.append_child("observationset");
    root.append_attribute("check") = check_.name.c_str();
    root.append_attribute("test") = to_text(check_, test_).c_str();
    if (gives_handles(check_, operations_)) root.append_attribute("handles") = by_value;
    // Full histories come first, and those in which everything ran; among equals, the texts of the answers decide.
    std::map<std::tuple<bool, std::uint64_t, std::vector<std::string>>, std::vector<const SerialHistory*>> groups;
    for (const SerialHistory& history : observed_.histories())
      groups[{history.stuck, history.excused, texts(history)}].push_back(&history);
    for (auto& [key, histories] : groups) {
      std::sort(histories.begin(), histories.end(), [](const auto* a, const auto* b) { return in_order(*a, *b); });
      write_group(root.append_child("observation"), histories);
    }
    std::ostringstream out;
    document.save(out, "  ", pugi::format_default | pugi::format_no_declaration);
    return out.str();
  }

 private:
  std::vector<std::string> texts(const SerialHistory& history) const {
    std::vector<std::string> result;
    for (const ResponseId response : history.response)
      result.push_back(response == absent    ? "-"
                       : response == pending ? "#"
                                             : fmt::format("={}", responses_.text(response)));
    return result;
  }

  void write_group(pugi::xml_node group, const std::vector<const SerialHistory*>& histories) const {
    const SerialHistory& sample = *histories.front();
    std::map<unsigned, unsigned> ids;
    for (const ThreadOfFile& thread : threads_of(test_)) {
      std::string list;
      for (const unsigned operation : thread.operations) {
        if (sample.response[operation] == absent) continue;
        const unsigned id = ids[operation] = static_cast<unsigned>(ids.size() + 1);
        list += fmt::format("{}{}{}", list.empty() ? "" : " ", id, sample.response[operation] == pending ? "B" : "");
      }
      pugi::xml_node node = group.append_child("thread");
      node.append_attribute("id") = thread.id.c_str();
      node.text() = list.c_str();
    }
    for (const auto& [operation, id] : ids) write_operation(group.append_child("op"), operation, id, sample);
    for (const SerialHistory* history : histories) {
      std::string events;
      for (const std::uint8_t operation : history->order) {
        const unsigned id = ids[operation];
        events += fmt::format("{}{}[ ", events.empty() ? "" : " ", id) +
                  (history->response[operation] == pending ? "#" : fmt::format("]{}", id));
      }
      group.append_child("history").text() = events.c_str();
    }
  }

  void write_operation(pugi::xml_node node, unsigned operation, unsigned id, const SerialHistory& sample) const {
    const ResponseId response = sample.response[operation];
    const auto& invocation = check_.invocations[operations_[operation].invocation];
    node.append_attribute("id") = id;
    node.append_attribute("name") = check_.operations[invocation.operation].name.c_str();
    if (sample.excused >> operation & 1) node.append_attribute("declared") = true;
    const std::string arguments = arguments_of(check_, operations_, operation);
    std::string text = arguments.empty() ? "" : fmt::format("value=\"{}\"", arguments);
    if (response > pending && !responses_.text(response).empty())
      text += fmt::format("{}result=\"{}\"", text.empty() ? "" : " ", responses_.text(response));
    if (!text.empty()) node.text() = text.c_str();
  }

  const CheckDefinition& check_;
  const Test& test_;
  std::vector<TestOperation> operations_;
  const ObservationSet& observed_;
  const Responses& responses_;
};

class FileReader {
 public:
  FileReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
    if (!parsed) fail_at(parsed.offset, parsed.description());
    root_ = document_.child("observationset");
    if (!root_) fail("{}: this is no observation file: its root is not <observationset>", file);
    if (!root_.attribute("test")) fail_at(root_, "<observationset> names no test");
  }

  std::string test() const { return root_.attribute("test").value(); }

  ObservationSet read(const CheckDefinition& check, const Test& test, Responses& responses) {
    if (this->test() != to_text(check, test)) {
      fail_at(root_,
              fmt::format("the file is about the test '{}', not about '{}'", this->test(), to_text(check, test)));
    }
    if (gives_handles(check, operations_of(test)) && std::string_view(root_.attribute("handles").value()) != by_value) {
      fail_at(root_, "it was recorded when handles were told apart by their places alone: record it again");
    }
    ObservationSet observed(test, responses, asynchronous_operations(check, test), HandleNames(check, test, responses));
    const std::vector<TestOperation> operations = operations_of(test);
    for (const pugi::xml_node group : root_.children()) {
      if (std::string_view(group.name()) != "observation")
        fail_at(group, fmt::format("<{}> is not expected here", group.name()));
      read_group(group, check, test, operations, responses, observed);
    }
    return observed;
  }

 private:
  [[noreturn]] void fail_at(std::ptrdiff_t offset, const std::string& what) const {
    const auto end = text_.begin() + std::min<std::ptrdiff_t>(std::max<std::ptrdiff_t>(offset, 0),
                                                              static_cast<std::ptrdiff_t>(text_.size()));
    fail("{}:{}: {}", file_, 1 + std::count(text_.begin(), end, '\n'), what);
  }
  [[noreturn]] void fail_at(const pugi::xml_node& node, const std::string& what) const {
    fail_at(node.offset_debug(), what);
  }

  void read_group(const pugi::xml_node& group, const CheckDefinition& check, const Test& test,
                  const std::vector<TestOperation>& operations, Responses& responses, ObservationSet& observed) const {
    std::map<unsigned, unsigned> operation_of;  // by id
    SerialHistory sample;
    sample.response.assign(operations.size(), absent);
    const std::vector<ThreadOfFile> threads = threads_of(test);
    for (const pugi::xml_node node : group.children("thread")) {
      const auto thread = std::find_if(threads.begin(), threads.end(),
                                       [&](const ThreadOfFile& t) { return t.id == node.attribute("id").value(); });
      if (thread == threads.end())
        fail_at(node, fmt::format("the test has no thread '{}'", node.attribute("id").value()));
      std::istringstream list(node.text().get());
      std::size_t position = 0;
      for (std::string word; list >> word; ++position) {
        if (position >= thread->operations.size())
          fail_at(node, fmt::format("thread {} has more operations than the test", thread->id));
        const bool blocked = word.back() == 'B';
        if (blocked) word.pop_back();
        operation_of[number(node, word)] = thread->operations[position];
        if (blocked) sample.response[thread->operations[position]] = pending;
      }
    }
    for (const pugi::xml_node node : group.children("op")) {
      const auto found = operation_of.find(number(node, node.attribute("id").value()));
      if (found == operation_of.end())
        fail_at(node, fmt::format("no thread has operation {}", node.attribute("id").value()));
      ResponseId& answer = sample.response[found->second];
      if (answer != pending) answer = read_answer(node, check, operations, found->second, responses);
      if (!node.attribute("declared").as_bool()) continue;
      const auto& excuses = excuses_of(check, test, found->second);
      const ResponseId declared = responses.any_of(excuses);
      if (excuses.empty() || responses.text(declared) != responses.text(answer))
        fail_at(node, fmt::format("{} is not declared to answer {}", name_of(check, operations, found->second),
                                  responses.text(answer)));
      answer = declared;
      sample.excused |= std::uint64_t{1} << found->second;
    }
    if (!group.child("history")) fail_at(group, "an <observation> without a <history>");
    for (const pugi::xml_node node : group.children("history")) add_history(node, operation_of, sample, observed);
  }

  unsigned number(const pugi::xml_node& node, const std::string& word) const {
    if (word.empty() || word.size() > 3 || word.find_first_not_of("0123456789") != std::string::npos)
      fail_at(node, fmt::format("'{}' is no operation's number", word));
    return static_cast<unsigned>(std::stoul(word));
  }

  ResponseId read_answer(const pugi::xml_node& node, const CheckDefinition& check,
                         const std::vector<TestOperation>& operations, unsigned operation, Responses& responses) const {
    const auto& invocation = check.invocations[operations[operation].invocation];
    const std::string arguments = arguments_of(check, operations, operation);
    if (check.operations[invocation.operation].name != node.attribute("name").value()) {
      fail_at(node, fmt::format("operation {} is {} in the test", node.attribute("id").value(),
                                name_of(check, operations, operation)));
    }
    std::string text = node.text().get();
    const std::string value = arguments.empty() ? "" : fmt::format("value=\"{}\"", arguments);
    if (!text.starts_with(value))
      fail_at(node,
              fmt::format("operation {} has the arguments {} in the test", node.attribute("id").value(), arguments));
    text.erase(0, value.size());
    if (text.starts_with(" ")) text.erase(0, 1);
    if (text.empty()) return responses.number("");
    if (!text.starts_with("result=\"") || text.size() < 9 || text.back() != '"')
      fail_at(node, fmt::format("expected result=\"…\", not '{}'", text));
    return responses.number(std::string_view(text).substr(8, text.size() - 9));
  }

  void add_history(const pugi::xml_node& node, const std::map<unsigned, unsigned>& operation_of,
                   const SerialHistory& sample, ObservationSet& observed) const {
    SerialHistory history = sample;
    std::istringstream events(node.text().get());
    std::string call, ret;
    while (events >> call) {
      if (history.stuck || call.back() != '[') fail_at(node, fmt::format("expected a call such as 1[, not '{}'", call));
      const auto operation = operation_of.find(number(node, call.substr(0, call.size() - 1)));
      if (operation == operation_of.end())
        fail_at(node, fmt::format("'{}' calls an operation that no thread has", call));
      if (!(events >> ret)) fail_at(node, fmt::format("'{}' is followed by neither a return nor #", call));
      history.stuck = ret == "#";
      if (!history.stuck && ret != fmt::format("]{}", call.substr(0, call.size() - 1)))
        fail_at(node, fmt::format("'{}' must be followed by its return or #: the history is serial", call));
      if (history.stuck != (sample.response[operation->second] == pending))
        fail_at(node, "blocking operations are marked with B, and only they end in #");
      history.order.push_back(static_cast<std::uint8_t>(operation->second));
    }
    if (history.order.size() != operation_of.size()) fail_at(node, "a history has each operation of its section once");
    if (observed.add(history)) fail_at(node, "two histories answer differently to the same calls");
  }

  std::string_view text_;
  const std::string& file_;
  pugi::xml_document document_;
  pugi::xml_node root_;
};

}  // namespace

std::string write_observations(const CheckDefinition& check, const Test& test, const ObservationSet& observed,
                               const Responses& responses) {
  return FileWriter(check, test, observed, responses).write();
}

std::string test_of_observations(std::string_view text, const std::string& file) {
  return FileReader(text, file).test();
}

ObservationSet read_observations(std::string_view text, const std::string& file, const CheckDefinition& check,
                                 const Test& test, Responses& responses) {
  return FileReader(text, file).read(check, test, responses);
}

}  // namespace muster
