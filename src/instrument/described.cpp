#include "instrument/described.hpp"

#include <cstring>

#include "instrument/hook.hpp"
#include "instrument/library_accesses.hpp"
#include "instrument/modules.hpp"

namespace muster {

MUSTER_HOOK void* muster_original(const char* name) {
  const OwnWork work;
  return dlsym(RTLD_DEFAULT, name);
}

namespace {

std::size_t bytes_of(const Deed& deed, const std::uintptr_t* arguments) {
  switch (deed.extent) {
    case Deed::Extent::size:
      return deed.size;
    case Deed::Extent::counted:
      return deed.size * arguments[deed.other];
    case Deed::Extent::until:
      return arguments[deed.other] - arguments[deed.argument];
    case Deed::Extent::text:
      return std::strlen(reinterpret_cast<const char*>(arguments[deed.argument])) + 1;
    case Deed::Extent::as_many:
      return (arguments[deed.other] - arguments[deed.begin]) / deed.unit * deed.size;
    case Deed::Extent::behind:
      return deed.size;
  }
  return 0;
}

void tell(const Deed& deed, const std::uintptr_t* arguments, SiteId site) {
  if (deed.kind == Deed::Kind::none || arguments[deed.argument] == 0) return;
  const auto* begin = reinterpret_cast<const void*>(arguments[deed.argument]);
  if (deed.extent == Deed::Extent::behind) begin = *static_cast<const void* const*>(begin);
  if (!begin) return;
  library_access(begin, bytes_of(deed, arguments), deed.kind == Deed::Kind::writes, site);
}

void* original_of(const Described& function) {
  return function.in_runtime ? reinterpret_cast<void*>(next_named<void()>(function.name))
                             : muster_original(function.name);
}

}  // namespace

extern "C" void* muster_tell_described(Described& function, const std::uintptr_t* arguments, SiteId site) {
  if (!function.original) function.original = original_of(function);
  if (function.in_runtime && !is_watched_code(site)) return function.original;
  for (const Deed& deed : function.deeds) tell(deed, arguments, site);
  return function.original;
}

// All registers that can carry arguments are as before when the original begins.
asm(R"(
  .pushsection .text
  .globl muster_call_described
  .type muster_call_described, @function
muster_call_described:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $192, %rsp
  movq %rdi, (%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  movq %r11, %rdi
  movq %rsp, %rsi
  movq 8(%rbp), %rdx
  call muster_tell_described
  movq %rax, %r11
  movq (%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  leave
  .cfi_def_cfa %rsp, 8
  jmp *%r11
  .cfi_endproc
  .size muster_call_described, .-muster_call_described
  .popsection
)");

}  // namespace muster
