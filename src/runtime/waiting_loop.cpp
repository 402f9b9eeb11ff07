#include "runtime/waiting_loop.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "runtime/decoder.hpp"
#include "runtime/frame_slots.hpp"

namespace muster {
namespace {

constexpr std::size_t longest_loop = 600, most_instructions = 4096, most_slots_followed = 30;

/// One bit for each register, and behind them for each slot of the frame.
using Cells = std::uint64_t;
constexpr unsigned flags = 16, first_vector = 17, others = 33, first_slot = 34;
constexpr Cells cell(unsigned number) { return Cells{1} << number; }
constexpr Cells vectors = 0xffffull << first_vector;

constexpr std::array<std::array<x86_reg, 5>, 16> registers{{
    {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
    {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
    {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
    {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_INVALID},
    {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_INVALID},
    {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B, X86_REG_INVALID},
    {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B, X86_REG_INVALID},
    {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B, X86_REG_INVALID},
    {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B, X86_REG_INVALID},
    {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_INVALID},
    {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
    {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_INVALID},
    {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B, X86_REG_INVALID},
    {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B, X86_REG_INVALID},
    {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B, X86_REG_INVALID},
    {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B, X86_REG_INVALID},
}};
constexpr unsigned rax = 0, rcx = 1, rdx = 2, rsi = 3, rdi = 4, r8 = 5, r9 = 6, r10 = 7, r11 = 8, first_preserved = 10;
constexpr std::array arguments{rdi, rsi, rdx, rcx, r8, r9};
constexpr Cells every_argument =
    cell(rdi) | cell(rsi) | cell(rdx) | cell(rcx) | cell(r8) | cell(r9) | cell(rax) | cell(r10) | vectors;
constexpr Cells not_preserved = every_argument | cell(r11) | cell(flags);

Cells cell_of(unsigned reg) {
  static const std::map<unsigned, Cells> cells = [] {
    std::map<unsigned, Cells> made{
        {X86_REG_EFLAGS, cell(flags)}, {X86_REG_RIP, 0}, {X86_REG_EIP, 0}, {X86_REG_INVALID, 0}};
    for (unsigned number = 0; number < registers.size(); ++number) {
      for (const x86_reg name : registers[number]) made.try_emplace(name, cell(number));
    }
    for (unsigned i = 0; i < 16; ++i) made[X86_REG_XMM0 + i] = made[X86_REG_YMM0 + i] = cell(first_vector + i);
    return made;
  }();
  const auto found = cells.find(reg);
  return found == cells.end() ? cell(others) : found->second;
}

std::vector<PlainCall>& plain_calls() {
  static std::vector<PlainCall> calls;
  return calls;
}

/// An instruction: what it reads, what it may change, what of that it overwrites whole.
struct Step {
  std::uintptr_t at = 0;
  std::array<std::uintptr_t, 2> next{};
  Cells reads = 0, changes = 0, overwrites = 0;
  bool has_effect = false;  // that others can notice, whatever becomes of what it changes
  bool chooses = false;     // which of two comes next
  bool matters = false;     // of those that choose: what follows is not the same
};

class Loop {
 public:
  Loop(std::uintptr_t function, const FrameSlots& frame) : frame_(frame) {
    if (frame_.slots.size() > most_slots_followed) return;
    std::vector<std::uintptr_t> open{function};
    while (!open.empty()) {
      const std::uintptr_t at = open.back();
      open.pop_back();
      if (steps_.contains(at)) continue;
      if (steps_.size() == most_instructions) return;
      const std::optional<Step> step = read(at);
      if (!step) return;
      steps_.emplace(at, *step);
      for (const std::uintptr_t next : step->next) {
        if (next != 0) open.push_back(next);
      }
    }
    known_ = true;
  }

  /// What decides something at `pc`; nothing if that is not known. `wanted_after` tells what is wanted where the loop
  /// is left.
  template <class WantedAfter>
  std::optional<Cells> deciding(std::uintptr_t pc, WantedAfter wanted_after) {
    if (!known_ || !keep_what_comes_back_to(pc)) return std::nullopt;
    for (auto& [at, step] : steps_) {
      step.matters = step.chooses && (!loop(step.next[0]) || !loop(step.next[1]));
      if (!step.matters) continue;
      for (const std::uintptr_t next : step.next) {
        if (!loop(next)) wanted_[next] = wanted_after(next);
      }
    }
    do {
      follow_back();
    } while (finds_more_that_matters());
    return wanted_[pc];
  }

 private:
  bool loop(std::uintptr_t at) const { return steps_.contains(at); }

  std::optional<Step> read(std::uintptr_t at) {
    Step step;
    step.at = at;
    if (!decoder_.read(at) || decoder_.x86().prefix[0] == X86_PREFIX_REP ||
        decoder_.x86().prefix[0] == X86_PREFIX_REPNE)
      return std::nullopt;
    if (decoder_.returns()) return step;
    step.next[0] = decoder_.next();
    Cells written = 0;
    decoder_.registers([&](unsigned reg) { step.reads |= cell_of(reg); },
                       [&](unsigned reg) { written |= cell_of(reg); });
    step.changes = written;
    if (decoder_.jumps()) {
      const std::uintptr_t target = decoder_.target();
      if (target == 0) return std::nullopt;
      step.chooses = decoder_.id() != X86_INS_JMP;
      step.next[step.chooses ? 1 : 0] = target;
      step.changes = 0;
      return step;
    }
    if (decoder_.calls()) return call(step);
    if (decoder_.id() == X86_INS_LEA || decoder_.id() == X86_INS_NOP) {
      step.overwrites = decoder_.id() == X86_INS_LEA ? whole_registers() : 0;
    } else {
      look_at_operands(step);
      if (overwrites_flags()) step.overwrites |= cell(flags);
      if (is_conditional_move()) {
        step.reads |= step.changes;
      } else {
        step.overwrites |= whole_registers();
      }
    }
    if (decoder_.id() == X86_INS_PUSH) step.has_effect = true;
    if (clears()) step.reads = 0;
    const auto handed_over = frame_.read_by_hook.find(at);
    if (handed_over != frame_.read_by_hook.end()) {
      step.reads |= cell(first_slot + static_cast<unsigned>(handed_over->second));
      step.has_effect = true;
    }
    return step;
  }

  Step call(Step step) {
    Decoder behind;
    const std::uintptr_t called = decoder_.called(behind);
    const auto& calls = plain_calls();
    const auto plain = std::ranges::find_if(
        calls, [&](const PlainCall& call) { return reinterpret_cast<std::uintptr_t>(call.address) == called; });
    if (plain == calls.end()) {
      step.reads |= every_argument;
    } else {
      for (unsigned i = 0; i < plain->arguments; ++i) step.reads |= cell(arguments[i]);
    }
    step.has_effect = plain == calls.end() || plain->arguments != 0;
    step.changes = step.overwrites = not_preserved;
    return step;
  }

  void look_at_operands(Step& step) {
    for (unsigned i = 0; i < decoder_.x86().op_count; ++i) {
      const cs_x86_op& operand = decoder_.operand(i);
      if (operand.type != X86_OP_MEM) continue;
      const auto slot = slot_at(operand);
      if (operand.access & CS_AC_READ && slot) step.reads |= *slot;
      if (!(operand.access & CS_AC_WRITE) && !(i == 0 && decoder_.id() == X86_INS_MOV)) continue;
      if (!slot) {
        step.has_effect = true;
      } else {
        step.changes |= *slot;
        if (decoder_.id() == X86_INS_MOV && whole_) step.overwrites |= *slot;
      }
    }
  }

  /// The slots that an operand touches, and whether it is one whole; nothing for other memory.
  std::optional<Cells> slot_at(const cs_x86_op& operand) {
    whole_ = false;
    if (operand.mem.base != X86_REG_RBP || operand.mem.index != X86_REG_INVALID) return std::nullopt;
    Cells touched = 0;
    const std::int64_t begin = operand.mem.disp, end = begin + operand.size;
    for (std::size_t s = 0; s < frame_.slots.size(); ++s) {
      const FrameSlot& slot = frame_.slots[s];
      if (slot.offset >= end || begin >= slot.offset + slot.size) continue;
      touched |= cell(first_slot + static_cast<unsigned>(s));
      whole_ = begin == slot.offset && operand.size == slot.size;
    }
    return touched == 0 ? std::nullopt : std::optional(touched);
  }

  Cells whole_registers() const {
    if (decoder_.x86().op_count == 0) return 0;
    const cs_x86_op& to = decoder_.operand(0);
    constexpr unsigned smallest = 4;  // writing less keeps the rest
    if (to.type != X86_OP_REG || !(to.access & CS_AC_WRITE) || to.size < smallest) return 0;
    return cell_of(to.reg) & ((Cells{1} << flags) - 1);
  }
  bool overwrites_flags() const {
    constexpr x86_insn all[] = {X86_INS_CMP, X86_INS_TEST, X86_INS_ADD, X86_INS_SUB,
                                X86_INS_AND, X86_INS_OR,   X86_INS_XOR};
    return std::ranges::find(all, decoder_.id()) != std::end(all);
  }
  bool is_conditional_move() const { return std::string_view(decoder_.name()).starts_with("cmov"); }
  bool clears() const {
    return (decoder_.id() == X86_INS_XOR || decoder_.id() == X86_INS_SUB) && decoder_.operand(0).type == X86_OP_REG &&
           decoder_.operand(1).type == X86_OP_REG && decoder_.operand(0).reg == decoder_.operand(1).reg;
  }

  /// Leaves of all steps those from which `pc` is reached and that it reaches; false if there are none.
  bool keep_what_comes_back_to(std::uintptr_t pc) {
    std::map<std::uintptr_t, std::vector<std::uintptr_t>> before;
    for (const auto& [at, step] : steps_) {
      for (const std::uintptr_t next : step.next) {
        if (next != 0) before[next].push_back(at);
      }
    }
    const auto ahead = reached(pc, 0, [&](std::uintptr_t at, auto go) {
      for (const std::uintptr_t next : steps_.at(at).next) go(next);
    });
    const auto behind = reached(pc, 0, [&](std::uintptr_t at, auto go) {
      for (const std::uintptr_t earlier : before[at]) go(earlier);
    });
    std::erase_if(steps_,
                  [&](const auto& step) { return !ahead.contains(step.first) || !behind.contains(step.first); });
    return !steps_.empty() && steps_.size() <= longest_loop && steps_.contains(pc);
  }

  /// All that is reached from `start` without going on from `stop`; the start only if something leads back to it.
  template <class Neighbours>
  static std::map<std::uintptr_t, bool> reached(std::uintptr_t start, std::uintptr_t stop, Neighbours neighbours) {
    std::map<std::uintptr_t, bool> seen;
    std::vector<std::uintptr_t> open{start};
    while (!open.empty()) {
      const std::uintptr_t at = open.back();
      open.pop_back();
      neighbours(at, [&](std::uintptr_t next) {
        if (next != 0 && next != stop && seen.try_emplace(next, true).second) open.push_back(next);
      });
    }
    return seen;
  }

  Cells wanted_behind(const Step& step) const {
    Cells wanted = 0;
    for (const std::uintptr_t next : step.next) {
      const auto found = wanted_.find(next);
      if (found != wanted_.end()) wanted |= found->second;
    }
    return wanted;
  }

  /// What is wanted before each step, until nothing is added: what effects and branches that matter are made of.
  void follow_back() {
    constexpr Cells always = cell(9 /*rsp*/) | cell(11 /*rbp*/) | cell(others);
    for (bool grows = true; grows;) {
      grows = false;
      for (auto entry = steps_.rbegin(); entry != steps_.rend(); ++entry) {
        const Step& step = entry->second;
        const Cells behind = wanted_behind(step);
        const bool used = step.has_effect || step.matters || (step.changes & behind) != 0;
        const Cells wanted = always | (behind & ~step.overwrites) | (used ? step.reads : 0);
        grows |= (wanted & ~wanted_[entry->first]) != 0;
        wanted_[entry->first] |= wanted;
      }
    }
  }

  /// A branch matters if what follows has an effect, or changes what is wanted, before both ways meet again.
  bool finds_more_that_matters() {
    bool more = false;
    for (auto& [at, step] : steps_) {
      if (!step.chooses || step.matters || !differs_after(step)) continue;
      step.matters = more = true;
    }
    return more;
  }

  bool differs_after(const Step& branch) const {
    for (const std::uintptr_t meeting : steps_after(branch.next[0], branch.at)) {
      const auto between = between_ways(branch, meeting);
      if (!between) continue;
      return std::ranges::any_of(*between, [&](std::uintptr_t at) {
        const Step& step = steps_.at(at);
        return step.has_effect || (step.changes & wanted_behind(step)) != 0;
      });
    }
    return true;
  }

  /// What is reached from `start`, in no order that matters, and itself.
  std::vector<std::uintptr_t> steps_after(std::uintptr_t start, std::uintptr_t stop) const {
    std::vector<std::uintptr_t> found{start};
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uintptr_t next : steps_.at(found[i]).next) {
        if (next != stop && loop(next) && std::ranges::find(found, next) == found.end()) found.push_back(next);
      }
    }
    return found;
  }

  /// The steps of both ways up to `meeting`; nothing if they do not all lead there.
  std::optional<std::vector<std::uintptr_t>> between_ways(const Step& branch, std::uintptr_t meeting) const {
    std::vector<std::uintptr_t> found;
    for (const std::uintptr_t start : branch.next) {
      if (start != meeting && std::ranges::find(found, start) == found.end()) found.push_back(start);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uintptr_t next : steps_.at(found[i]).next) {
        if (next == 0 || next == meeting) continue;
        if (next == branch.at || !loop(next)) return std::nullopt;
        if (std::ranges::find(found, next) == found.end()) found.push_back(next);
      }
    }
    return found;
  }

  const FrameSlots& frame_;
  Decoder decoder_;
  bool known_ = false, whole_ = false;
  std::map<std::uintptr_t, Step> steps_;
  std::map<std::uintptr_t, Cells> wanted_;
};

/// From all that is live at a place after the loop.
Cells cells_of(const LiveState& live, const FrameSlots& frame) {
  Cells cells = cell(first_preserved) - 1;
  for (unsigned i = 0; i < preserved_register_count; ++i) {
    if (live.registers >> i & 1) cells |= cell(first_preserved + i);
  }
  for (std::size_t s = 0; s < frame.slots.size(); ++s) {
    if (std::ranges::find(live.dead, frame.slots[s]) == live.dead.end())
      cells |= cell(first_slot + static_cast<unsigned>(s));
  }
  return cells | vectors;
}

}  // namespace

void know_plain_calls(std::span<const PlainCall> calls) { plain_calls().assign(calls.begin(), calls.end()); }

LiveState deciding_state(std::uintptr_t pc, std::uintptr_t function, const LiveState& live, bool to_the_end) {
  if (function == 0) return live;
  const FrameSlots frame = frame_slots(function);
  const std::optional<Cells> deciding = Loop(function, frame).deciding(pc, [&](std::uintptr_t after) {
    return to_the_end ? cells_of(live_state(after, function), frame) : Cells{0};
  });
  if (!deciding) return live;
  LiveState state;
  state.registers = 0;
  for (unsigned i = 0; i < preserved_register_count; ++i) {
    if (live.registers >> i & *deciding >> (first_preserved + i) & 1)
      state.registers |= static_cast<PreservedRegisters>(1u << i);
  }
  for (std::size_t s = 0; s < frame.slots.size(); ++s) {
    const FrameSlot& slot = frame.slots[s];
    const bool dead = std::ranges::find(live.dead, slot) != live.dead.end();
    if (dead || !(*deciding >> (first_slot + s) & 1)) state.dead.push_back(slot);
  }
  return state;
}

}  // namespace muster
