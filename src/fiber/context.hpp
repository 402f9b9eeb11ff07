#pragma once
// A context is a stack together with thread-local storage of its own: what a model thread runs on.
//
// Both come from a parked kernel thread, the donor. In fiber mode the one working kernel thread jumps onto the donor's
// stack, below the parked frame, and sets its FS base to the donor's, so that thread_local, errno and exceptions behave
// as on a real thread. In kernel mode (processors or tools without a settable FS base) the donor itself runs, one at a
// time, handed a baton.

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" {
void muster_switch_stacks(void** from, void* to, std::uint64_t fs_base);
void muster_save_stack(void** from, void (*copy)(void*), void (*go_on)(void*), void* argument);
}

namespace muster {

enum class ContextMode : std::uint8_t { fiber, kernel };

/// Fiber mode where the processor and the kernel allow it, unless MUSTER_THREADS=kernel asks otherwise.
ContextMode preferred_context_mode();

class Context {
 public:
  using Entry = void (*)(void*);

  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Abandons whatever ran here (nothing is unwound), gives thread-locals their first values, and runs
  /// `entry(argument)` at the next switch. The entry must not return.
  void prepare(Entry entry, void* argument);

  /// Leaves `from`, the running context, and goes on in `to`. Returns when somebody switches back.
  static void switch_to(Context& from, Context& to) {
    if (to.mode_ == ContextMode::kernel) [[unlikely]]
      return hand_over(from, to);
    muster_switch_stacks(&from.saved_, to.saved_, to.fs_base_);
  }

  /// Fiber mode: calls `copy(argument)`, during which `running`, the running context, is what a switch to it would
  /// find: `stack_in_use` is all of its stack that matters. Then `go_on(argument)` returns in its place. Whoever puts
  /// that stack back and switches here makes it return at once.
  static void save(Context& running, void (*copy)(void*), void (*go_on)(void*), void* argument) {
    muster_save_stack(&running.saved_, copy, go_on, argument);
  }

  /// Fiber mode: the stack of a context that does not run; where it ends when it is put back.
  std::span<std::byte> stack_in_use() const { return {static_cast<std::byte*>(saved_), stack_high_}; }
  void* stack_pointer() const { return saved_; }
  void set_stack_pointer(void* pointer) { saved_ = pointer; }

  /// Its thread-local variables, except those of libraries that keep theirs.
  const std::vector<std::span<std::byte>>& thread_locals() const { return kept_thread_locals_; }
  /// The one of libc's that is the program's as well: errno.
  int& error_number() const { return *error_number_; }

  /// What pthread_self() gives on this context.
  unsigned long handle() const { return handle_; }

  std::byte* stack_low() const { return stack_low_; }
  std::byte* stack_high() const { return stack_high_; }

  std::uint64_t thread_locals_hash() const;

 private:
  friend class ContextPool;
  struct TlsBlock {
    std::byte* address;
    const std::byte* image;
    std::size_t image_size, size;
    bool lasts;  // from execution to execution
  };
  enum Baton : int { parked, running, abandon };

  Context() = default;
  void become_donor();
  void serve();
  void find_thread_locals();
  bool keeps_thread_locals(std::string_view library) const;
  void reset_thread_locals();
  static void hand_over(Context& from, Context& to);
  void pass_baton(int baton);
  void await_baton();
  static void* donor_main(void* self);

  void* saved_ = nullptr;  // fiber mode: the saved stack pointer
  std::uint64_t fs_base_ = 0;
  unsigned long handle_ = 0;
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  std::byte* stack_low_ = nullptr;
  std::size_t colour_ = 0;                                   // how far below the top the stack begins
  std::byte* stack_high_ = nullptr;                          // just below the donor's parked frame
  const std::vector<std::string>* own_libraries_ = nullptr;  // of the pool
  std::vector<TlsBlock> thread_locals_;
  std::vector<std::span<std::byte>> kept_thread_locals_;
  int* error_number_ = nullptr;
  ContextMode mode_ = ContextMode::fiber;
  bool used_ = false;  // kernel mode: the donor is somewhere inside an entry
  int baton_ = parked;
  int ready_ = 0;
  std::jmp_buf base_;
};

/// The contexts of one worker. Made after the fork: donors do not survive it.
class ContextPool {
 public:
  /// Stacks are carved out of `memory`, `stack_size` bytes each, a guard page below each.
  ContextPool(ContextMode mode, std::byte* memory, std::size_t stack_size);

  /// Libraries, by path, that the runtime uses and the program does not: their thread-locals are not the program's. To
  /// be told before there is a context.
  void set_own_libraries(std::vector<std::string> paths) { own_libraries_ = std::move(paths); }

  Context& host() { return *host_; }
  Context& operator[](unsigned i);
  ContextMode mode() const { return mode_; }

 private:
  ContextMode mode_;
  std::byte* memory_;
  std::size_t stack_size_;
  std::vector<std::string> own_libraries_;
  std::unique_ptr<Context> host_;
  std::vector<std::unique_ptr<Context>> contexts_;
};

}  // namespace muster
