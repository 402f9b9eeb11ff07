#include "fiber/context.hpp"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace muster {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t parked_frame =
    8192;  // what the donor may use below the frame that parks it: the futex call, signal frames

constexpr std::size_t colour_step =
    576;  // stacks lie a power of two apart: without this their tops would share a few cache lines

std::uint64_t read_fs_base() {
  std::uint64_t base;
  asm volatile("rdfsbase %0" : "=r"(base));
  return base;
}

// Every kernel-side futex call of ours goes through the raw instruction: `syscall` itself is interposed.
long raw_futex(int* word, int operation, int value) {
  long result;
  register long timeout asm("r10") = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(timeout)
               : "rcx", "r11", "memory");
  return result;
}

void wait_while(int* word, int value) {
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value) raw_futex(word, FUTEX_WAIT_PRIVATE, value);
}

void set_and_wake(int* word, int value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
  raw_futex(word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

}  // namespace

// What a context that does not run has on top of its stack, from the stack pointer up: control words of both
// floating-point units, the registers that a function must preserve, and where to go on. Control words are loaded only
// where they differ: that is slow, and nearly all threads leave them alone. The FS base is set here because no
// thread-local may be touched between that and the jump, and compilers move such accesses. It is a jump and no return,
// because the processor expects every return to go where the last call came from.
extern "C" void muster_enter_stack();

asm(R"(
.pushsection .text
.macro muster_push_frame
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r15, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
.endm
.macro muster_pop_frame
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  popq %r14
  .cfi_adjust_cfa_offset -8
  popq %r13
  .cfi_adjust_cfa_offset -8
  popq %r12
  .cfi_adjust_cfa_offset -8
  popq %rbx
  .cfi_adjust_cfa_offset -8
  popq %rbp
  .cfi_adjust_cfa_offset -8
.endm

.globl muster_switch_stacks
.hidden muster_switch_stacks
.type muster_switch_stacks, @function
muster_switch_stacks:
  .cfi_startproc
  wrfsbase %rdx
  muster_push_frame
  movq %rsp, (%rdi)
  movl (%rsp), %eax
  movzwl 4(%rsp), %ecx
  movq %rsi, %rsp
  cmpl %eax, (%rsp)
  jne 1f
  cmpw %cx, 4(%rsp)
  je 2f
1:
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
2:
  muster_pop_frame
  popq %rcx
  .cfi_adjust_cfa_offset -8
  jmpq *%rcx
  .cfi_endproc
.size muster_switch_stacks, . - muster_switch_stacks

.globl muster_save_stack
.hidden muster_save_stack
.type muster_save_stack, @function
muster_save_stack:
  .cfi_startproc
  muster_push_frame
  movq %rsp, (%rdi)
  movq %rdx, %r12
  movq %rcx, %rbx
  movq %rcx, %rdi
  call *%rsi
  movq %r12, %rax
  movq %rbx, %rdi
  muster_pop_frame
  jmpq *%rax
  .cfi_endproc
.size muster_save_stack, . - muster_save_stack

.hidden muster_enter_stack
.type muster_enter_stack, @function
muster_enter_stack:
  .cfi_startproc
  .cfi_undefined rip
  movq %rbx, %rdi
  call *%r12
  hlt
  .cfi_endproc
.size muster_enter_stack, . - muster_enter_stack
.popsection
)");

namespace {

struct Frame {
  std::uint32_t mxcsr;
  std::uint16_t x87;
  std::uint16_t unused;
  void *r15, *r14, *r13, *r12, *rbx, *rbp;
  void (*go_on)();
  void* end;  // where a return address would be: whoever walks the stack stops here
  void* alignment;
};
static_assert(sizeof(Frame) % 16 == 0);

/// A thread inherits the control words of the one that makes it.
Frame first_frame(void (*entry)(void*), void* argument) {
  Frame frame{};
  asm volatile("stmxcsr %0" : "=m"(frame.mxcsr));
  asm volatile("fnstcw %0" : "=m"(frame.x87));
  frame.r12 = reinterpret_cast<void*>(entry);
  frame.rbx = argument;
  frame.go_on = muster_enter_stack;
  return frame;
}

}  // namespace

ContextMode preferred_context_mode() {
  const char* asked = std::getenv("MUSTER_THREADS");
  if (asked && std::string_view(asked) == "kernel") return ContextMode::kernel;
#ifdef __x86_64__
  constexpr unsigned long fsgsbase = 2;  // HWCAP2_FSGSBASE: the kernel lets user code write the FS base
  return (getauxval(AT_HWCAP2) & fsgsbase) ? ContextMode::fiber : ContextMode::kernel;
#else
  return ContextMode::kernel;
#endif
}

/// Libraries whose thread-locals must survive: libc and the loader keep locale, allocator caches and their own state
/// there, and the runtime and what only it uses have nothing to do with the program.
bool Context::keeps_thread_locals(std::string_view library) const {
  for (const std::string_view name : {"/libc.so", "/ld-linux", "/libmuster", "linux-vdso"}) {
    if (library.find(name) != std::string_view::npos) return true;
  }
  return std::find(own_libraries_->begin(), own_libraries_->end(), library) != own_libraries_->end();
}

void Context::find_thread_locals() {
  struct Found {
    const Context& context;
    std::vector<TlsBlock> all;
  };
  Found found{*this, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* into) {
        Found& found = *static_cast<Found*>(into);
        for (int i = 0; info->dlpi_tls_data && i < info->dlpi_phnum; ++i) {
          const auto& header = info->dlpi_phdr[i];
          if (header.p_type != PT_TLS) continue;
          const auto* image = reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);
          found.all.push_back({static_cast<std::byte*>(info->dlpi_tls_data), image, header.p_filesz, header.p_memsz,
                               found.context.keeps_thread_locals(info->dlpi_name)});
        }
        return 0;
      },
      &found);
  std::sort(found.all.begin(), found.all.end(),
            [](const TlsBlock& a, const TlsBlock& b) { return a.address < b.address; });
  thread_locals_.clear();
  kept_thread_locals_.clear();
  // Those of several modules that nothing but padding lies between are passed as one.
  constexpr std::size_t most_padding = 16;
  bool follows = false;
  for (const TlsBlock& block : found.all) {
    if (!block.lasts) {
      thread_locals_.push_back(block);
      std::byte* const end = follows ? kept_thread_locals_.back().data() + kept_thread_locals_.back().size() : nullptr;
      if (follows && static_cast<std::size_t>(block.address - end) < most_padding) {
        std::byte* const begin = kept_thread_locals_.back().data();
        kept_thread_locals_.back() = {begin, block.address + block.size};
      } else {
        kept_thread_locals_.emplace_back(block.address, block.size);
      }
    }
    follows = !block.lasts;
  }
}

