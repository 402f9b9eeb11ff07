// What has the same verdict whichever compiler and standard library a program is built with: bad_* race, ok_* do not.
#include <atomic>
#include <barrier>
#include <charconv>
#include <codecvt>
#include <ctime>
#include <exception>
#include <filesystem>
#include <future>
#include <iomanip>
#include <iostream>
#include <latch>
#include <list>
#include <locale>
#include <map>
#include <memory>
#include <muster/scenario.hpp>
#include <mutex>
#include <semaphore>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_set>

namespace {

template <class First, class Second>
void by_two(First first, Second second) {
  std::thread a{first}, b{second};
  a.join();
  b.join();
}

}  // namespace

// ---- containers, strings and streams of two threads ----

MUSTER_SCENARIO(bad_list_splice) {
  std::list<int> items{1, 2, 3};
  const auto second = std::next(items.begin()), third = std::next(second);
  by_two([&] { items.splice(items.begin(), items, second); }, [&] { items.splice(items.begin(), items, third); });
}
MUSTER_SCENARIO(bad_list_reverse) {
  std::list<int> items{1, 2, 3};
  by_two([&] { items.reverse(); }, [&] { items.reverse(); });
}
MUSTER_SCENARIO(bad_map_insert) {
  std::map<int, int> items;
  by_two([&] { items[1] = 1; }, [&] { items[2] = 2; });
}
MUSTER_SCENARIO(bad_hash_table_grows) {
  std::unordered_set<int> items;
  by_two([&] { items.reserve(20); }, [&] { items.reserve(40); });
}
MUSTER_SCENARIO(bad_string_append) {
  std::string text;
  by_two([&] { text += "a"; }, [&] { text += "b"; });
}
MUSTER_SCENARIO(bad_string_compare) {
  std::string text = "a long text that lies on the heap";
  const std::string other = "a long text that lies on the heaP";
  char* const last = &text.back();
  bool same = false;
  by_two([&] { *last = 'P'; }, [&] { same = text == other; });
}
MUSTER_SCENARIO(bad_string_number) {
  std::string text = "12";
  char* const last = &text.back();
  by_two([&] { *last = '3'; }, [&] { MUSTER_REQUIRE(std::stoi(text) >= 12); });
}
MUSTER_SCENARIO(bad_ostream) {
  std::ostringstream out;
  by_two([&] { out << 1; }, [&] { out << 2; });
}
MUSTER_SCENARIO(bad_istream) {
  std::istringstream in("1 2");
  int first = 0, second = 0;
  by_two([&] { in >> first; }, [&] { in >> second; });
}
MUSTER_SCENARIO(bad_istream_result) {
  std::istringstream in("1.5");
  double number = 0;
  by_two([&] { in >> number; }, [&] { MUSTER_REQUIRE(number == 0 || number == 1.5); });
}
MUSTER_SCENARIO(bad_thread_joined) {
  std::thread thread([] {});
  bool was_joinable = true;
  by_two([&] { thread.join(); }, [&] { was_joinable = thread.joinable(); });
}
MUSTER_SCENARIO(ok_streams_of_their_own) {
  const auto use = [] {
    std::stringstream both;
    both << std::hex << 255 << ' ' << 1.5 << " text" << std::endl;
    std::string word;
    double number = 0;
    both >> word >> number;
    MUSTER_REQUIRE(word == "ff" && number == 1.5);
  };
  by_two(use, use);
}
MUSTER_SCENARIO(ok_standard_stream) {
  by_two([] { std::cout << "" << std::flush; }, [] { std::cout << std::string() << std::flush; });
}
MUSTER_SCENARIO(ok_locales) {
  auto held = std::make_unique<std::locale>(std::locale::classic(), new std::numpunct<char>);
  std::thread other(
      [copy = *held] { MUSTER_REQUIRE(std::use_facet<std::numpunct<char>>(copy).decimal_point() == '.'); });
  MUSTER_REQUIRE(std::use_facet<std::numpunct<char>>(*held).decimal_point() == '.');
  held.reset();
  other.join();
}

// ---- times, money, letters and their encodings, files ----

