// Exceptions that several threads hold: through std::exception_ptr, futures, and copies that share a message. The names
// are the compiler's own, hence the assembler labels.

#include <unwind.h>

#include <exception>
#include <stdexcept>
#include <system_error>

#include "instrument/hook.hpp"
#include "instrument/library_accesses.hpp"
#include "instrument/modules.hpp"
#include "instrument/shared_counts.hpp"

namespace muster {
namespace {

// ---- the object that was thrown ----

/// libstdc++ counts who holds an exception at the beginning of its header (unwind-cxx.h).
constexpr std::ptrdiff_t header_size = 128;

void give_up_exception(const void* thrown, SiteId site) {
  const auto* count = reinterpret_cast<const int*>(static_cast<const std::byte*>(thrown) - header_size);
  give_up_share(count, *count == 1, site);
}

constexpr _Unwind_Exception_Class thrown_here = 0x474e5543432b2b00;  // "GNUCC++\0"
constexpr _Unwind_Exception_Class thrown_again =
    thrown_here + 1;  // by rethrow_exception, for one that others hold, too

/// A header that only names the exception it stands for begins so far before what the unwinder knows of it.
constexpr std::ptrdiff_t header_before = 80;

/// The object behind what the unwinder knows; null if it is of another language.
const void* thrown_object(const _Unwind_Exception* exception) {
  if (exception->exception_class == thrown_here) return exception + 1;
  if (exception->exception_class != thrown_again) return nullptr;
  return *reinterpret_cast<const void* const*>(reinterpret_cast<const std::byte*>(exception) - header_before);
}

// ---- messages of logic_error and runtime_error ----

/// Copies share a string of the old kind, whose count tells how many others there are and lies before its characters.
struct Message {
  const void* table;
  const char* text;

  const int* count() const { return reinterpret_cast<const int*>(text) - 2; }
};

void give_up_message(const Message& message, SiteId site) {
  if (is_lasting(message.text)) return;  // the empty one
  give_up_share(message.count(), *message.count() <= 0, site);
}

void tell_read(const void* exception, SiteId site) {
  if (is_watched_code(site)) library_access(exception, sizeof(Message), false, site);
}
void tell_write(const void* exception, SiteId site) {
  if (is_watched_code(site)) library_access(exception, sizeof(Message), true, site);
}

// ---- what a filesystem_error holds: copies share it ----

struct FilesystemError {
  Message message;
  std::error_code code;
  const void* details;
  const struct Control {
    const void* table;
    int shares;
  } * control;
};

}  // namespace

// exception_ptr::_M_release()
MUSTER_NAMED(void, _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, (const void** pointer)) {
  static auto* const real = next_named<void(const void**)>("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
  if (*pointer) give_up_exception(*pointer, MUSTER_SITE);
  real(pointer);
}

// At the end of a handler.
MUSTER_HOOK void _Unwind_DeleteException(_Unwind_Exception* exception) {
  static auto* const real = next_named<void(_Unwind_Exception*)>("_Unwind_DeleteException");
  if (const void* const thrown = thrown_object(exception)) give_up_exception(thrown, MUSTER_SITE);
  real(exception);
}

// Destructors of complete objects and of bases, copies and assignments. What is derived from these two calls them.
#define MUSTER_DESTRUCTOR(name)                                  \
  MUSTER_NAMED(void, name, (Message * self)) {                   \
    static auto* const real = next_named<void(Message*)>(#name); \
    give_up_message(*self, MUSTER_SITE);                         \
    real(self);                                                  \
  }
#define MUSTER_COPY(name)                                                        \
  MUSTER_NAMED(void, name, (Message * self, const Message* other)) {             \
    static auto* const real = next_named<void(Message*, const Message*)>(#name); \
    tell_read(other, MUSTER_SITE);                                               \
    real(self, other);                                                           \
  }
#define MUSTER_ASSIGNMENT(name)                                                   \
  MUSTER_NAMED(void*, name, (Message * self, const Message* other)) {             \
    static auto* const real = next_named<void*(Message*, const Message*)>(#name); \
    tell_read(other, MUSTER_SITE);                                                \
    tell_write(self, MUSTER_SITE);                                                \
    if (self->text != other->text) give_up_message(*self, MUSTER_SITE);           \
    return real(self, other);                                                     \
  }
#define MUSTER_WHAT(name)                                                     \
  MUSTER_NAMED(const char*, name, (const Message* self)) {                    \
    static auto* const real = next_named<const char*(const Message*)>(#name); \
    tell_read(self, MUSTER_SITE);                                             \
    return real(self);                                                        \
  }

#define MUSTER_FILESYSTEM_ERROR(name)                                                \
  MUSTER_NAMED(void, name, (FilesystemError * self)) {                               \
    static auto* const real = next_named<void(FilesystemError*)>(#name);             \
    const auto* const control = self->control;                                       \
    if (control) give_up_share(&control->shares, control->shares == 1, MUSTER_SITE); \
    real(self);                                                                      \
  }

MUSTER_FILESYSTEM_ERROR(_ZNSt10filesystem7__cxx1116filesystem_errorD1Ev)
MUSTER_FILESYSTEM_ERROR(_ZNSt10filesystem7__cxx1116filesystem_errorD2Ev)
MUSTER_DESTRUCTOR(_ZNSt11logic_errorD1Ev)
MUSTER_DESTRUCTOR(_ZNSt11logic_errorD2Ev)
MUSTER_DESTRUCTOR(_ZNSt13runtime_errorD1Ev)
MUSTER_DESTRUCTOR(_ZNSt13runtime_errorD2Ev)
MUSTER_COPY(_ZNSt11logic_errorC1ERKS_)
MUSTER_COPY(_ZNSt11logic_errorC2ERKS_)
MUSTER_COPY(_ZNSt13runtime_errorC1ERKS_)
MUSTER_COPY(_ZNSt13runtime_errorC2ERKS_)
MUSTER_ASSIGNMENT(_ZNSt11logic_erroraSERKS_)
MUSTER_ASSIGNMENT(_ZNSt13runtime_erroraSERKS_)
MUSTER_WHAT(_ZNKSt11logic_error4whatEv)
MUSTER_WHAT(_ZNKSt13runtime_error4whatEv)

}  // namespace muster
