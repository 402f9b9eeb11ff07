#include "memory/generator.hpp"

namespace muster::weak {
namespace {

class Generator {
 public:
  Generator(Rng& rng, const Shape& shape) : rng_(rng), shape_(shape) {}

  Program program() {
    const unsigned threads = 2 + below(shape_.threads - 1);
    std::vector<Code> codes(threads);
    for (unsigned i = 0; i < shape_.statements; ++i) {
      const unsigned thread = i < threads ? i : below(threads);
      codes[thread] = codes[thread] + statement();
    }
    return {codes};
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(rng_.below(bound)); }
  bool percent(unsigned chance) { return rng_.chance(chance, 100); }
  Location location() { return static_cast<Location>(below(shape_.locations)); }
  Register reg() { return static_cast<Register>(below(3)); }
  int value() { return 1 + static_cast<int>(below(shape_.values)); }
  int any_value() { return static_cast<int>(below(shape_.values + 1)); }
  Order pick(Order weak, Order strong) { return percent(shape_.strong) ? sc : percent(40) ? weak : strong; }
  Order load_order() { return pick(rlx, acq); }
  Order store_order() { return pick(rlx, rel); }
  Order update_order() { return shape_.strong == 100 || percent(60) ? pick(rlx, acq_rel) : percent(50) ? acq : rel; }
  Order fence_order() { return percent(shape_.strong * 2) ? sc : percent(30) ? acq_rel : percent(50) ? acq : rel; }

  Code statement() {
    if (percent(shape_.loops)) return loop();
    if (percent(shape_.branches)) {
      const Register decides = reg();
      return percent(50) ? when(decides, any_value(), simple()) : unless(decides, any_value(), simple());
    }
    return simple();
  }
  Code simple() {
    if (shape_.plain != 0 && percent(shape_.plain)) return percent(50) ? load(reg(), w, rlx) : store(w, value(), rlx);
    if (percent(shape_.fences)) return fence(fence_order());
    if (percent(shape_.updates)) return update();
    return percent(50) ? load(reg(), location(), load_order()) : store(location(), value(), store_order());
  }
  Code update() {
    switch (below(4)) {
      case 0:
        return fetch_add(reg(), location(), 1, update_order());
      case 1:
        return exchange(reg(), location(), value(), update_order());
      case 2:
        return weak_compare_exchange(reg(), location(), any_value(), value(), update_order(), load_order());
      default:
        return compare_exchange(reg(), location(), any_value(), value(), update_order(), load_order(),
                                percent(50) ? reg() : nowhere);
    }
  }

  Code loop() {
    const Location at = location();
    if (shape_.plain != 0 && percent(shape_.plain))
      return repeat_until(load(reg(), w, rlx) + load(d, at, load_order()), d, any_value());
    switch (below(8)) {
      case 0:
      case 1:
        return await(d, at, load_order(), any_value());
      case 2:  // the same, with a look at something else in each turn
        return repeat_until(load(reg(), location(), load_order()) + load(d, at, load_order()), d, any_value());
      case 3:  // with a fence
        return repeat_while(load(d, at, load_order()) + fence(fence_order()), d, any_value());
      case 4:  // two conditions, as in Peterson's lock
        return repeat_while(load(d, at, load_order()) + unless(d, 0, load(d, location(), load_order())), d,
                            any_value());
      case 5:  // a test-and-set lock
        return repeat_while(exchange(d, at, 1, update_order()), d, 1);
      case 6:  // an increment that tries again
        return repeat_while(load(c, at, load_order()) + exchange_attempt(at), d, 0);
      default:  // the same, which learns from its failure what is there
        return load(c, at, load_order()) +
               repeat_while(
                   percent(50)
                       ? compare_exchange(d, at, value_of(c), value_of(c, 1), update_order(), load_order(), c)
                       : weak_compare_exchange(d, at, value_of(c), value_of(c, 1), update_order(), load_order(), c),
                   d, 0);
    }
  }
  Code exchange_attempt(Location at) {
    return percent(70) ? compare_exchange(d, at, value_of(c), value_of(c, 1), update_order(), load_order())
                       : weak_compare_exchange(d, at, value_of(c), value_of(c, 1), update_order(), load_order());
  }

  Rng& rng_;
  const Shape& shape_;
};

}  // namespace

Program random_program(Rng& rng, const Shape& shape) { return Generator(rng, shape).program(); }

Shape random_shape(Rng& rng) {
  Shape shape;
  const auto below = [&](unsigned bound) { return static_cast<unsigned>(rng.below(bound)); };
  shape.threads = 2 + below(3);
  shape.statements = shape.threads + 2 + below(3);
  shape.locations = 1 + below(3);
  shape.values = 1 + below(3);
  shape.strong = 25 * below(4);
  shape.loops = 15 * below(4);
  shape.branches = 15 * below(2);
  shape.fences = 15 * below(3);
  shape.updates = 20 * below(3);
  return shape;
}

}  // namespace muster::weak
