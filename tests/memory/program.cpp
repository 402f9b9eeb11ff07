#include "memory/program.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"

namespace muster::weak {
namespace {

constexpr Value largest = 15;

Value evaluate(Operand operand, const Local& local) {
  const unsigned base = operand.reg == nowhere ? 0 : local.regs[static_cast<unsigned>(operand.reg)];
  return (base + operand.number) & largest;
}

unsigned register_bit(Register reg) { return reg == nowhere ? 0 : 1u << reg; }

Code jump_over(const Code& body, Register reg, Operand value, bool if_equal) {
  Code code{{.op = Op::jump, .into = reg, .value = value, .if_equal = if_equal}};
  code.front().offset = static_cast<int>(body.size()) + 1;
  return code + body;
}

Code loop(const Code& body, Register reg, Operand value, bool if_equal) {
  Code code = body;
  code.push_back({.op = Op::jump, .into = reg, .value = value, .if_equal = if_equal});
  code.back().offset = -static_cast<int>(body.size());
  return code;
}

}  // namespace

Code operator+(Code first, const Code& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
Code load(Register into, Location from, Order order) {
  return {{.op = Op::load, .location = from, .order = order, .into = into}};
}
Code store(Location to, Operand value, Order order) {
  return {{.op = Op::store, .location = to, .order = order, .value = value}};
}
Code fetch_add(Register into, Location to, Operand value, Order order) {
  return {{.op = Op::add, .location = to, .order = order, .into = into, .value = value}};
}
Code exchange(Register into, Location to, Operand value, Order order) {
  return {{.op = Op::exchange, .location = to, .order = order, .into = into, .value = value}};
}
Code compare_exchange(Register into, Location to, Operand expected, Operand desired, Order order, Order failure,
                      Register seen) {
  return {{.op = Op::compare,
           .location = to,
           .order = order,
           .into = into,
           .value = desired,
           .expected = expected,
           .failure = failure,
           .seen = seen}};
}
Code weak_compare_exchange(Register into, Location to, Operand expected, Operand desired, Order order, Order failure,
                           Register seen) {
  Code code = compare_exchange(into, to, expected, desired, order, failure, seen);
  code.front().spurious = true;
  return code;
}
Code fence(Order order) { return {{.op = Op::fence, .order = order}}; }
Code repeat_until(const Code& body, Register reg, Operand value) { return loop(body, reg, value, false); }
Code repeat_while(const Code& body, Register reg, Operand value) { return loop(body, reg, value, true); }
Code when(Register reg, Operand value, const Code& body) { return jump_over(body, reg, value, false); }
Code unless(Register reg, Operand value, const Code& body) { return jump_over(body, reg, value, true); }
Code await(Register into, Location from, Order order, Operand value) {
  return repeat_until(load(into, from, order), into, value);
}

ThreadCode::ThreadCode(Code code) : code_(std::move(code)), heads_(code_.size() + 1) {
  for (std::size_t pc = 0; pc < code_.size(); ++pc) {
    if (code_[pc].op == Op::jump && code_[pc].offset < 0)
      heads_[static_cast<std::size_t>(static_cast<int>(pc) + code_[pc].offset)] = true;
  }
  find_live();
}

/// Backwards, until nothing is added.
void ThreadCode::find_live() {
  live_.assign(code_.size() + 1, 0);
  live_.back() = (1u << register_count) - 1;
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t pc = code_.size(); pc-- > 0;) {
      const Instruction& i = code_[pc];
      unsigned live = live_[pc + 1];
      if (i.op == Op::jump) {
        live |= live_[static_cast<std::size_t>(static_cast<int>(pc) + i.offset)] | register_bit(i.into);
      } else {
        live &= ~register_bit(i.into);  // `seen` keeps what it holds where the exchange succeeds
      }
      live |= register_bit(i.value.reg) | register_bit(i.expected.reg);
      grows |= live != live_[pc];
      live_[pc] = live;
    }
  }
}

Local ThreadCode::settle(Local local) const {
  while (!at_end(local) && at(local).op == Op::jump) {
    const Instruction& jump = at(local);
    const bool equal = local.regs[static_cast<unsigned>(jump.into)] == evaluate(jump.value, local);
    local.pc = static_cast<std::uint8_t>(local.pc + (equal == jump.if_equal ? jump.offset : 1));
  }
  return local;
}

