#include "runtime/frame_slots.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "runtime/decoder.hpp"

namespace muster {
namespace {

constexpr std::size_t longest_function = 4096, most_slots = 56;

std::vector<AccessHook>& access_hooks() {
  static std::vector<AccessHook> hooks;
  return hooks;
}

const AccessHook* hook_at(std::uintptr_t address) {
  const auto& hooks = access_hooks();
  const auto found = std::find_if(hooks.begin(), hooks.end(), [&](const AccessHook& hook) {
    return reinterpret_cast<std::uintptr_t>(hook.address) == address;
  });
  return found == hooks.end() ? nullptr : &*found;
}

/// Whether an operand has to do with the register of the first or the second argument.
bool mentions(const cs_x86_op& operand, bool first) {
  const auto is = [&](unsigned reg) {
    return first ? reg == X86_REG_RDI || reg == X86_REG_EDI : reg == X86_REG_RSI || reg == X86_REG_ESI;
  };
  if (operand.type == X86_OP_REG) return is(operand.reg);
  return operand.type == X86_OP_MEM && (is(operand.mem.base) || is(operand.mem.index));
}

class Function {
 public:
  explicit Function(std::uintptr_t start) {
    open_.push_back(start);
    while (!open_.empty() && known_) {
      const std::uintptr_t at = open_.back();
      open_.pop_back();
      if (code_.insert(at).second) known_ = code_.size() < longest_function && decoder_.read(at) && go_on();
    }
    if (!known_) return;
    for (const std::uintptr_t at : code_) look_for_addresses(at);
    for (const std::uintptr_t at : code_) look_at(at);
  }

  FrameSlots take() {
    FrameSlots result;
    if (!known_ || frames_ != 1 || exposed_) return result;
    std::map<std::int64_t, std::size_t> numbers;
    for (const auto& [offset, used] : used_) {
      if (offset >= 0 || used.differently || overlapped(offset) || result.slots.size() == most_slots) continue;
      numbers[offset] = result.slots.size();
      result.slots.push_back({offset, used.size});
    }
    for (const auto& [at, offset] : read_by_hook_) {
      if (numbers.contains(offset)) result.read_by_hook[at] = numbers[offset];
    }
    return result;
  }

 private:
  bool go_on() {
    if (decoder_.returns()) return true;
    if (!decoder_.jumps()) {
      open_.push_back(decoder_.next());
      return true;
    }
    const std::uintptr_t target = decoder_.target();
    if (target == 0) return false;
    open_.push_back(target);
    if (decoder_.id() != X86_INS_JMP) open_.push_back(decoder_.next());
    return true;
  }

  /// Registers that hold the address of one slot wherever they hold anything.
  void look_for_addresses(std::uintptr_t at) {
    decoder_.read(at);
    if (decoder_.id() == X86_INS_POP || decoder_.id() == X86_INS_LEAVE) return;
    for (unsigned i = 0; i < decoder_.x86().op_count; ++i) {
      const cs_x86_op& operand = decoder_.operand(i);
      if (operand.type != X86_OP_REG || !(operand.access & CS_AC_WRITE)) continue;
      const int reg = preserved_register(operand.reg);
      if (reg < 0) continue;
      if (reg == frame_pointer) {
        const bool frame = decoder_.id() == X86_INS_MOV && decoder_.operand(1).type == X86_OP_REG &&
                           decoder_.operand(1).reg == X86_REG_RSP;
        frames_ += frame ? 1 : 2;
      }
      const auto offset = lea_of_frame();
      std::optional<std::int64_t>& held = held_[static_cast<std::size_t>(reg)];
      held = written_[static_cast<std::size_t>(reg)]++ == 0 ? offset : std::nullopt;
    }
  }

  std::optional<std::int64_t> lea_of_frame() const {
    if (decoder_.id() != X86_INS_LEA || decoder_.operand(0).size != 8) return std::nullopt;
    const x86_op_mem& mem = decoder_.operand(1).mem;
    if (mem.base != X86_REG_RBP || mem.index != X86_REG_INVALID) return std::nullopt;
    return mem.disp;
  }

  std::optional<std::int64_t> address_in(unsigned reg) const {
    const int number = preserved_register(reg);
    return number < 0 ? std::nullopt : held_[static_cast<std::size_t>(number)];
  }

