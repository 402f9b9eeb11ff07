// A stock that throws when it is empty; checking and taking are one step.
#include <atomic>
#include <muster/scenario.hpp>
#include <stdexcept>
#include <thread>

namespace {

class Stock {
 public:
  explicit Stock(int items) : items_{items} {}

  bool take_if_any() {
    int items = items_.load();
    while (items > 0) {
      if (items_.compare_exchange_strong(items, items - 1)) return true;
    }
    return false;
  }

  bool any() const { return items_ > 0; }

  void take() {
    if (!take_if_any()) throw std::underflow_error("nothing in stock");
  }

 private:
  std::atomic<int> items_;
};

}  // namespace

MUSTER_SCENARIO(uncaught_exception) {
  Stock stock{1};
  const auto buy = [&] { stock.take_if_any(); };
  std::thread a{buy}, b{buy};
  a.join();
  b.join();
  MUSTER_REQUIRE(!stock.any());
}
