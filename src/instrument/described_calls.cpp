#include "instrument/described_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "instrument/atomics.hpp"
#include "instrument/library_accesses.hpp"
#include "muster/describe.hpp"

namespace muster {
namespace {

using atomics::u32;

/// What a name, or an address that is given to a described function, stands for. Words are used as a program uses
/// atomics, so that every order of what is done to them is explored.
struct DescribedObject {
  std::uintptr_t address;       // of an argument
  u32 flag;                     // is set
  u32 waiting;                  // threads that wait for it, about
  u32 waits_begun;              // until a region is left
  u32 calls_begun, calls_done;  // once it is left
  u32 sections[max_threads];    // of each thread: odd while it is in the region
  std::uint8_t depth[max_threads];
};

constexpr std::size_t most_addresses = 16;
alignas(64) DescribedObject described_objects[most_addresses + most_named_objects];

DescribedObject& of_name(std::uint32_t number) { return described_objects[most_addresses + number]; }

/// A call that is made once a region is left.
struct LateCall {
  DescribedObject* region;
  void (*function)(void*);
  void* argument;
  u32 turn;  // they are made one after the other
  SiteId site;
};
/// What an execution changes of all this.
struct DescribedState {
  std::array<LateCall, max_threads> late_calls;
  u32 late_count;
};
DescribedState described_calls;

std::vector<FunctionDescription>& function_descriptions() {
  static std::vector<FunctionDescription> functions;
  return functions;
}

DescribedObject& at_address(std::uintptr_t address, SiteId site) {
  for (std::size_t i = 0; i < most_addresses; ++i) {
    DescribedObject& object = described_objects[i];
    if (object.address == 0) object.address = address;
    if (object.address == address) return object;
  }
  engine->fatal(IncidentKind::limit, site,
                fmt::format("descriptions know at most {} regions and flags by their addresses", most_addresses));
}

/// Nobody else comes between what was written and this.
void wake(DescribedObject& object, u32& word, SiteId site) {
  if (object.waiting > 0) sync::futex_wake(&word, max_threads, site, ~u32{0});
}

void wait_while(DescribedObject& object, u32& word, u32 value, SiteId site) {
  do {
    ++object.waiting;
    sync::futex_wait(&word, value, site, nullptr, ~u32{0});
    --object.waiting;
  } while (atomics::load(&word, __ATOMIC_ACQUIRE, site) == value);
}

u32 increment(u32& word, int order, SiteId site) {
  return atomics::update(&word, order, site, [](u32 old) { return old + 1; });
}

/// A region, as read-copy-update has them: who begins to wait waits for those who are inside, and whoever enters later
/// sees what was done before the wait began.
class Region {
 public:
  Region(DescribedObject& object, SiteId site) : object_(object), site_(site) {}

  void enter() const {
    const ThreadId me = engine->current().id;
    if (object_.depth[me]++ > 0) return;
    atomics::store(&object_.sections[me], object_.sections[me] + 1, __ATOMIC_RELAXED, site_);
    atomics::load(&object_.waits_begun, __ATOMIC_ACQUIRE, site_);
  }

  void leave() const {
    const ThreadId me = engine->current().id;
    if (object_.depth[me] == 0) engine->fatal(IncidentKind::misuse, site_, "leaves a region that it is not in");
    if (--object_.depth[me] > 0) return;
    atomics::store(&object_.sections[me], object_.sections[me] + 1, __ATOMIC_RELEASE, site_);
    wake(object_, object_.sections[me], site_);
  }

  void wait_until_left() const {
    increment(object_.waits_begun, __ATOMIC_ACQ_REL, site_);
    for (unsigned thread = 0; thread < engine->thread_count(); ++thread) {
      u32& section = object_.sections[thread];
      const u32 seen = atomics::load(&section, __ATOMIC_ACQUIRE, site_);
      if (seen % 2 != 0) wait_while(object_, section, seen, site_);
    }
  }

  void wait_outside() const {
    const std::uint8_t depth = object_.depth[engine->current().id];
    if (depth > 0) {
      object_.depth[engine->current().id] = 1;
      leave();
    }
    wait_until_left();
    if (depth > 0) {
      enter();
      object_.depth[engine->current().id] = depth;
    }
  }