MUSTER_SCENARIO(bad_time_printed) {
  std::tm time{};
  std::ostringstream out;
  by_two([&] { time.tm_hour = 1; }, [&] { out << std::put_time(&time, "%H"); });
}
MUSTER_SCENARIO(ok_time_printed_of_another_field) {
  std::tm time{};
  std::ostringstream out;
  by_two([&] { time.tm_year = 1; }, [&] { out << std::put_time(&time, "%H"); });
}
MUSTER_SCENARIO(bad_time_read) {
  std::tm time{};
  std::istringstream in("12");
  by_two([&] { in >> std::get_time(&time, "%H"); }, [&] { MUSTER_REQUIRE(time.tm_hour == 0 || time.tm_hour == 12); });
}
MUSTER_SCENARIO(bad_time_of_a_facet) {
  std::tm time{};
  std::istringstream in("12:00:00");
  const auto& facet = std::use_facet<std::time_get<char>>(std::locale::classic());
  by_two(
      [&] {
        std::ios_base::iostate errors{};
        facet.get_time(std::istreambuf_iterator<char>(in), {}, in, errors, &time);
      },
      [&] { MUSTER_REQUIRE(time.tm_hour == 0 || time.tm_hour == 12); });
}
MUSTER_SCENARIO(bad_money_read) {
  std::string amount;
  std::istringstream in("12");
  by_two([&] { in >> std::get_money(amount); }, [&] { MUSTER_REQUIRE(amount.size() <= 2); });
}
MUSTER_SCENARIO(bad_letters_changed) {
  std::string text = "text";
  const auto& facet = std::use_facet<std::ctype<char>>(std::locale::classic());
  char* const first = text.data();
  by_two([&] { facet.toupper(first, first + text.size()); }, [&] { MUSTER_REQUIRE(*first == 't' || *first == 'T'); });
}
MUSTER_SCENARIO(bad_letters_encoded) {
  std::wstring text = L"text";
  wchar_t* const last = &text.back();
  std::wstring_convert<std::codecvt_utf8<wchar_t>> convert;
  by_two([&] { *last = L'T'; }, [&] { MUSTER_REQUIRE(convert.to_bytes(text).size() == 4); });
}
MUSTER_SCENARIO(bad_letters_encoded_by_the_library) {
  std::wstring text = L"text";
  wchar_t* const last = &text.back();
  const auto& facet = std::use_facet<std::codecvt<wchar_t, char, std::mbstate_t>>(std::locale::classic());
  by_two([&] { *last = L'T'; },
         [&] {
           std::mbstate_t state{};
           char bytes[8];
           char* reached = bytes;
           const wchar_t* from = nullptr;
           facet.out(state, text.data(), text.data() + 4, from, bytes, bytes + 8, reached);
           MUSTER_REQUIRE(reached == bytes + 4);
         });
}
MUSTER_SCENARIO(bad_number_printed) {
  char text[16] = {};
  by_two([&] { std::to_chars(text, text + 16, 12345u); }, [&] { MUSTER_REQUIRE(text[0] == 0 || text[0] == '1'); });
}
MUSTER_SCENARIO(bad_name_of_a_file) {
  std::filesystem::path path = "/";
  by_two([&] { path = "/nowhere"; }, [&] { (void)std::filesystem::exists(path); });
}
MUSTER_SCENARIO(bad_error_of_a_file) {
  const std::filesystem::path path = "/nowhere";
  std::error_code error;
  by_two([&] { (void)std::filesystem::file_size(path, error); }, [&] { MUSTER_REQUIRE(error.value() >= 0); });
}
MUSTER_SCENARIO(ok_names_of_their_own) {
  const std::filesystem::path path = "/";
  const auto look = [&] {
    std::error_code error;
    MUSTER_REQUIRE(std::filesystem::is_directory(path, error) && !error);
  };
  by_two(look, look);
}

// ---- what is shared by counting ----

MUSTER_SCENARIO(ok_weak_and_shared) {
  auto shared = std::make_shared<int>(1);
  std::weak_ptr<int> weak = shared;
  by_two([shared = std::move(shared)]() mutable { shared.reset(); },
         [weak = std::move(weak)]() mutable { weak.reset(); });
}
MUSTER_SCENARIO(ok_weak_locked) {
  auto shared = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = shared;
  by_two([shared = std::move(shared)]() mutable { shared.reset(); },
         [&] {
           if (const auto held = weak.lock()) MUSTER_REQUIRE(*held == 1);
         });
}
MUSTER_SCENARIO(ok_exception_of_two_holders) {
  std::exception_ptr held = std::make_exception_ptr(std::runtime_error("text"));
  std::thread other([held] {
    try {
      std::rethrow_exception(held);
    } catch (const std::runtime_error& error) {
      MUSTER_REQUIRE(error.what()[0] == 't');
    }
  });
  held = nullptr;
  other.join();
}
MUSTER_SCENARIO(ok_promise_drops_exception) {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread other([promise = std::move(promise)]() mutable {
    promise.set_exception(std::make_exception_ptr(std::runtime_error("text")));
  });
  bool caught = false;
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "text";
  }
  MUSTER_REQUIRE(caught);
  other.join();
}
MUSTER_SCENARIO(ok_task_throws) {
  std::packaged_task<int()> task([]() -> int { throw std::runtime_error("text"); });
  std::future<int> future = task.get_future();
  std::thread other([task = std::move(task)]() mutable { task(); });
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    MUSTER_REQUIRE(error.what()[0] == 't');
  }
  other.join();
}
MUSTER_SCENARIO(ok_ready_at_thread_exit) {
  std::packaged_task<int()> task([]() -> int { return 3; });
  std::future<int> future = task.get_future();
  std::thread other([&task] { task.make_ready_at_thread_exit(); });
  MUSTER_REQUIRE(future.get() == 3);
  other.join();
}
MUSTER_SCENARIO(ok_copies_of_a_message) {
  const auto first = std::make_unique<std::runtime_error>("a text that is long enough to lie on the heap");
  auto second = std::make_unique<std::runtime_error>(*first);
  std::thread other([copy = std::move(second)]() mutable {
    MUSTER_REQUIRE(copy->what()[0] == 'a');
    copy.reset();
  });
  MUSTER_REQUIRE(first->what()[0] == 'a');
  other.join();
}
MUSTER_SCENARIO(bad_exception_pointer) {
  std::exception_ptr held = std::make_exception_ptr(1);
  by_two([&] { held = nullptr; }, [&] { std::exception_ptr copy = held; });
}

