// What the kernel tells a worker: faults of user code, first writes to protected globals, and calls that escaped every
// interposer.

#include "instrument/faults.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "instrument/escaped_calls.hpp"
#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/traces.hpp"
#include "instrument/watched_site.hpp"

#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2
#endif

namespace muster {
namespace {

// Of the fault that ends the execution under way.
struct Fault {
  int signal;
  SiteId site;
  std::uint64_t address;
} fault;
bool looking_for_site = false;  // a fault meanwhile is one of unwinding a broken stack

/// On the stack of the thread that did it, after the handler has returned.
[[noreturn]] void end_with_fault() {
  controlled = false;
  Incident crash{.kind = IncidentKind::crash,
                 .place = {.site = fault.site, .thread = engine->current().id, .kind = EventKind::start},
                 .earlier = {}};
  crash.signal = fault.signal;
  crash.address = fault.address;
  crash.say(strsignal(fault.signal));
  engine->outlive(crash);
}

/// Whether the process can go on without the execution: the program was at work, on a stack that has room left.
bool can_be_outlived(const gregset_t& registers) {
  constexpr std::uintptr_t room = 16 << 10;
  if (!controlled || !engine->options().outlive_faults) return false;
  const Context& context = *engine->current().context;
  const auto top = static_cast<std::uintptr_t>(registers[REG_RSP]);
  return top <= reinterpret_cast<std::uintptr_t>(context.stack_high()) &&
         top > reinterpret_cast<std::uintptr_t>(context.stack_low()) + room;
}

/// Lets the handler return into `end_with_fault`, as if the program had called it.
void leave_for_end(gregset_t& registers) {
  constexpr greg_t red_zone = 128, alignment = 16, direction_flag = 0x400;
  registers[REG_RSP] = ((registers[REG_RSP] - red_zone) & -alignment) - static_cast<greg_t>(sizeof(void*));
  registers[REG_RIP] = reinterpret_cast<greg_t>(&end_with_fault);
  registers[REG_EFL] &= ~direction_flag;
}

/// Runs on an alternate stack: the fault may be that there is no stack left.
void on_fault(int signal, siginfo_t* info, void* context) {
  const char noticed = calls_are_noticed;
  calls_are_noticed = 0;
  const gregset_t& at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto stack = static_cast<std::uintptr_t>(at[REG_RSP]);
  if (signal == SIGSEGV && ((engine && engine->surroundings().restorer().first_write(info->si_addr)) ||
                            is_way_to_other_code(static_cast<std::uintptr_t>(at[REG_RIP]), stack))) {
    calls_are_noticed = noticed;
    return;
  }
  if (engine && !std::exchange(looking_for_site, true)) {
    gregset_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const auto pc = static_cast<SiteId>(registers[REG_RIP]);
    const bool outlives = can_be_outlived(registers);
    fault = {signal, pc + 1, reinterpret_cast<std::uintptr_t>(info->si_addr)};
    engine->journal().note_fault(fault.site, fault.address);
    controlled = false;                 // what unwinding does is not the program's
    fault.site = watched_site(pc + 1);  // in the C library it was called from there
    looking_for_site = false;
    if (outlives) return leave_for_end(registers);
    engine->journal().note_fault(fault.site, fault.address);
  }
  // The instruction runs again and ends the process with this signal: the parent tells the rest from the journal.
  ::signal(signal, SIG_DFL);
}

void on_escaped_call(int, siginfo_t* info, void* context) {
  if (info->si_code == SYS_USER_DISPATCH) return on_noticed_call(*info, context);
  const auto pc = static_cast<SiteId>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  if (engine) engine->journal().note_escaped_call(pc, info->si_syscall);
  ::signal(SIGSYS, SIG_DFL);
  raise(SIGKILL);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, field))

}  // namespace

void catch_faults() {
  static std::byte* stack = nullptr;
  constexpr std::size_t size = 64 << 10;
  if (!stack)
    stack = static_cast<std::byte*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const stack_t alternate{stack, 0, size};
  sigaltstack(&alternate, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) handle_signal(signal, on_fault, SA_ONSTACK | SA_NODEFER);
}

/// A thread that sleeps in the kernel would hang the search silently. Only the runtime itself may do so: it is told by
/// its code address.
void catch_escaped_calls() {
  handle_signal(SIGSYS, on_escaped_call, SA_ONSTACK);  // noticed calls come there, too, with the net or without
  std::uint32_t high = 0, begin = 0, end = 0;
  for (const Module& module : loaded_modules()) {
    const auto own = reinterpret_cast<std::uintptr_t>(&catch_escaped_calls);
    if (own < module.begin || own >= module.end) continue;
    if (module.begin >> 32 != module.end >> 32)
      return;  // the filter compares halves: leave the net out rather than catch ourselves
    high = static_cast<std::uint32_t>(module.begin >> 32);
    begin = static_cast<std::uint32_t>(module.begin);
    end = static_cast<std::uint32_t>(module.end);
  }
  constexpr std::size_t ip = offsetof(seccomp_data, instruction_pointer);
  sock_filter filter[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, begin, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, end, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 5),
      LOAD(args[1]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, static_cast<std::uint32_t>(FUTEX_CMD_MASK)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT_BITSET, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_nanosleep, 6, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_nanosleep, 5, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pause, 4, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ppoll, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pselect6, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_epoll_pwait, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

}  // namespace muster
