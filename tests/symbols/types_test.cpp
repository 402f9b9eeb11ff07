// What lies in the variables of this program, in the words of their types.

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "symbols/symbolizer.hpp"

namespace muster {
namespace {

enum class Phase { open = 1, closed };

struct Node {
  std::atomic<Node*> next;
  int value;
};

struct Tagged {
  Node* pointer;
  std::uint64_t tag;
};

struct Packed {
  unsigned writer : 1;
  unsigned readers : 31;
};

struct Everything {
  std::atomic<Node*> head;
  std::atomic<int> size;
  std::atomic<Phase> phase;
  std::atomic<bool> done;
  Tagged tagged;
  std::atomic<Packed> lock;
  std::atomic<short> slots[3];
  std::unique_ptr<Node> owned;
  double factor;
  char letter;
};

Everything everything;
Node node;

class Types : public testing::Test {
 protected:
#ifdef __SANITIZE_ADDRESS__
  void SetUp() override { GTEST_SKIP() << "the address sanitizer hides where globals lie"; }
#endif
  template <class T>
  TypeId type_of(const T& member) const {
    return symbolizer.value_type(place_of(member), sizeof(T));
  }
  template <class T>
  TypedPlace place_of(const T& member) const {
    return symbolizer.type_of_variable(reinterpret_cast<std::uint64_t>(&member));
  }
  template <class T>
  std::string text(const T& member) const {
    return symbolizer.text(type_of(member), std::as_bytes(std::span(&member, 1)), pointer);
  }

  Symbolizer symbolizer;
  std::function<std::string(std::uint64_t, TypeId)> pointer = [this](std::uint64_t offset, TypeId pointee) {
    return symbolizer.type_name(pointee) + "@" + std::to_string(offset);
  };
};

TEST_F(Types, NumbersAndBooleansAreTold) {
  everything.size = -3;
  everything.done = true;
  everything.factor = 0.5;
  everything.letter = 'x';
  EXPECT_EQ(text(everything.size), "-3");
  EXPECT_EQ(text(everything.done), "true");
  EXPECT_EQ(text(everything.factor), "0.5");
  EXPECT_EQ(text(everything.letter), "'x'");
}

TEST_F(Types, EnumerationsAreToldByTheirNames) {
  everything.phase = Phase::closed;
  EXPECT_EQ(text(everything.phase), "closed");
  everything.phase = static_cast<Phase>(7);
  EXPECT_EQ(text(everything.phase), "7");
}

TEST_F(Types, PointersAreLeftToWhoKnowsWhereTheyPoint) {
  EXPECT_EQ(text(everything.head), "Node@0");
  EXPECT_EQ(text(node.next), "Node@0");
  EXPECT_EQ(text(everything.owned), "Node@0");
}

TEST_F(Types, MarksStandApartWhereTheTypeHasThem) {
  everything.tagged = {nullptr, 4};
  everything.lock = Packed{.writer = 1, .readers = 5};
  EXPECT_EQ(text(everything.tagged), "{pointer Node@0, tag 4}");
  EXPECT_EQ(text(everything.lock), "{writer 1, readers 5}");
}

TEST_F(Types, MembersAndElementsAreGoneInto) {
  everything.slots[2] = 9;
  EXPECT_EQ(text(everything.slots[2]), "9");
  EXPECT_EQ(text(everything.tagged.tag), "4");
  const TypeId node_type = symbolizer.value_type(place_of(node), sizeof node);
  EXPECT_EQ(symbolizer.type_name(node_type), "Node");
  EXPECT_EQ(symbolizer.size(node_type), sizeof node);
  EXPECT_EQ(symbolizer.member({node_type, 0}), ".next");
  EXPECT_EQ(symbolizer.member({node_type, 8}), ".value");
}

TEST_F(Types, PointersInAValueSayWhatTheyPointTo) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  symbolizer.for_each_pointer(type_of(everything.tagged), [&](std::uint64_t offset, TypeId pointee) {
    found.emplace_back(offset, symbolizer.type_name(pointee));
  });
  EXPECT_EQ(found, (std::vector<std::pair<std::uint64_t, std::string>>{{0, "Node"}}));
}

TEST_F(Types, NothingIsSaidOfWhatIsNotKnown) {
  const std::string text = "on the heap";
  EXPECT_EQ(symbolizer.type_of_variable(reinterpret_cast<std::uint64_t>(text.data())).type, 0u);
  EXPECT_EQ(symbolizer.value_type({}, 4), 0u);
  EXPECT_EQ(symbolizer.text(0, std::as_bytes(std::span(text)), pointer), "");
  EXPECT_EQ(symbolizer.value_type(place_of(everything.head), 3), 0u);  // a part of a pointer is no value
}

}  // namespace
}  // namespace muster