  void wait_until_called() const {
    const u32 begun = atomics::load(&object_.calls_begun, __ATOMIC_ACQUIRE, site_);
    for (u32 done; (done = atomics::load(&object_.calls_done, __ATOMIC_ACQUIRE, site_)) < begun;)
      wait_while(object_, object_.calls_done, done, site_);
  }

  /// In a thread of its own.
  static void* make_late_call(void* made) {
    const LateCall& call = *static_cast<const LateCall*>(made);
    const Region region(*call.region, call.site);
    region.wait_until_left();
    for (u32 done; (done = atomics::load(&call.region->calls_done, __ATOMIC_ACQUIRE, call.site)) != call.turn;)
      wait_while(*call.region, call.region->calls_done, done, call.site);
    call.function(call.argument);
    increment(call.region->calls_done, __ATOMIC_ACQ_REL, call.site);
    wake(*call.region, call.region->calls_done, call.site);
    return nullptr;
  }

 private:
  DescribedObject& object_;
  SiteId site_;
};

/// One call, as far as its deeds need it.
class DescribedCall {
 public:
  explicit DescribedCall(const CallRegisters& registers) : registers_(registers), site_(registers.return_address()) {}

  void do_before(const CallDeed& deed) {
    using enum CallDeed::Kind;
    switch (deed.kind) {
      case reads:
        return access(deed, false);
      case writes:
        return access(deed, true);
      case releases:
        return order(deed, sync::declare_release);
      case locks:
        sync::lock_exclusive(id_of(deed), site_);
        return;
      case locks_shared:
        sync::lock_shared(id_of(deed), site_);
        return;
      case unlocks:
        sync::unlock_rwlock(id_of(deed), site_);
        return;
      case enters:
        return Region{object_of(deed), site_}.enter();
      case leaves:
        return Region{object_of(deed), site_}.leave();
      case waits_left:
        return Region{object_of(deed), site_}.wait_until_left();
      case waits_left_outside:
        return Region{object_of(deed), site_}.wait_outside();
      case calls_left:
        return call_late(deed);
      case waits_called:
        return Region{object_of(deed), site_}.wait_until_called();
      case sets:
        return set(object_of(deed));
      case resets:
        return atomics::store(&object_of(deed).flag, u32{0}, __ATOMIC_RELEASE, site_);
      case waits_set:
        return wait_until_set(object_of(deed));
      case meets:
        return meet(deed);
      case acquires:
        return;
    }
  }

  void do_after(const CallDeed& deed) {
    const bool zero = static_cast<u32>(registers_.rax) == 0;  // of an int, and of anything smaller
    if (deed.when == CallDeed::When::zero && !zero) return;
    if (deed.when == CallDeed::When::not_zero && zero) return;
    if (deed.kind == CallDeed::Kind::acquires) return order(deed, sync::declare_acquire);
    access(deed, deed.kind == CallDeed::Kind::writes);
  }

 private:
  std::uintptr_t argument(unsigned number) const { return registers_.integers[number]; }

  std::uintptr_t address_of(const DeedObject& object) const {
    return object.kind == DeedObject::Kind::result ? registers_.rax : argument(object.argument);
  }

  DescribedObject& object_of(const CallDeed& deed) const {
    if (deed.object.kind == DeedObject::Kind::named) return of_name(deed.object.number);
    return at_address(address_of(deed.object), site_);
  }

  ObjectId id_of(const CallDeed& deed) const {
    if (deed.object.kind == DeedObject::Kind::named) return id(&of_name(deed.object.number));
    return address_of(deed.object);
  }

  void access(const CallDeed& deed, bool writes) const {
    const auto* const begin = reinterpret_cast<const char*>(argument(deed.object.argument));
    if (!begin) return;
    library_access(begin, size_of(deed, begin), writes, site_);
  }

  std::size_t size_of(const CallDeed& deed, const char* begin) const {
    const std::size_t each = deed.times == CallDeed::nothing ? deed.bytes : argument(deed.times);
    switch (deed.size) {
      case CallDeed::Size::fixed:
        return deed.bytes;
      case CallDeed::Size::counted:
        return each * argument(deed.counter);
      case CallDeed::Size::result:
        return each * static_cast<std::size_t>(std::max(static_cast<long>(registers_.rax), 0L));
      case CallDeed::Size::text:
        return std::strlen(begin) + 1;
    }
    return 0;
  }

