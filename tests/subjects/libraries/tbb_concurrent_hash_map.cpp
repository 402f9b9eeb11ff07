// tbb::concurrent_hash_map, unmodified: one of two inserters of a key creates the entry, and both update it.
#include <oneapi/tbb/concurrent_hash_map.h>

#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(tbb_concurrent_hash_map) {
  using Map = tbb::concurrent_hash_map<int, int>;
  Map map;
  const auto count = [&] {
    Map::accessor entry;
    const bool created = map.insert(entry, 7);
    ++entry->second;
    return created;
  };
  bool created = false;
  std::thread a{[&] { created = count(); }};
  const bool created_here = count();
  a.join();
  MUSTER_REQUIRE(created != created_here);
  Map::const_accessor entry;
  MUSTER_REQUIRE(map.find(entry, 7) && entry->second == 2);
}
