// The allocator family. While user code is under control its allocations come from the test heap; those of libc, the
// loader and the runtime never do, since they outlive an execution. What is freed tells by its address where it came
// from.

#include <errno.h>
#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "instrument/control.hpp"
#include "instrument/hook.hpp"
#include "instrument/modules.hpp"

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace muster {

UncontrolledPart uncontrolled_part;

namespace {

std::vector<void*> opaque_blocks;

bool from_test_heap(SiteId site) {
  if (!controlled) return false;
  const bool of_program = test_heap_in_use && !is_system_code(site);
  if (!of_program)
    engine->going_back().left_traces();  // blocks of the real heap that come and go in an execution are not put back
  return of_program;
}

/// What the real heap asks of the kernel is none of the program's doing.
template <class Call>
auto on_real_heap(Call call) {
  const OwnWork work;
  return call();
}

/// A block of the real heap, which an uncontrolled part of an execution has to give back before it ends.
void* noted(void* block) {
  if (uncontrolled_part.under_way) [[unlikely]]
    uncontrolled_part.blocks += reinterpret_cast<std::uintptr_t>(block);
  return block;
}
void given_back(void* block) {
  if (uncontrolled_part.under_way) [[unlikely]]
    uncontrolled_part.blocks -= reinterpret_cast<std::uintptr_t>(block);
}

/// In the warm-up.
void* kept(void* block, SiteId site) {
  if (controlled && !test_heap_in_use && is_opaque_code(site)) on_real_heap([&] { opaque_blocks.push_back(block); });
  return noted(block);
}
void no_longer_kept(void* block) {
  if (!opaque_blocks.empty()) [[unlikely]]
    std::erase(opaque_blocks, block);
}

/// Whether blocks are only freed by the counterpart of what allocated them: where a program brings operators of its
/// own, one of them may end in one of these.
bool counterparts_free = true;
Allocator told(Allocator allocator) { return counterparts_free ? allocator : Allocator::malloc; }

void* allocate(std::size_t size, std::size_t alignment, Allocator allocator, SiteId site) {
  if (!from_test_heap(site))
    return kept(on_real_heap([&] { return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size); }),
                site);
  void* block = engine->heap().allocate(size, alignment, told(allocator), site);
  if (!block) errno = ENOMEM;
  return block;
}

bool is_stack_or_global(const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  return Arena::contains(place) ? !Arena::in_heap(place) : engine->surroundings().restores(address);
}

/// Stacks and globals never came from an allocator, and no block begins between two multiples of 16; libc would abort
/// over them without saying who.
bool is_no_block(const void* block) {
  return reinterpret_cast<std::uintptr_t>(block) % 16 != 0 || is_stack_or_global(block);
}

/// What else it aborts over is told at this place.
void give_to_libc(void* block, SiteId site) {
  if (!controlled) return on_real_heap([&] { __libc_free(block); });
  engine->going_back().left_traces();
  engine->journal().note_fault(site, reinterpret_cast<std::uintptr_t>(block));
  on_real_heap([&] { __libc_free(block); });
  engine->journal().note_fault(0, 0);
}

void release(void* block, Allocator allocator, SiteId site) {
  if (!Arena::in_heap(reinterpret_cast<std::uintptr_t>(block))) {
    if (controlled && is_no_block(block)) engine->heap().deallocate(block, told(allocator), site);
    given_back(block);
    no_longer_kept(block);
    return give_to_libc(block, site);
  }
  // A block of an execution that is over, freed by something that outlived it, is gone already.
  if (controlled) engine->heap().deallocate(block, told(allocator), site);
}

void* reallocate(void* old, std::size_t size, Allocator allocator, SiteId site) {
  if (!Arena::in_heap(reinterpret_cast<std::uintptr_t>(old))) {
    if (!from_test_heap(site)) {
      given_back(old);
      no_longer_kept(old);
      return kept(on_real_heap([&] { return __libc_realloc(old, size); }), site);
    }
    if (old) {
      engine->going_back().left_traces();
      return on_real_heap([&] { return __libc_realloc(old, size); });
    }
    return allocate(size, 16, allocator, site);
  }
  if (size == 0) {  // as in glibc: the block is freed, and there is no other
    release(old, allocator, site);
    return nullptr;
  }
  void* fresh = allocate(size, 16, allocator, site);
  if (!fresh) return nullptr;
  if (const TestHeap::Block* block = controlled ? engine->heap().blocks().block(old) : nullptr) {
    std::memcpy(fresh, old, std::min<std::size_t>(block->size, size));
  }
  release(old, allocator, site);
  return fresh;
}

void* allocate_zeros(std::size_t count, std::size_t size, Allocator allocator, SiteId site) {
  if (!from_test_heap(site)) return kept(on_real_heap([&] { return __libc_calloc(count, size); }), site);
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* block = allocate(total, 16, allocator, site);
  return block ? std::memset(block, 0, total) : nullptr;
}

int allocate_aligned(void** out, std::size_t alignment, std::size_t size, Allocator allocator, SiteId site) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* block = allocate(size, alignment, allocator, site);
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment, Allocator allocator, SiteId site) {
  if (void* block = allocate(size, alignment, allocator, site)) return block;
  throw std::bad_alloc();
}

}  // namespace