  /// Others may come before it: in another order, it orders others.
  void order(const CallDeed& deed, void (*declare)(ObjectId)) const {
    const ObjectId object = id_of(deed);
    engine->point(EventKind::rmw, object, site_);
    engine->reduction().touches({.object = object, .mode = AccessMode::write});
    declare(object);
    engine->wrote(object);
  }

  void call_late(const CallDeed& deed) const {
    DescribedObject& region = object_of(deed);
    if (described_calls.late_count == described_calls.late_calls.size()) too_many("calls");
    LateCall& call = described_calls.late_calls[described_calls.late_count++];
    call = {.region = &region,
            .function = reinterpret_cast<void (*)(void*)>(argument(deed.counter)),
            .argument = reinterpret_cast<void*>(argument(static_cast<unsigned>(deed.bytes))),
            .turn = increment(region.calls_begun, __ATOMIC_RELAXED, site_),
            .site = site_};
    Thread& thread = engine->spawn(Region::make_late_call, &call, site_);
    engine->blocking().detach(thread.id);
    engine->make_internal(thread);
  }

  [[noreturn]] void too_many(const char* what) const {
    engine->fatal(IncidentKind::limit, site_, fmt::format("descriptions make too many {} in an execution", what));
  }

  void set(DescribedObject& object) const {
    atomics::store(&object.flag, u32{1}, __ATOMIC_RELEASE, site_);
    wake(object, object.flag, site_);
  }

  void wait_until_set(DescribedObject& object) const {
    if (atomics::load(&object.flag, __ATOMIC_ACQUIRE, site_) == 0) wait_while(object, object.flag, 0, site_);
  }

  void meet(const CallDeed& deed) const {
    const auto count =
        static_cast<unsigned>(deed.size == CallDeed::Size::counted ? argument(deed.counter) : deed.bytes);
    const ObjectId barrier = id_of(deed);
    if (!sync::knows(barrier)) sync::adopt_barrier(barrier, count);
    sync::arrive_and_wait(barrier, site_);
  }

  const CallRegisters& registers_;
  SiteId site_;
};

}  // namespace

namespace {

struct DescriptionOfProgram {
  const char *text, *file;
  int line;
};
std::vector<DescriptionOfProgram>& descriptions_of_program() {
  static std::vector<DescriptionOfProgram> all;
  return all;
}

}  // namespace

__attribute__((visibility("default")))
detail::DescriptionRegistration::DescriptionRegistration(const char* text, const char* file, int line) noexcept {
  descriptions_of_program().push_back({text, file, line});
}

void add_descriptions_of_program() {
  for (const auto& [text, file, line] : descriptions_of_program()) {
    add_descriptions(text, file, static_cast<unsigned>(line));
  }
}

void add_descriptions(std::string_view text, const std::string& source, unsigned first_line) {
  auto& known = function_descriptions();
  std::ranges::move(parse_descriptions(text, source, first_line), std::back_inserter(known));
}

const FunctionDescription* description_of(const std::string& name, const std::string& readable_name,
                                          const std::string& library) {
  const auto& known = function_descriptions();
  const auto found = std::ranges::find_if(known, [&](const FunctionDescription& function) {
    return (function.name == name || function.name == readable_name) && library.starts_with(function.library);
  });
  return found == known.end() ? nullptr : &*found;
}

void before_described(const FunctionDescription& function, const CallRegisters& registers) {
  if (function.unsupported)
    engine->fatal(IncidentKind::unsupported, registers.return_address(),
                  fmt::format("{} is described as not supported", function.name));
  DescribedCall call(registers);
  for (const CallDeed& deed : function.deeds) {
    if (!deed.comes_after()) call.do_before(deed);
  }
}

void after_described(const FunctionDescription& function, const CallRegisters& registers) {
  DescribedCall call(registers);
  for (const CallDeed& deed : function.deeds) {
    if (deed.comes_after()) call.do_after(deed);
  }
}

std::vector<std::span<std::byte>> described_state() {
  return {std::as_writable_bytes(std::span(described_objects, most_addresses + named_objects())),
          std::as_writable_bytes(std::span(&described_calls, 1))};
}

}  // namespace muster
