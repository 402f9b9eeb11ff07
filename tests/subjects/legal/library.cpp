// What the standard library offers beyond threads, used by several of them.
#include <algorithm>
#include <any>
#include <atomic>
#include <coroutine>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <syncstream>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "two_threads.hpp"

namespace {

/// A coroutine that goes on where it is resumed.
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(int result) { value = result; }
    void unhandled_exception() { error = std::current_exception(); }
    int value = 0;
    std::exception_ptr error;
  };
  std::coroutine_handle<promise_type> handle;
};

// Called through a pointer that may change: clang++ takes pthread_self for a constant, and remembers across suspensions
// who called it.
std::thread::id (*volatile who_resumes)() = std::this_thread::get_id;

Task three_steps(std::thread::id& second, std::thread::id& third) {
  std::string own = "in the frame of the coroutine";
  co_await std::suspend_always();
  second = who_resumes();
  own += '!';
  co_await std::suspend_always();
  third = who_resumes();
  co_return static_cast<int>(own.size());
}

/// Resumes on a thread of its own.
struct OnAThread {
  std::thread& thread;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    std::thread& mine = thread;  // by the time of the assignment the frame that this is in may be gone
    mine = std::thread([handle] { handle.resume(); });
  }
  void await_resume() const noexcept {}
};

Task on_threads(std::thread& first, std::thread& second, int& steps) {
  co_await OnAThread{first};
  ++steps;
  co_await OnAThread{second};
  ++steps;
  throw std::string("out of the coroutine");
}

}  // namespace

MUSTER_SCENARIO(coroutine_resumed_in_turns) {
  std::thread::id second, third;
  const Task task = three_steps(second, third);
  task.handle.resume();
  std::mutex mutex;
  const auto go_on = [&] {
    const std::lock_guard lock(mutex);
    task.handle.resume();
  };
  in_two_threads(go_on, go_on);
  MUSTER_REQUIRE(task.handle.done() && second != third && task.handle.promise().value == 30);
  task.handle.destroy();
}

MUSTER_SCENARIO(coroutine_that_moves_to_threads) {
  std::thread first, second;
  int steps = 0;
  const Task task = on_threads(first, second, steps);
  task.handle.resume();
  first.join();
  second.join();
  MUSTER_REQUIRE(task.handle.done() && steps == 2);
  try {
    std::rethrow_exception(task.handle.promise().error);
  } catch (const std::string& text) {
    MUSTER_REQUIRE(text.size() == 20);
  }
  task.handle.destroy();
}

// Nodes, blocks and tables change their owners, and with them their threads.
MUSTER_SCENARIO(containers_that_move) {
  std::map<int, std::string> map{{1, "one, in a block of its own"}, {2, "two"}};
  std::vector<std::unique_ptr<int>> pointers;
  pointers.push_back(std::make_unique<int>(1));
  std::unordered_map<std::string, int> table{{"a", 1}, {"b", 2}};
  std::set<int> rest;
  std::thread first([map = std::move(map), &rest]() mutable {
    auto node = map.extract(1);
    node.key() = 3;
    map.insert(std::move(node));
    for (const auto& [number, text] : map) rest.insert(number);
  });
  std::thread second([pointers = std::move(pointers), table = std::move(table)]() mutable {
    pointers.push_back(std::make_unique<int>(table.at("a")));
    table.merge(std::unordered_map<std::string, int>{{"c", 3}});
    MUSTER_REQUIRE(table.size() == 3 && *pointers[0] == *pointers[1]);
  });
  first.join();
  second.join();
  MUSTER_REQUIRE((rest == std::set<int>{2, 3}));
}

// Distinct elements, distinct iterators, one container that nobody changes.
MUSTER_SCENARIO(elements_of_one_container) {
  std::map<int, std::list<int>> map{{1, {1}}, {2, {2}}};
  const auto grow = [&](int key) {
    map.at(key).push_back(key);
    MUSTER_REQUIRE(map.find(key)->second.size() == 2 && map.size() == 2);
  };
  in_two_threads([&] { grow(1); }, [&] { grow(2); });
}

MUSTER_SCENARIO(streams_of_their_own_with_formats) {
  const auto use = [](int number) {
    std::ostringstream out;
    out << std::setw(4) << std::setfill('0') << std::hex << number << ' ' << 0.5;
    std::istringstream in(out.str());
    int back = 0;
    MUSTER_REQUIRE(in >> std::hex >> back && back == number);
  };
  in_two_threads([=] { use(16); }, [=] { use(255); });
}

// One pattern, which is only read, and the matches of each thread.
MUSTER_SCENARIO(pattern_shared) {
  const std::regex pattern("(a+)b");
  const auto use = [&](const std::string& text, bool fits) {
    std::smatch match;
    MUSTER_REQUIRE(std::regex_match(text, match, pattern) == fits);
  };
  in_two_threads([&] { use("aab", true); }, [&] { use("ba", false); });
}

// Lines come out whole.
MUSTER_SCENARIO(synchronised_output) {
  std::ostringstream out;
  const auto write = [&](const char* text) {
    std::osyncstream line(out);
    line << text << ' ';
    line << text << '\n';
  };
  in_two_threads([&] { write("a"); }, [&] { write("b"); });
  MUSTER_REQUIRE(out.str() == "a a\nb b\n" || out.str() == "b b\na a\n");
}

MUSTER_SCENARIO(standard_output_shared) {
  const auto write = [](int i) {
    std::cout << "thread " << i << '\n';
    std::printf("thread %d\n", i);
    std::cerr << i;
  };
  in_two_threads([&] { write(1); }, [&] { write(2); });
}

MUSTER_SCENARIO(values_of_any_type_handed_over) {
  std::variant<std::monostate, std::string, std::vector<int>> variant;
  std::any any;
  std::optional<std::string> optional;
  std::atomic<bool> ready{false};
  std::thread reader([&] {
    while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
    MUSTER_REQUIRE(std::get<std::vector<int>>(variant).size() == 2);
    MUSTER_REQUIRE(std::any_cast<std::string&>(any).size() + optional->size() == 70);
  });
  variant = std::vector<int>{1, 2};
  any = std::string(30, 'a');
  optional.emplace(40, 'o');
  ready.store(true, std::memory_order_release);
  reader.join();
}

// Parts of one vector, each sorted by a thread, and merged.
MUSTER_SCENARIO(parts_sorted) {
  std::mt19937 random(7);
  std::vector<unsigned> items(40);
  std::generate(items.begin(), items.end(), random);
  const unsigned sum = std::accumulate(items.begin(), items.end(), 0u);
  const auto middle = items.begin() + 19;
  in_two_threads([&] { std::sort(items.begin(), middle); }, [&] { std::stable_sort(middle, items.end()); });
  std::inplace_merge(items.begin(), middle, items.end());
  MUSTER_REQUIRE(std::is_sorted(items.begin(), items.end()));
  MUSTER_REQUIRE(std::accumulate(items.begin(), items.end(), 0u) == sum);
}
