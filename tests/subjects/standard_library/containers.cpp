// Containers whose nodes are linked by functions of the library.
#include <list>
#include <map>
#include <muster/scenario.hpp>
#include <numeric>
#include <set>
#include <unordered_set>

#include "by_two.hpp"

BY_TWO(list_splice) {
  std::list<int> items{1, 2, 3};
  const auto second = std::next(items.begin()), third = std::next(second);
  by_two([&] { items.splice(items.begin(), items, second); }, [&] { items.splice(items.begin(), items, third); });
}
BY_TWO(list_splice_and_read) {
  std::list<int> items{1, 2, 3};
  int sum = 0;
  by_two([&] { items.splice(items.end(), items, items.begin()); },
         [&] { sum = std::accumulate(items.begin(), items.end(), 0); });
  MUSTER_REQUIRE(sum == 6);
}
BY_TWO(list_push_back) {
  std::list<int> items;
  by_two([&] { items.push_back(1); }, [&] { items.push_back(2); });
}
BY_TWO(list_reverse) {
  std::list<int> items{1, 2, 3};
  by_two([&] { items.reverse(); }, [&] { items.reverse(); });
}
BY_TWO(list_swap) {
  std::list<int> some{1, 2}, others{3};
  by_two([&] { some.swap(others); }, [&] { some.swap(others); });
}

// Each thread looks its own element up before: only putting it into the tree concerns the other.
BY_TWO(map_insert) {
  std::map<int, int> items;
  by_two([&] { items[1] = 1; }, [&] { items[2] = 2; });
}
BY_TWO(set_rebalance) {
  std::set<int> items{1, 2, 3};
  const auto reinsert = [&](int value) { items.insert(items.extract(value)); };
  by_two([&] { reinsert(1); }, [&] { reinsert(3); });
}
BY_TWO(set_step) {
  std::set<int> items{1, 2, 3};
  int sum = 0;
  by_two([&] { items.insert(4); }, [&] { sum = std::accumulate(items.begin(), items.end(), 0); });
  MUSTER_REQUIRE(sum == 6 || sum == 10);
}

// How a table grows is kept in the table.
BY_TWO(hash_table_grows) {
  std::unordered_set<int> items;
  by_two([&] { items.reserve(20); }, [&] { items.reserve(40); });
}