void let_any_free() { counterparts_free = false; }

bool opaque_blocks_last() { return !opaque_blocks.empty(); }

MUSTER_HOOK void* malloc(std::size_t size) { return allocate(size, 16, Allocator::malloc, MUSTER_SITE); }
MUSTER_HOOK void* calloc(std::size_t count, std::size_t size) {
  return allocate_zeros(count, size, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK void* realloc(void* old, std::size_t size) { return reallocate(old, size, Allocator::malloc, MUSTER_SITE); }
MUSTER_HOOK void* reallocarray(void* old, std::size_t count, std::size_t size) noexcept {
  std::size_t total = 0;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(old, total, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK void free(void* block) {
  if (block) release(block, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK void cfree(void* block) {
  if (block) release(block, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK void* memalign(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK void* valloc(std::size_t size) { return allocate(size, 4096, Allocator::malloc, MUSTER_SITE); }
MUSTER_HOOK void* pvalloc(std::size_t size) {
  return allocate((size + 4095) & ~std::size_t{4095}, 4096, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  return allocate_aligned(out, alignment, size, Allocator::malloc, MUSTER_SITE);
}
MUSTER_HOOK std::size_t malloc_usable_size(void* block) {
  if (!block) return 0;
  if (Arena::in_heap(reinterpret_cast<std::uintptr_t>(block))) {
    const TestHeap::Block* found = engine->heap().blocks().block(block);
    return found ? found->size : 0;
  }
  return MUSTER_REAL(malloc_usable_size)(block);
}

// TBB's allocator, for programs that link or call it by name: its memory would not be rewound.
MUSTER_HOOK void* scalable_malloc(std::size_t size) { return allocate(size, 16, Allocator::scalable, MUSTER_SITE); }
MUSTER_HOOK void* scalable_calloc(std::size_t count, std::size_t size) {
  return allocate_zeros(count, size, Allocator::scalable, MUSTER_SITE);
}
MUSTER_HOOK void* scalable_realloc(void* old, std::size_t size) {
  return reallocate(old, size, Allocator::scalable, MUSTER_SITE);
}
MUSTER_HOOK void scalable_free(void* block) {
  if (block) release(block, Allocator::scalable, MUSTER_SITE);
}
MUSTER_HOOK void* scalable_aligned_malloc(std::size_t size, std::size_t alignment) {
  return allocate(size, alignment, Allocator::scalable, MUSTER_SITE);
}
MUSTER_HOOK void scalable_aligned_free(void* block) {
  if (block) release(block, Allocator::scalable, MUSTER_SITE);
}
MUSTER_HOOK int scalable_posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  return allocate_aligned(out, alignment, size, Allocator::scalable, MUSTER_SITE);
}
MUSTER_HOOK std::size_t scalable_msize(void* block) { return malloc_usable_size(block); }

}  // namespace muster

// libstdc++'s operators call malloc and would hide who allocates: these know their caller.
#define MUSTER_OPERATOR __attribute__((visibility("default")))
#define MUSTER_CALLER reinterpret_cast<::muster::SiteId>(__builtin_return_address(0))

MUSTER_OPERATOR void* operator new(std::size_t size) {
  return muster::allocate_or_throw(size, 16, muster::Allocator::object, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new[](std::size_t size) {
  return muster::allocate_or_throw(size, 16, muster::Allocator::array, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return muster::allocate(size, 16, muster::Allocator::object, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return muster::allocate(size, 16, muster::Allocator::array, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new(std::size_t size, std::align_val_t a) {
  return muster::allocate_or_throw(size, static_cast<std::size_t>(a), muster::Allocator::aligned_object, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new[](std::size_t size, std::align_val_t a) {
  return muster::allocate_or_throw(size, static_cast<std::size_t>(a), muster::Allocator::aligned_array, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return muster::allocate(size, static_cast<std::size_t>(a), muster::Allocator::aligned_object, MUSTER_CALLER);
}
MUSTER_OPERATOR void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept {
  return muster::allocate(size, static_cast<std::size_t>(a), muster::Allocator::aligned_array, MUSTER_CALLER);
}
#define MUSTER_DELETE(single, many, ...)                                                    \
  MUSTER_OPERATOR void operator delete(void* block __VA_OPT__(, ) __VA_ARGS__) noexcept {   \
    if (block) muster::release(block, muster::Allocator::single, MUSTER_CALLER);            \
  }                                                                                         \
  MUSTER_OPERATOR void operator delete[](void* block __VA_OPT__(, ) __VA_ARGS__) noexcept { \
    if (block) muster::release(block, muster::Allocator::many, MUSTER_CALLER);              \
  }
MUSTER_DELETE(object, array)
MUSTER_DELETE(object, array, std::size_t)
MUSTER_DELETE(object, array, const std::nothrow_t&)
MUSTER_DELETE(aligned_object, aligned_array, std::align_val_t)
MUSTER_DELETE(aligned_object, aligned_array, std::size_t, std::align_val_t)
MUSTER_DELETE(aligned_object, aligned_array, std::align_val_t, const std::nothrow_t&)