Access ThreadCode::access(const Local& local, Value read, bool fails) const {
  const Instruction& i = at(local);
  const Value value = evaluate(i.value, local);
  Access access{.location = i.location, .order = i.order, .read = read, .pc = local.pc};
  switch (i.op) {
    case Op::load:
      access.reads = true;
      break;
    case Op::store:
      access.writes = true;
      access.read = 0;
      access.written = value;
      break;
    case Op::add:
      access.reads = access.writes = true;
      access.written = (read + value) & largest;
      break;
    case Op::exchange:
      access.reads = access.writes = true;
      access.written = value;
      break;
    case Op::compare:
      access.reads = true;
      access.writes = !fails && read == evaluate(i.expected, local);
      if (access.writes) access.written = value;
      if (!access.writes) access.order = i.failure;
      break;
    case Op::fence:
      access.read = 0;
      break;
    case Op::jump:
      MUSTER_ASSERT(i.op != Op::jump);
  }
  return access;
}

Local ThreadCode::after(const Local& local, const Access& access) const {
  const Instruction& i = at(local);
  Local next = local;
  ++next.pc;
  if (i.op == Op::compare) {
    if (i.into != nowhere) next.regs[static_cast<unsigned>(i.into)] = access.writes;
    if (i.seen != nowhere && !access.writes) next.regs[static_cast<unsigned>(i.seen)] = access.read;
  } else if (i.into != nowhere) {
    next.regs[static_cast<unsigned>(i.into)] = access.read;
  }
  return settle(next);
}

Local ThreadCode::live(const Local& local) const {
  Local live = local;
  for (unsigned reg = 0; reg < register_count; ++reg) {
    if (!(live_[local.pc] >> reg & 1)) live.regs[reg] = 0;
  }
  return live;
}

std::vector<ThreadCode> threads_of(const Program& program) {
  std::vector<ThreadCode> threads;
  for (const Code& code : program.threads) threads.emplace_back(code);
  return threads;
}

// ---- printing ----

namespace {

std::string name_of(Operand operand) {
  if (operand.reg == nowhere) return fmt::format("{}", operand.number);
  if (operand.number == 0) return std::string(1, static_cast<char>('a' + operand.reg));
  return fmt::format("{}+{}", static_cast<char>('a' + operand.reg), operand.number);
}

std::string describe(const Instruction& i) {
  static constexpr const char* orders[] = {"rlx", "acq", "rel", "acq_rel", "sc"};
  const char* const order = orders[static_cast<unsigned>(i.order)];
  const char at = "xyzw"[i.location];
  const std::string into = i.into == nowhere ? "" : fmt::format("{} = ", static_cast<char>('a' + i.into));
  switch (i.op) {
    case Op::load:
      return fmt::format("{}{}.load({})", into, at, order);
    case Op::store:
      return fmt::format("{}.store({}, {})", at, name_of(i.value), order);
    case Op::add:
      return fmt::format("{}{}.fetch_add({}, {})", into, at, name_of(i.value), order);
    case Op::exchange:
      return fmt::format("{}{}.exchange({}, {})", into, at, name_of(i.value), order);
    case Op::compare:
      return fmt::format("{}{}.compare_exchange_{}({}, {}, {}, {}){}", into, at, i.spurious ? "weak" : "strong",
                         name_of(i.expected), name_of(i.value), order, orders[static_cast<unsigned>(i.failure)],
                         i.seen == nowhere ? "" : fmt::format(" else {}", static_cast<char>('a' + i.seen)));
    case Op::fence:
      return fmt::format("fence({})", order);
    case Op::jump:
      break;
  }
  return fmt::format("if ({} {} {}) goto {:+}", static_cast<char>('a' + i.into),
                     i.if_equal ? "==" : "!=", name_of(i.value), i.offset);
}

}  // namespace

std::string to_string(const Program& program) {
  std::string text;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    text += fmt::format("{}:", static_cast<char>('A' + t));
    for (const Instruction& i : program.threads[t]) text += " " + describe(i) + ";";
    text += "\n";
  }
  return text;
}

}  // namespace muster::weak
