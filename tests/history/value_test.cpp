#include "history/value.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"

namespace muster {
namespace {

TEST(Value, EqualContentIsOneWord) {
  EXPECT_EQ(Value::text("a"), Value::text("a"));
  EXPECT_NE(Value::text("a"), Value::symbol("a"));
  EXPECT_NE(Value::text("1"), Value::integer(1));
  EXPECT_EQ(Value::list({Value::integer(1), Value::nil()}), Value::list({Value::integer(1), Value::nil()}));
  EXPECT_NE(Value(), Value::nil());
}

TEST(Value, IntegersOfAllSizesStayApart) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 31, std::int64_t{1} << 59,
                                   -(std::int64_t{1} << 59) - 1, std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(to_string(Value::integer(value)), std::to_string(value));
    EXPECT_NE(Value::integer(value), Value::integer(value ^ 1));
  }
}

TEST(Value, CanonicalBytesComeBack) {
  const Value pairs[] = {Value::text("k"), Value::integer(-3), Value::symbol(":a"), Value::nil()};
  const Value values[] = {Value(),
                          Value::nil(),
                          Value::boolean(true),
                          Value::integer(-70000),
                          Value::integer(std::numeric_limits<std::int64_t>::min()),
                          Value::text(std::string(300, 'x')),
                          Value::list({Value::list({}), Value::number("1.5")}),
                          Value::map(pairs)};
  std::string bytes;
  for (const Value value : values) append_bytes(value, bytes);
  std::string_view rest = bytes;
  for (const Value value : values) EXPECT_EQ(take_value(rest), value);
  EXPECT_TRUE(rest.empty());
}

TEST(Value, BytesThatAreCutShortAreAnError) {
  std::string bytes;
  append_bytes(Value::list({Value::text("abc"), Value::integer(1 << 20)}), bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    std::string_view cut(bytes.data(), length);
    EXPECT_THROW(take_value(cut), Error) << length;
  }
}

TEST(Value, OrderIsByContent) {
  EXPECT_LT(Value::integer(-5), Value::integer(3));
  const Value later = Value::text("b"), earlier = Value::text("a");
  EXPECT_LT(earlier, later);
}

}  // namespace
}  // namespace muster
