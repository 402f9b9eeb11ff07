// Locales, memory resources and paths.
#include <filesystem>
#include <locale>
#include <memory_resource>
#include <muster/scenario.hpp>
#include <string>
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
