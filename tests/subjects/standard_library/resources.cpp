// Locales, memory resources, paths, threads and handlers.
#include <cwchar>
#include <filesystem>
#include <locale>
#include <memory_resource>
#include <muster/scenario.hpp>
#include <new>
#include <string>
#include <valarray>
#include <vector>

#include "by_two.hpp"

namespace {

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

}  // namespace

MUSTER_SCENARIO(locale_of_two_holders) {
  auto held = std::make_unique<std::locale>(std::locale::classic(), new Comma);
  std::thread other(
      [copy = *held] { MUSTER_REQUIRE(std::use_facet<std::numpunct<char>>(copy).decimal_point() == ','); });
  MUSTER_REQUIRE(std::use_facet<std::numpunct<char>>(*held).decimal_point() == ',');
  held.reset();
  other.join();
}
BY_TWO(locale_assigned) {
  std::locale held;
  const std::locale other(std::locale::classic(), new Comma);
  by_two([&] { held = other; }, [&] { (void)std::use_facet<std::numpunct<char>>(held).decimal_point(); });
}

BY_TWO(letters_changed) {
  char text[] = "text";
  by_two([&] { std::use_facet<std::ctype<char>>(std::locale::classic()).toupper(text, text + 4); },
         [&] { MUSTER_REQUIRE(text[3] == 't' || text[3] == 'T'); });
}
BY_TWO(letters_encoded) {
  const auto& encoding = std::use_facet<std::codecvt<wchar_t, char, std::mbstate_t>>(std::locale::classic());
  const char text[] = "text";
  wchar_t wide[8] = L"";
  const auto encode = [&] {
    std::mbstate_t state{};
    const char* read = nullptr;
    wchar_t* written = nullptr;
    encoding.in(state, text, text + 4, read, wide, wide + 8, written);
  };
  by_two(encode, [&] { MUSTER_REQUIRE(wide[3] == L'\0' || wide[3] == L't'); });
}

BY_TWO(monotonic_resource) {
  std::pmr::monotonic_buffer_resource resource(1024);
  by_two([&] { (void)resource.allocate(8); }, [&] { (void)resource.allocate(8); });
}
BY_TWO(unsynchronized_pool) {
  std::pmr::unsynchronized_pool_resource pool;
  by_two([&] { (void)pool.allocate(8); }, [&] { (void)pool.allocate(8); });
}
MUSTER_SCENARIO(synchronized_pool) {
  std::pmr::synchronized_pool_resource pool;
  const auto use = [&] { std::pmr::vector<int>({1, 2, 3}, &pool); };
  Unprotected()(use, use);
}
MUSTER_SCENARIO(default_resource) {  // who finds it finds it made
  std::unique_ptr<std::pmr::synchronized_pool_resource> pool;
  Unprotected()(
      [&] {
        pool = std::make_unique<std::pmr::synchronized_pool_resource>();
        std::pmr::set_default_resource(pool.get());
      },
      [&] {
        std::pmr::vector<int> items{1, 2};
      });
  std::pmr::set_default_resource(nullptr);
}

BY_TWO(path_changed) {
  std::filesystem::path path = "a/b";
  by_two([&] { path /= "c"; }, [&] { (void)path.parent_path(); });
}
MUSTER_SCENARIO(path_shared) {
  const std::filesystem::path path = "a/b";
  const auto use = [&] { MUSTER_REQUIRE(path.parent_path() == "a" && path.filename() == "b"); };
  Unprotected()(use, use);
}

// Copies of an iterator share where they are, and close the directory together.
BY_TWO(directory_of_two) {
  const std::filesystem::directory_iterator directory("/usr");
  auto first = directory, second = directory;
  by_two([&] { ++first; }, [&] { ++second; });
}
BY_TWO(deep_directory_of_two) {
  const std::filesystem::recursive_directory_iterator directory("/usr");
  auto first = directory, second = directory;
  by_two([&] { first.disable_recursion_pending(); }, [&] { (void)second.recursion_pending(); });
}
MUSTER_SCENARIO(directory_of_two_holders) {
  std::filesystem::recursive_directory_iterator directory("/usr");
  std::thread other([copy = directory] { MUSTER_REQUIRE(copy.depth() == 0); });
  MUSTER_REQUIRE(directory.depth() == 0);
  directory = std::filesystem::recursive_directory_iterator();
  other.join();
}

BY_TWO(thread_joined) {
  std::thread thread([] {});
  bool was_joinable = true;
  by_two([&] { thread.join(); }, [&] { was_joinable = thread.joinable(); });
}
MUSTER_SCENARIO(thread_knows_itself) {  // its number is written before it begins, and forgotten after it ended
  std::thread::id self;
  std::thread thread([&] { self = thread.get_id(); });
  thread.join();
  MUSTER_REQUIRE(self != std::thread::id());
}
BY_TWO(slice_of_dimensions) {
  std::valarray<std::size_t> sizes{2, 2}, strides{2, 1};
  by_two([&] { std::gslice(0, sizes, strides); }, [&] { strides[0] = 4; });
}
MUSTER_SCENARIO(handler_set) {  // who finds it finds what was done before
  static int prepared = 0;
  static const auto handler = [] { prepared = 0; };
  Unprotected()(
      [] {
        prepared = 1;
        std::set_new_handler(handler);
      },
      [] {
        if (std::get_new_handler() == handler) MUSTER_REQUIRE(prepared == 1);
      });
  std::set_new_handler(nullptr);
}
