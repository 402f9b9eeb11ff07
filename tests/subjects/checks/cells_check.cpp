// Operations that do not concern each other: an execution of many stands for all their orders.
#include <array>
#include <atomic>
#include <muster/check.hpp>
#include <numeric>

namespace {

constexpr int cells = 12;

struct Cells {
  std::array<std::atomic<int>, cells> values{};

  void set(int i) { values[static_cast<std::size_t>(i)].store(i + 1); }
  int get(int i) const { return values[static_cast<std::size_t>(i)].load(); }
  /// Not at one moment: a set that comes first may be missed, and one that comes after it seen.
  int sum() const {
    int sum = 0;
    for (const auto& value : values) sum += value.load();
    return sum;
  }
};

struct CellsModel {
  std::array<int, cells> values{};
  bool operator==(const CellsModel&) const = default;

  void set(int i) { values[static_cast<std::size_t>(i)] = i + 1; }
  int get(int i) const { return values[static_cast<std::size_t>(i)]; }
  int sum() const { return std::accumulate(values.begin(), values.end(), 0); }
};

/// `unsure`: a cell that others write meanwhile may be told to be empty.
template <class Object>
void describe(Object& object, bool unsure = false) {
  auto set = object.operation("set", [](auto& all, int i) { all.set(i); });
  auto get = object.operation("get", [](auto& all, int i) { return all.get(i); });
  for (int i = 0; i < cells; ++i) {
    set.with(i);
    get.with(i);
  }
  if (unsure) get.nondeterministic_on_interference(0);
}

}  // namespace

MUSTER_CHECK(cells) {
  auto object = check.object<Cells>();
  describe(object);
}

MUSTER_CHECK(cells_modelled) {
  auto object = check.object<Cells>().model<CellsModel>();
  describe(object);
}

MUSTER_CHECK(cells_unsure) {
  auto object = check.object<Cells>().model<CellsModel>();
  describe(object, true);
}

MUSTER_CHECK(cells_summed) {
  auto object = check.object<Cells>().model<CellsModel>();
  describe(object);
  object.operation("sum", [](auto& all) { return all.sum(); });
}
