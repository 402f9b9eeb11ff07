// What the kernel tells a worker: faults of user code, first writes to protected globals, and calls that escaped every interposer.

#include "instrument/faults.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "instrument/control.hpp"
#include "instrument/hook.hpp"
#include "instrument/modules.hpp"

namespace muster {
namespace {

/// Runs on an alternate stack: the fault may be that there is no stack left.
void on_fault(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && engine && engine->restorer().first_write(info->si_addr)) return;
  if (engine) {
    const auto pc = static_cast<SiteId>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
    engine->note_fault(pc + 1, reinterpret_cast<std::uintptr_t>(info->si_addr));
  }
  // The instruction runs again and ends the process with this signal: the parent tells the rest from the journal.
  ::signal(signal, SIG_DFL);
}

// What the filter says about a trapped call.
constexpr int sleeps = 1;
constexpr int changes_the_world = 2;

/// Makes a trapped call after all. Code of this library may.
long make_call(const greg_t* registers) {
  long result = registers[REG_RAX];
  register long fourth asm("r10") = registers[REG_R10];
  register long fifth asm("r8") = registers[REG_R8];
  register long sixth asm("r9") = registers[REG_R9];
  asm volatile("syscall"
               : "+a"(result)
               : "D"(registers[REG_RDI]), "S"(registers[REG_RSI]), "d"(registers[REG_RDX]), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}

void on_escaped_call(int, siginfo_t* info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (info->si_errno == changes_the_world) {
    if (engine && (controlled || uncontrolled_part.under_way)) engine->left_traces();
    registers[REG_RAX] = info->si_syscall;
    registers[REG_RAX] = make_call(registers);
    return;
  }
  const auto pc = static_cast<SiteId>(registers[REG_RIP]);
  if (engine) engine->note_escaped_call(pc, info->si_syscall);
  ::signal(SIGSYS, SIG_DFL);
  raise(SIGKILL);
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, field))

}  // namespace

void catch_faults() {
  static std::byte* stack = nullptr;
  constexpr std::size_t size = 64 << 10;
  if (!stack) stack = static_cast<std::byte*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const stack_t alternate{stack, 0, size};
  sigaltstack(&alternate, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
}

namespace {

// Calls that sleep. A futex call sleeps only if it waits.
constexpr int sleeping_calls[] = {SYS_nanosleep, SYS_clock_nanosleep, SYS_pause, SYS_ppoll, SYS_pselect6, SYS_epoll_pwait};

// Calls that leave nothing behind, or that cannot be made from a signal handler in somebody else's place: signals, new processes, ends.
constexpr int harmless_calls[] = {
    SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_time,
    SYS_getcpu, SYS_getrusage, SYS_times, SYS_sched_getaffinity, SYS_sysinfo, SYS_uname, SYS_mprotect, SYS_madvise, SYS_membarrier, SYS_rseq,
    SYS_set_robust_list, SYS_set_tid_address, SYS_arch_prctl, SYS_prctl, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_rt_sigpending, SYS_sigaltstack, SYS_tgkill, SYS_tkill, SYS_kill, SYS_clone, SYS_clone3, SYS_fork, SYS_vfork, SYS_execve, SYS_wait4,
    SYS_waitid, SYS_exit, SYS_exit_group, SYS_restart_syscall};

/// The filter: calls of this library's own code pass, the others are told apart by their number.
std::vector<sock_filter> escaped_calls_filter(std::uintptr_t begin, std::uintptr_t end) {
  constexpr std::size_t ip = offsetof(seccomp_data, instruction_pointer);
  const auto low = [](std::uintptr_t address) { return static_cast<std::uint32_t>(address); };
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_filter trap_sleep = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | sleeps);
  std::vector<sock_filter> filter = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      allow,
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low(begin >> 32), 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(begin), 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(end), 1, 0),
      allow,
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 6),
      LOAD(args[1]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, static_cast<std::uint32_t>(FUTEX_CMD_MASK)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAIT_BITSET, 0, 1),
      trap_sleep,
      allow,
  };
  const auto answer = [&filter](std::span<const int> calls, const sock_filter& with) {
    for (const int call : calls) {
      filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
      filter.push_back(with);
    }
  };
  answer(sleeping_calls, trap_sleep);
  answer(harmless_calls, allow);
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | changes_the_world));
  return filter;
}

}  // namespace

/// A thread that sleeps in the kernel would hang the search silently. Only the runtime itself may do so: it is told by its code address.
bool catch_escaped_calls() {
  std::uintptr_t begin = 0, end = 0;
  const auto own = reinterpret_cast<std::uintptr_t>(&catch_escaped_calls);
  for (const Module& module : loaded_modules()) {
    if (own < module.begin || own >= module.end) continue;
    begin = module.begin;
    end = module.end;
  }
  if (begin >> 32 != end >> 32) return false;  // the filter compares halves: leave the net out rather than catch ourselves
  std::vector<sock_filter> filter = escaped_calls_filter(begin, end);
  struct sigaction action {};
  action.sa_sigaction = on_escaped_call;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSYS, &action, nullptr);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace muster