// ---- results without a value ----

MUSTER_SCENARIO(ok_promise_of_nothing) {
  int value = 0;
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&value, promise = std::move(promise)]() mutable {
    value = 1;
    promise.set_value();
  });
  future.get();
  MUSTER_REQUIRE(value == 1);
  other.join();
}
MUSTER_SCENARIO(bad_after_promise_of_nothing) {
  int value = 0;
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&value, promise = std::move(promise)]() mutable {
    promise.set_value();
    value = 1;
  });
  future.get();
  MUSTER_REQUIRE(value <= 1);
  other.join();
}
MUSTER_SCENARIO(ok_future_dropped_elsewhere) {
  std::promise<void> promise;
  std::thread other([future = promise.get_future()]() mutable { future = {}; });
  promise.set_value();
  other.join();
}
MUSTER_SCENARIO(ok_broken_promise) {
  auto promise = std::make_unique<std::promise<void>>();
  std::thread other([future = promise->get_future()]() mutable {
    try {
      future.get();
    } catch (const std::future_error&) {
    }
  });
  promise.reset();
  other.join();
}
MUSTER_SCENARIO(ok_task_of_nothing_throws) {
  std::packaged_task<void()> task([] { throw std::runtime_error("text"); });
  std::shared_future<void> future = task.get_future();
  std::thread other([task = std::move(task)]() mutable { task(); });
  try {
    future.get();
  } catch (const std::runtime_error& error) {
    MUSTER_REQUIRE(error.what()[0] == 't');
  }
  other.join();
}
MUSTER_SCENARIO(ok_async) {
  int value = 0;
  std::future<void> future = std::async(std::launch::async, [&] { value = 1; });
  future.wait();
  MUSTER_REQUIRE(value == 1);
}
MUSTER_SCENARIO(ok_ready_without_value_at_thread_exit) {
  int value = 0;
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  std::thread other([&] {
    value = 1;
    promise.set_value_at_thread_exit();
  });
  future.get();
  MUSTER_REQUIRE(value == 1);
  other.join();
}
MUSTER_SCENARIO(bad_future_of_two) {
  std::promise<void> promise;
  std::future<void> future = promise.get_future();
  promise.set_value();
  bool was_valid = true;
  by_two([&] { future.get(); }, [&] { was_valid = future.valid(); });
}

// ---- what waits ----

MUSTER_SCENARIO(ok_once) {
  std::once_flag once;
  int made = 0;
  const auto use = [&] {
    std::call_once(once, [&] { ++made; });
    MUSTER_REQUIRE(made == 1);
  };
  by_two(use, use);
}
MUSTER_SCENARIO(ok_barrier) {
  std::barrier barrier(2);
  int first = 0, second = 0;
  by_two(
      [&] {
        first = 1;
        barrier.arrive_and_wait();
        MUSTER_REQUIRE(second == 1);
      },
      [&] {
        second = 1;
        barrier.arrive_and_wait();
        MUSTER_REQUIRE(first == 1);
      });
}
MUSTER_SCENARIO(ok_latch_and_semaphore) {
  std::latch latch(1);
  std::binary_semaphore semaphore(0);
  int value = 0;
  by_two(
      [&] {
        value = 1;
        latch.count_down();
        semaphore.acquire();
        MUSTER_REQUIRE(value == 2);
      },
      [&] {
        latch.wait();
        value = 2;
        semaphore.release();
      });
}
MUSTER_SCENARIO(ok_atomic_wait) {
  std::atomic<int> ready{0};
  int value = 0;
  by_two(
      [&] {
        value = 1;
        ready = 1;
        ready.notify_one();
      },
      [&] {
        ready.wait(0);
        MUSTER_REQUIRE(value == 1);
      });
}
MUSTER_SCENARIO(bad_beside_the_latch) {
  std::latch latch(1);
  int value = 0;
  by_two(
      [&] {
        latch.count_down();
        value = 1;
      },
      [&] {
        latch.wait();
        MUSTER_REQUIRE(value <= 1);
      });
}