void Context::reset_thread_locals() {
  for (const TlsBlock& block : thread_locals_) {
    std::memcpy(block.address, block.image, block.image_size);
    std::memset(block.address + block.image_size, 0, block.size - block.image_size);
  }
  *error_number_ = 0;
}

std::uint64_t Context::thread_locals_hash() const {
  std::uint64_t hash = 0;
  for (const TlsBlock& block : thread_locals_) hash = hash_bytes({block.address, block.size}, hash);
  return hash;
}

namespace {

/// Handlers of faults need a stack of their own where the thread has used up its.
void provide_signal_stack() {
  constexpr std::size_t size = 64 << 10;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for the stack of a signal handler");
  const stack_t stack{memory, 0, size};
  sigaltstack(&stack, nullptr);
}

}  // namespace

void* Context::donor_main(void* self) {
  static_cast<Context*>(self)->become_donor();
  return nullptr;
}

void Context::become_donor() {
  sigset_t all;
  sigfillset(&all);
  if (mode_ == ContextMode::kernel) {
    for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS}) sigdelset(&all, fault);
    provide_signal_stack();
  }
  // The call itself: the function of this name is the program's, as model threads see it.
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, nullptr, _NSIG / 8);
  find_thread_locals();
  error_number_ = &errno;
  if (mode_ == ContextMode::fiber) {
    fs_base_ = read_fs_base();
    stack_high_ = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - parked_frame - colour_) & ~63ul);
    set_and_wake(&ready_, 1);
    for (;;) wait_while(&ready_, 1);
  }
  stack_high_ = static_cast<std::byte*>(__builtin_frame_address(0));
  set_and_wake(&ready_, 1);
  for (;;) serve();
}

/// Kernel mode: one model thread's life on this donor. Ends by a jump back to `base_` when the context is prepared
/// anew.
void Context::serve() {
  if (_setjmp(base_) != 0) set_and_wake(&baton_, parked);
  await_baton();
  entry_(argument_);
}

void Context::await_baton() {
  wait_while(&baton_, parked);
  if (__atomic_load_n(&baton_, __ATOMIC_ACQUIRE) == abandon) _longjmp(base_, 1);
}

void Context::pass_baton(int baton) { set_and_wake(&baton_, baton); }

void Context::prepare(Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  if (mode_ == ContextMode::kernel) {
    if (std::exchange(used_, false)) {
      pass_baton(abandon);
      wait_while(&baton_, abandon);
    }
  } else {
    auto* frame = reinterpret_cast<Frame*>(stack_high_) - 1;
    *frame = first_frame(entry, argument);
    saved_ = frame;
  }
  reset_thread_locals();
}

/// Kernel mode: a switch.
void Context::hand_over(Context& from, Context& to) {
  from.baton_ = parked;
  to.used_ = true;
  to.pass_baton(running);
  from.await_baton();
}

ContextPool::ContextPool(ContextMode mode, std::byte* memory, std::size_t stack_size)
    : mode_(mode), memory_(memory), stack_size_(stack_size), host_(new Context) {
  host_->mode_ = mode;
  if (mode == ContextMode::fiber) host_->fs_base_ = read_fs_base();
}

Context& ContextPool::operator[](unsigned i) {
  while (contexts_.size() <= i) {
    std::byte* low = memory_ + contexts_.size() * stack_size_;
    if (mprotect(low + page, stack_size_ - page, PROT_READ | PROT_WRITE) != 0)
      fail("no memory for the stack of a model thread");
    auto& made = contexts_.emplace_back(new Context);
    made->mode_ = mode_;
    made->own_libraries_ = &own_libraries_;
    made->stack_low_ = low + page;
    made->colour_ = contexts_.size() % 8 * colour_step;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, low + page, stack_size_ - page);
    pthread_t donor;
    const int error = pthread_create(&donor, &attributes, Context::donor_main, made.get());
    pthread_attr_destroy(&attributes);
    if (error != 0) fail("cannot create a kernel thread for a model thread: {}", std::strerror(error));
    made->handle_ = donor;
    wait_while(&made->ready_, 0);
  }
  return *contexts_[i];
}

}  // namespace muster
