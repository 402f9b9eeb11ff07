#pragma once
// Small programs over atomics with C++'s memory orders: what threads do, and how the values that they read decide what
// they do next. Loops are jumps backwards, whatever they wait for.

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace muster::weak {

using Value = std::uint8_t;  // 0 to 15
using Location = std::uint8_t;
using Register = std::int8_t;
inline constexpr Location x = 0, y = 1, z = 2, w = 3;
inline constexpr unsigned location_count = 4, register_count = 4, most_threads = 4;
inline constexpr Register a = 0, b = 1, c = 2, d = 3, nowhere = -1;

enum class Order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };
inline constexpr Order rlx = Order::relaxed, acq = Order::acquire, rel = Order::release, acq_rel = Order::acq_rel,
                       sc = Order::seq_cst;
constexpr bool acquires(Order order) { return order == acq || order == acq_rel || order == sc; }
constexpr bool releases(Order order) { return order == rel || order == acq_rel || order == sc; }

/// A number, or a register plus a number.
struct Operand {
  Register reg = nowhere;
  Value number = 0;
  constexpr Operand(int value) : number(static_cast<Value>(value)) {}
  constexpr Operand(Register from, int plus) : reg(from), number(static_cast<Value>(plus)) {}
};
constexpr Operand value_of(Register reg, int plus = 0) { return {reg, plus}; }

enum class Op : std::uint8_t { load, store, add, exchange, compare, fence, jump };

struct Instruction {
  Op op;
  Location location = 0;
  Order order = rlx;
  Register into = nowhere;  // a load's value, the old value of an update, 1 for an exchange that succeeded
  Operand value = 0;        // stored, added, desired; compared with by a jump
  // of compare:
  Operand expected = 0;
  Order failure = rlx;
  Register seen = nowhere;  // receives what was there where it failed
  bool spurious = false;    // a weak one
  // of jump: if `into` equals `value`, or does not
  bool if_equal = false;
  int offset = 0;
};

using Code = std::vector<Instruction>;
struct Program {
  std::vector<Code> threads;
};

Code operator+(Code first, const Code& second);
Code load(Register into, Location from, Order order);
Code store(Location to, Operand value, Order order);
Code fetch_add(Register into, Location to, Operand value, Order order);
Code exchange(Register into, Location to, Operand value, Order order);
/// `into` becomes 1 if it succeeded, else 0 and `seen` what was there.
Code compare_exchange(Register into, Location to, Operand expected, Operand desired, Order order, Order failure = rlx,
                      Register seen = nowhere);
Code weak_compare_exchange(Register into, Location to, Operand expected, Operand desired, Order order,
                           Order failure = rlx, Register seen = nowhere);
Code fence(Order order);
/// do body while (reg != value)
Code repeat_until(const Code& body, Register reg, Operand value);
Code repeat_while(const Code& body, Register reg, Operand value);
/// if (reg == value) body
Code when(Register reg, Operand value, const Code& body);
Code unless(Register reg, Operand value, const Code& body);
Code await(Register into, Location from, Order order, Operand value);

/// In a form like C++.
std::string to_string(const Program& program);

/// Where a thread is, and what it knows.
struct Local {
  std::uint8_t pc = 0;
  std::array<Value, register_count> regs{};
  auto operator<=>(const Local&) const = default;
};

/// What a step does to memory. A fence does neither.
struct Access {
  bool reads = false, writes = false;
  Location location = 0;
  Order order = rlx;
  Value read = 0, written = 0;
  std::uint8_t pc = 0;
  bool is_fence() const { return !reads && !writes; }
  /// Leaves all values as they were, and whoever reads what it wrote could have read what it read.
  bool is_silent() const { return !writes || (reads && read == written); }
};

/// One thread's code, with what follows from it alone.
class ThreadCode {
 public:
  explicit ThreadCode(Code code);

  bool at_end(const Local& local) const { return local.pc == code_.size(); }
  const Instruction& at(const Local& local) const { return code_[local.pc]; }
  /// Past jumps, to an access or the end.
  Local settle(Local local) const;
  /// The access that is next, if it reads `read`; with `fails` a weak exchange fails whatever it reads.
  Access access(const Local& local, Value read, bool fails = false) const;
  /// Where it is afterwards, settled.
  Local after(const Local& local, const Access& access) const;
  /// Without registers that will be written before they are read. All that are left at the end count as read.
  Local live(const Local& local) const;
  /// Whether a loop begins here.
  bool is_head(const Local& local) const { return local.pc < heads_.size() && heads_[local.pc]; }
  bool may_fail(const Local& local) const { return at(local).spurious; }

 private:
  void find_live();

  Code code_;
  std::vector<bool> heads_;
  std::vector<unsigned> live_;  // sets of registers
};

std::vector<ThreadCode> threads_of(const Program& program);

}  // namespace muster::weak