  void look_at(std::uintptr_t at) {
    decoder_.read(at);
    const unsigned id = decoder_.id();
    if (id == X86_INS_PUSH || id == X86_INS_POP || id == X86_INS_LEAVE || id == X86_INS_NOP) return;
    if (const auto offset = lea_of_frame()) {
      const bool held = address_in(decoder_.operand(0).reg).has_value();
      if (!held) hand_over(at, decoder_.operand(0).reg, *offset);
      return;
    }
    if (id == X86_INS_MOV && decoder_.operand(0).type == X86_OP_REG && decoder_.operand(1).type == X86_OP_REG) {
      if (const auto offset = address_in(decoder_.operand(1).reg))
        return hand_over(at, decoder_.operand(0).reg, *offset);
    }
    for (unsigned i = 0; i < decoder_.x86().op_count; ++i) look_at_operand(decoder_.operand(i), id);
  }

  void look_at_operand(const cs_x86_op& operand, unsigned id) {
    if (operand.type == X86_OP_REG) {
      if (operand.reg == X86_REG_RSP && id != X86_INS_MOV && id != X86_INS_ADD && id != X86_INS_SUB &&
          id != X86_INS_AND)
        exposed_ = true;
      if (!(operand.access & CS_AC_READ)) return;
      if (preserved_register(operand.reg) == frame_pointer) exposed_ = true;
      if (operand.reg == X86_REG_RSP && id == X86_INS_MOV &&
          preserved_register(decoder_.operand(0).reg) != frame_pointer)
        exposed_ = true;
      if (address_in(operand.reg)) exposed_ = true;
    } else if (operand.type == X86_OP_MEM) {
      const x86_op_mem& mem = operand.mem;
      if (mem.base == X86_REG_RSP || mem.index == X86_REG_RBP) exposed_ = true;
      for (const unsigned reg : {unsigned{mem.base}, unsigned{mem.index}}) {
        if (address_in(reg)) exposed_ = true;
      }
      if (mem.base != X86_REG_RBP) return;
      if (mem.index != X86_REG_INVALID || id == X86_INS_LEA) {
        exposed_ = true;
        return;
      }
      use(mem.disp, operand.size);
    }
  }

  /// The address of a slot goes into a register. It must be for a hook.
  void hand_over(std::uintptr_t at, unsigned reg, std::int64_t offset) {
    const bool first = reg == X86_REG_RDI, second = reg == X86_REG_RSI;
    if (!first && !second) {
      exposed_ = true;
      return;
    }
    for (unsigned steps = 0; steps < 8 && decoder_.read(decoder_.next()); ++steps) {
      if (decoder_.calls()) {
        Decoder behind;
        const AccessHook* const hook = hook_at(decoder_.called(behind));
        if (!hook || (hook->kind == AccessHook::Kind::compare_exchange) != second) break;
        use(offset, hook->size);
        if (hook->kind != AccessHook::Kind::write) read_by_hook_[at] = offset;
        return;
      }
      if (decoder_.jumps() || decoder_.returns()) break;
      const auto* const operands = decoder_.x86().operands;
      if (std::any_of(operands, operands + decoder_.x86().op_count,
                      [&](const cs_x86_op& o) { return mentions(o, first); }))
        break;
    }
    exposed_ = true;
  }

  void use(std::int64_t offset, unsigned size) {
    const auto [entry, fresh] = used_.try_emplace(offset, Used{size, false});
    if (fresh || entry->second.size == size) return;
    entry->second = {std::max(entry->second.size, size), true};
  }

  bool overlapped(std::int64_t offset) const {
    const std::int64_t end = offset + used_.at(offset).size;
    return std::any_of(used_.begin(), used_.end(), [&](const auto& other) {
      return other.first != offset && other.first < end && offset < other.first + other.second.size;
    });
  }

  Decoder decoder_;
  std::vector<std::uintptr_t> open_;
  std::set<std::uintptr_t> code_;
  bool known_ = true;    // all of its code
  unsigned frames_ = 0;  // 1: rbp is the frame pointer
  std::array<std::optional<std::int64_t>, 6> held_;
  std::array<unsigned, 6> written_{};
  struct Used {
    unsigned size;
    bool differently;  // in several sizes
  };
  std::map<std::int64_t, Used> used_;  // of the frame, by offset
  std::map<std::uintptr_t, std::int64_t> read_by_hook_;
  /// An address goes where nobody sees it. How far others get from there, in a larger variable or around it, cannot be
  /// seen.
  bool exposed_ = false;
};

}  // namespace

void know_access_hooks(std::span<const AccessHook> hooks) { access_hooks().assign(hooks.begin(), hooks.end()); }

FrameSlots frame_slots(std::uintptr_t function) { return function == 0 ? FrameSlots{} : Function(function).take(); }

}  // namespace muster
