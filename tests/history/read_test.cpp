// Each format's rules, as docs/reference/formats.md states them.

#include "history/read.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"

namespace muster {
namespace {

std::string message(std::string_view content, Format format = Format::recognised) {
  ReadOptions options;
  options.format = format;
  try {
    read_history_text(content, "file", options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Read, FormatsAreRecognisedByContent) {
  const std::pair<const char*, const char*> cases[] = {
      {"{\"process\":1,\"op\":\"push\",\"args\":[1],\"start\":1,\"end\":2}\n", "jsonl"},
      {"\n; a comment\n{:process 1, :type :invoke, :f :read, :value nil}\n", "edn"},
      {"[{:process 1, :type :invoke, :f :read, :value nil}]", "edn"},
      {"#jepsen.history.Op{:process 1, :type :invoke, :f :read, :value nil}", "edn"},
      {"noise\nINFO  jepsen.util - 0\t:invoke\t:read\tnil\n", "jepsen-log"},
      {"INFO  jepsen.util - 0   :invoke :read   nil\n", "jepsen-log"},
      {"# stack\npush 1 1 2\n", "intervals"},
      {"# stack\n0 1 2 PUSH 1\n", "processes"},
      {"# @object atomic-queue\n[3] call add(1)\n", "calls"},
      {"A: push(1)\n", "text"},
  };
  for (const auto& [content, format] : cases)
    EXPECT_EQ(read_history_text(content, "file").source().format, format) << content;
}

TEST(Read, JsonLinesComeBack) {
  const History history = read_history_text(
      "{\"object\":\"kv\"}\n"
      "{\"process\":\"a\",\"event\":\"call\",\"op\":\"put\",\"key\":\"k\\u00e9\",\"args\":[[1,{\"x\":null}]],\"time\":"
      "5}\n"
      "{\"process\":2,\"event\":\"call\",\"op\":\"get\",\"key\":\"k\\u00e9\"}\n"
      "{\"process\":\"a\",\"event\":\"return\",\"time\":9}\n"
      "{\"process\":2,\"event\":\"return\",\"result\":18446744073709551615}\n",
      "file");
  const History again = read_history_text(to_json_lines(history), "again");
  EXPECT_EQ(to_text(again), to_text(history));
  EXPECT_EQ(again.source().object, "kv");
  EXPECT_EQ(again.call_time(0), 5);
  EXPECT_EQ(to_string(history[1].result), "18446744073709551615");
}

TEST(Read, JsonLinesKeepTheOrderOfWhatTouchesOrOverlaps) {
  const std::string_view contents[] = {
      "push 1 1 2\npush 2 2 3\npop 1 3 -\n",        // no processes; intervals that touch are ordered
      "0 1 2 PUSH 1\n0 2 3 PUSH 2\n1 0 9 POP 1\n",  // one process
      "{:process 0 :type :invoke :f :push :value 1}{:process 0 :type :info :f :push}"  // it goes on
      "{:process 0 :type :invoke :f :push :value 2}{:process 0 :type :ok :f :push :value 2}",
      "{\"process\":1,\"id\":1,\"event\":\"call\",\"op\":\"push\",\"args\":[1]}\n"  // several at once
      "{\"process\":1,\"id\":2,\"event\":\"call\",\"op\":\"push\",\"args\":[2]}\n"
      "{\"process\":1,\"id\":1,\"event\":\"return\"}\n"};
  for (const std::string_view content : contents) {
    History history = read_history_text(content, "file");
    history.set_positional(false);
    const History again = read_history_text(to_json_lines(history), "again");
    ASSERT_EQ(again.size(), history.size()) << content;
    EXPECT_EQ(again.pending(), history.pending()) << content;
    EXPECT_EQ(again.process_count(), history.process_count()) << content;
    const auto find = [&](OperationId id) {  // arguments tell operations apart; events come in the order of calls
      const auto same = [&](OperationId other) {
        return history.arguments(id)[0] == again.arguments(other)[0] &&
               history.method_name(history[id].method) == again.method_name(again[other].method);
      };
      OperationId other = 0;
      while (!same(other)) ++other;
      return other;
    };
    for (OperationId a = 0; a < history.size(); ++a) {
      for (OperationId b = 0; b < history.size(); ++b)
        EXPECT_EQ(again.precedes(find(a), find(b)), history.precedes(a, b)) << content << a << " " << b;
    }
  }
}

TEST(Read, JsonIntervalsAreOrderedByTime) {
  const History history = read_history_text(
      "{\"process\":1,\"op\":\"b\",\"start\":5,\"end\":9}\n{\"process\":2,\"op\":\"a\",\"start\":1,\"end\":5}\n{"
      "\"process\":3,\"op\":\"c\",\"start\":0}\n",
      "file");
  EXPECT_FALSE(history.precedes(1, 0));  // they touch
  EXPECT_TRUE(history[2].is_pending());
  ReadOptions options;
  options.ties = Ties::precede;
  const History strict = read_history_text(
      "{\"process\":1,\"op\":\"b\",\"start\":5,\"end\":9}\n{\"process\":2,\"op\":\"a\",\"start\":1,\"end\":5}\n",
      "file", options);
  EXPECT_TRUE(strict.precedes(1, 0));
}

TEST(Read, FailedOperationsDidNotHappenInEdn) {
  constexpr std::string_view content =
      "{:process 0 :type :invoke :f :cas :value [1 2]}\n{:process 0 :type :fail :f :cas :value [1 2]}\n"
      "{:process 0 :type :invoke :f :write :value 2}\n{:process 0 :type :fail :f :write :value 2}\n";
  EXPECT_EQ(read_history_text(content, "file").size(), 0u);
  ReadOptions options;
  options.failed = Failed::observed;
  const History history = read_history_text(content, "file", options);
  EXPECT_EQ(to_text(history), "0: cas(1, 2) -> false\n");
}

TEST(Read, EdnUnderstandsWhatJepsenWrites) {
  const History history = read_history_text(
      "; history\n"
      "[#jepsen.history.Op{:index 0, :time 12, :type :invoke, :process 3, :f :write, :value \"a\\n\\u0041\", :error "
      "{:a #{1 2} :b #inst \"2020\"}}\n"
      " #_{:ignored 1}\n"
      " {:type :ok, :process 3, :f :write, :value \"a\\n\\u0041\", :time 13}\n"
      " {:process :nemesis, :type :info, :f :start, :value :majority}\n"
      " {:type :invoke, :process 4, :f :read, :value nil, :time 14} {:type :info, :process 4, :f :read, :value nil, "
      ":error :timeout}]\n",
      "file");
  EXPECT_EQ(history.size(), 2u);
  EXPECT_EQ(history.pending(), 1u);
  EXPECT_EQ(history.source().ignored, 1u);
  EXPECT_EQ(history.source().unknown, 1u);
  EXPECT_EQ(history.arguments(OperationId{0})[0], Value::text("a\nA"));
  EXPECT_EQ(history.return_time(0), 13);
}

TEST(Read, CompletionsAreOfWhatWasInvoked) {
  const History history = read_history_text(
      "{:process 0 :type :invoke :f :write :value 3}\n{:process :nemesis :type :info :value :cut}\n"
      "{:process 0 :type :ok :value 3}\n{:process 0 :type :invoke :f :read :value nil}\n",
      "file");
  EXPECT_EQ(to_text(history), "0: write(3) -> ok\n0: read()\n");
  ASSERT_EQ(history.source().disturbances.size(), 1u);
  EXPECT_EQ(history.source().disturbances[0].text, ":nemesis :cut");
  EXPECT_EQ(history.source().disturbances[0].before, 1u);
  EXPECT_EQ(message("{:process 0 :type :invoke :value 3}\n"), "file:1: an entry lacks :type or :f");
  EXPECT_EQ(message("{:process 0 :type :ok :value 3}\n"), "file:1: an entry lacks :type or :f");
}

TEST(Read, PairsAreKeysOnlyIfEveryValueIsOne) {
  const auto keyed = [](std::string_view content) { return !read_history_text(content, "file")[0].key.is_none(); };
  EXPECT_FALSE(keyed("{:process 0 :type :invoke :f :cas :value [1 2]}"));
  EXPECT_TRUE(keyed("{:process 0 :type :invoke :f :cas :value [1 [2 3]]}"));
  EXPECT_TRUE(keyed("{:process 0 :type :invoke :f :read :value [1 nil]}"));
  EXPECT_FALSE(keyed("{:process 0 :type :invoke :f :cas :value [1 2]} {:process 1 :type :invoke :f :read :value nil}"));
}

TEST(Read, MalformedFilesNameTheLine) {
  EXPECT_EQ(
      message("{\"process\":1,\"event\":\"call\",\"op\":\"a\"}\n{\"process\":1,\"event\":\"call\",\"op\":\"b\"}\n"),
      "file:2: process 1 calls again before it returned");
  EXPECT_EQ(
      message("{\"process\":1,\"op\":\"a\",\"start\":1,\"end\":2}\n{\"process\":1,\"event\":\"call\",\"op\":\"b\"}\n"),
      "file:2: a file holds events or intervals (lines with \"start\"), not both");
  EXPECT_EQ(message("{:process 1\n :type :invoke :f :read\n :value [1 2}", Format::edn), "file:3: `}` closes nothing");
  EXPECT_EQ(message("{:process 1 :type :ok :f :read :value 1}", Format::edn),
            "file:1: :ok of process 1, which has invoked nothing");
  EXPECT_EQ(message(std::string(200, '['), Format::edn).substr(0, 7), "file:1:");
  EXPECT_EQ(message("push 1 5 4\n", Format::intervals), "file:1: the operation ends at 4 before it starts at 5");
}

TEST(Read, APositionalHistoryMustBeArranged) {
  EXPECT_TRUE(read_history_text("# stack\npush 1 1 2\n", "file").is_positional());
}

TEST(Read, StopsWhereItsTimeIsOver) {
  ReadOptions options;
  options.until = std::chrono::steady_clock::now();
  const std::string path = testing::TempDir() + "muster-read-test.log";
  std::ofstream(path) << "# stack\npush 1 1 2\n";
  EXPECT_EQ(read_history(path, options).size(), 1u);  // small enough to be read at once
  std::ofstream(path) << "# stack\npush 1 1 2\n" << std::string(16 << 20, '\n');
  EXPECT_THROW(read_history(path, options), ReadingStopped);
  EXPECT_EQ(read_history(path).size(), 1u);
}

TEST(Read, JepsensJsonIsReadAsItsEdn) {
  const std::string entries[] = {R"({"index":0,"type":"invoke","process":0,"f":"write","value":3})",
                                 R"({"type":"info","process":"nemesis","f":"kill","value":null})",
                                 R"({"type":"ok","process":0,"f":"write","value":3,"time":7})",
                                 R"({"type":"invoke","process":1,"f":":read","value":null})",
                                 R"({"type":"ok","process":1,"f":"read","value":3})"};
  std::string array = "[\n ", lines;
  for (const std::string& entry : entries) {
    array += (array.size() > 3 ? ",\n " : "") + entry;
    lines += entry + "\n";
  }
  for (const std::string& text : {array + "]\n", lines}) {
    const History history = read_history_text(text, "file");
    EXPECT_EQ(history.source().format, "jepsen-json") << text;
    EXPECT_EQ(to_text(history), "0: write(3) -> ok\n1: read() -> 3\n") << text;
    EXPECT_EQ(history.source().ignored, 1u);
  }
  EXPECT_EQ(message(R"([{"type":"ok","f":"read","value":3,"process":1}])"),
            "file:1: :ok of process 1, which has invoked nothing");
  EXPECT_EQ(message(R"([{"type":"ok","f":"read","value":3}])"), "file:1: an entry lacks \"process\"");
  EXPECT_EQ(message(R"([{"type":"went","f":"read","process":3}])"),
            "file:1: \"type\" is invoke, ok, fail or info, not `went`");
}

TEST(Read, TransactionsNeedNoNameAndNoProcess) {
  const History history = read_history_text(
      "{:type :ok, :value [[:w :x 1]]}\n{:type :fail, :value [[:w :x 2]]}\n{:type :ok, :value [[:r :x 1]]}\n", "file");
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history.method_name(history[0].method), "txn");
  // Nothing is known of their order.
  EXPECT_FALSE(history.precedes(0, 1));
  EXPECT_FALSE(history.precedes(1, 0));
  EXPECT_EQ(message("{:type :ok, :value 3}\n"), "file:1: an entry lacks :type or :f");
}

}  // namespace
}  // namespace muster
