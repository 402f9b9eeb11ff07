#include "memory/engine/shapes.hpp"

#include <array>
#include <span>
#include <sstream>
#include <string>

namespace muster::weak {
namespace {

// Threads between bars. Wx1 stores 1 to x, Rx0 loads x into the first register, Ux0 adds 1 to x and keeps the old value
// there, F is a fence.
constexpr const char* plain_shapes[] = {
    "Wx1 Ry0|Wy1 Rx1",
    "Wx1 Wy1|Ry0 Rx1",
    "Rx0 Wy1|Ry1 Wx1",
    "Wx1 Wy2|Wy1 Wx2",
    "Wx1 Wy1|Wy2 Rx0",
    "Wx2 Wy1|Ry0 Wx1",
    "Wx1|Wx2|Rx0 Rx1",
    "Wx1|Wx2|Rx0 Rx1|Rx2 Rx3",
    "Wx1 Wx2|Rx0 Rx1",
    "Rx0 Wx1|Wx2",
    "Wx1 Rx0|Wx2",
    "Wx1|Rx0 Wy1|Ry1 Rx2",
    "Wx1 Wy1|Ry0 Wz1|Rz1 Rx2",
    "Wx1|Wy1|Rx0 Ry1|Ry2 Rx3",
    "Wx1 Wy1 Wy2|Ry0 Rx1",
    "Wx1 Wy1|Uy2|Ry0 Rx1",
    "Wx1 Wy1|Uy0 Ry1|Wy3 Rx2",
    "Wx1 Wy1|Ry0 Rz1|Wz1 Rx2",
    "Wx1 Wy1|Ry0 Wx2",
};
constexpr const char* fenced_shapes[] = {
    "Wx1 F Ry0|Wy1 F Rx1",           "Wx1 F Wy1|Ry0 F Rx1",           "Rx0 F Wy1|Ry1 F Wx1",
    "Wx1 F Wy2|Wy1 F Wx2",           "Wx1 F Wy1|Wy2 F Rx0",           "Wx2 F Wy1|Ry0 F Wx1",
    "Wx1|Rx0 F Wy1|Ry1 F Rx2",       "Wx1 F Wy1|Ry0 F Wz1|Rz1 F Rx2", "Wx1|Wy1|Rx0 F Ry1|Ry2 F Rx3",
    "Wx1 F Wy1|Ry0 F Rz1|Wz1 F Rx2",
};

constexpr std::array load_orders{rlx, acq, sc}, store_orders{rlx, rel, sc}, update_orders{rlx, acq_rel, sc},
    only_relaxed{rlx, rlx, rlx};
constexpr std::array fence_orders{rel, acq, acq_rel, sc};

Code parse(const std::string& word, Order order) {
  if (word == "F") return fence(order);
  const auto location = static_cast<Location>(word[1] - 'x');
  const int number = word[2] - '0';
  switch (word[0]) {
    case 'W':
      return store(location, number, order);
    case 'R':
      return load(static_cast<Register>(number), location, order);
    default:
      return fetch_add(static_cast<Register>(number), location, 1, order);
  }
}

std::span<const Order> orders_of(const std::string& word, bool fenced) {
  if (word == "F") return fence_orders;
  if (fenced) return std::span(only_relaxed).first(1);
  return word[0] == 'W' ? store_orders : word[0] == 'R' ? load_orders : update_orders;
}

/// All choices of orders, counted like the digits of a number.
unsigned for_each_order(const std::string& shape, bool fenced, const std::function<void(const Program&)>& visit) {
  std::vector<std::vector<std::string>> threads;
  std::istringstream columns(shape);
  for (std::string column; std::getline(columns, column, '|');) {
    std::istringstream words(column);
    threads.emplace_back();
    for (std::string word; words >> word;) threads.back().push_back(word);
  }
  unsigned count = 1;
  for (const auto& thread : threads) {
    for (const std::string& word : thread) count *= static_cast<unsigned>(orders_of(word, fenced).size());
  }
  for (unsigned number = 0; number < count; ++number) {
    Program program;
    unsigned left = number;
    for (const auto& thread : threads) {
      Code code;
      for (const std::string& word : thread) {
        const std::span<const Order> orders = orders_of(word, fenced);
        code = code + parse(word, orders[left % orders.size()]);
        left /= static_cast<unsigned>(orders.size());
      }
      program.threads.push_back(code);
    }
    visit(program);
  }
  return count;
}

}  // namespace

unsigned for_each_litmus_test(const std::function<void(const Program&)>& visit) {
  unsigned count = 0;
  for (const char* shape : plain_shapes) count += for_each_order(shape, false, visit);
  for (const char* shape : fenced_shapes) count += for_each_order(shape, true, visit);
  return count;
}

}  // namespace muster::weak
