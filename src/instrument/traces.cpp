#include "instrument/traces.hpp"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "instrument/control.hpp"
#include "instrument/hook.hpp"
#include "instrument/modules.hpp"
#include "instrument/rare_states.hpp"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

extern "C" void muster_end_signal();
asm(R"(
.pushsection .text
.hidden muster_end_signal
.type muster_end_signal, @function
  nop  # unwinders look for what comes before a return address: it must be nobody's
muster_end_signal:
  movq $15, %rax  # rt_sigreturn; debuggers know a signal's frame by these very instructions
  syscall
.size muster_end_signal, . - muster_end_signal
.popsection
)");

namespace muster {

// ---- calls to the kernel ----

namespace {

// Calls that only look.
constexpr int looking_calls[] = {SYS_sched_yield, SYS_getpid,        SYS_gettid,           SYS_getppid,      SYS_getuid,
                                 SYS_geteuid,     SYS_getgid,        SYS_getegid,          SYS_time,         SYS_getcpu,
                                 SYS_getrusage,   SYS_clock_gettime, SYS_clock_getres,     SYS_gettimeofday, SYS_times,
                                 SYS_sysinfo,     SYS_uname,         SYS_sched_getaffinity};

// Calls that cannot be made in somebody else's place: they concern the stack, the signals or the life of whoever makes
// them.
constexpr int own_calls[] = {SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigsuspend, SYS_sigaltstack,
                             SYS_clone,        SYS_clone3,         SYS_fork,          SYS_vfork,
                             SYS_execve,       SYS_execveat,       SYS_exit,          SYS_restart_syscall};

template <class List>
bool is_one_of(const List& list, int call) {
  return std::find(std::begin(list), std::end(list), call) != std::end(list);
}

/// What a program prints while it is explored is seen by nobody.
bool leaves_nothing(int call, const greg_t* registers) {
  if (call == SYS_write || call == SYS_writev)
    return registers[REG_RDI] == STDOUT_FILENO || registers[REG_RDI] == STDERR_FILENO;
  return is_one_of(looking_calls, call);
}

long make_call(const greg_t* registers, long call) {
  long result = call;
  register long fourth asm("r10") = registers[REG_R10];
  register long fifth asm("r8") = registers[REG_R8];
  register long sixth asm("r9") = registers[REG_R9];
  asm volatile("syscall"
               : "+a"(result)
               : "D"(registers[REG_RDI]), "S"(registers[REG_RSI]), "d"(registers[REG_RDX]), "r"(fourth), "r"(fifth),
                 "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}

}  // namespace

bool can_notice_calls() {
  const auto own = reinterpret_cast<std::uintptr_t>(&can_notice_calls);
  for (const Module& module : loaded_modules()) {
    if (own - module.begin < module.end - module.begin)
      return prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, module.begin, module.end - module.begin,
                   &calls_are_noticed) == 0;
  }
  return false;
}

void on_noticed_call(const siginfo_t& info, void* context) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const int call = info.si_syscall;
  const bool of_program = controlled || uncontrolled_part.under_way;
  if (leaves_nothing(call, registers) || (!of_program && !is_one_of(own_calls, call))) {
    registers[REG_RAX] = make_call(registers, call);
    if (registers[REG_RAX] != -EFAULT)
      return;  // the kernel may have met a page that is protected to see who writes there
  }
  calls_are_noticed = 0;
  engine->going_back().left_traces();
  constexpr int length_of_instruction = 2;
  registers[REG_RIP] -= length_of_instruction;  // nobody notices it now
  registers[REG_RAX] = call;
}

void handle_signal(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  } const action{handler, static_cast<unsigned long>(flags) | SA_SIGINFO | 0x04000000 /* SA_RESTORER */,
                 muster_end_signal, 0};
  syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask);
}

// ---- what the C library remembers from call to call ----

namespace {

std::array<std::uint32_t, max_threads> left;  // by each thread, in this execution

}  // namespace

void leave_trace() {
  if (!controlled && !uncontrolled_part.under_way) return;
  engine->going_back().left_traces();
  begin_use(RareUse::traces);
  engine->reduction().notice(++left[engine->current().id]);
}

void forget_traces() { left.fill(0); }

std::uint64_t traces_hash(ThreadId thread) { return left[thread]; }

#define MUSTER_LEAVES_TRACE(result, name, parameters, arguments) \
  MUSTER_HOOK result name parameters noexcept {                  \
    leave_trace();                                               \
    return MUSTER_REAL(name) arguments;                          \
  }

MUSTER_LEAVES_TRACE(char*, strtok, (char* text, const char* separators), (text, separators))
MUSTER_LEAVES_TRACE(char*, setlocale, (int category, const char* locale), (category, locale))
MUSTER_LEAVES_TRACE(int, setenv, (const char* name, const char* value, int replace), (name, value, replace))
MUSTER_LEAVES_TRACE(int, unsetenv, (const char* name), (name))
MUSTER_LEAVES_TRACE(int, putenv, (char* text), (text))
MUSTER_LEAVES_TRACE(int, clearenv, (), ())
MUSTER_LEAVES_TRACE(tm*, localtime, (const time_t* time), (time))
MUSTER_LEAVES_TRACE(tm*, gmtime, (const time_t* time), (time))
MUSTER_LEAVES_TRACE(char*, asctime, (const tm* time), (time))
MUSTER_LEAVES_TRACE(char*, ctime, (const time_t* time), (time))

/// The standard library changes the locale around conversions of its own, and back.
MUSTER_HOOK locale_t uselocale(locale_t locale) noexcept {
  if (is_watched_code(MUSTER_SITE)) leave_trace();
  return MUSTER_REAL(uselocale)(locale);
}

}  // namespace muster
