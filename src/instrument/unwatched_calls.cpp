#include "instrument/unwatched_calls.hpp"

#include <cxxabi.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "instrument/described_calls.hpp"
#include "instrument/harmless.hpp"
#include "instrument/hook.hpp"
#include "instrument/imports.hpp"
#include "instrument/modules.hpp"
#include "instrument/stub_memory.hpp"
#include "instrument/traces.hpp"
#include "instrument/unwatched_call.hpp"
#include "runtime/unwatched_code.hpp"

namespace muster {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail("{}: cannot be read", path);
  return text;
}

// ---- which functions have stubs ----

/// They never move: stubs know their addresses.
std::deque<UnwatchedFunction>& unwatched_functions() {
  static std::deque<UnwatchedFunction> functions;
  return functions;
}

/// Libraries, whose code runs although no stub was passed: their numbers follow those of the functions.
std::vector<Module>& unwatched_modules() {
  static std::vector<Module> modules;
  return modules;
}

/// Which of them were called: workers tell their parent.
std::atomic<bool>* were_called = nullptr;
constexpr std::atomic<bool> never = false;

/// Libraries whose code was called past all stubs, by the names of their files: workers tell their parent, which may
/// not have loaded them.
struct Escapes {
  std::array<std::array<char, 60>, 16> files;  // text that ends with a zero, empty ones last
};
Escapes* escapes = nullptr;

void tell_escape(const Module& library) {
  const std::string file = library.path.substr(library.path.rfind('/') + 1);
  if (!escapes || is_standard_library(file)) return;
  for (auto& name : escapes->files) {
    if (name[0] == 0) file.copy(name.data(), name.size() - 1);
    if (file.starts_with(name.data())) return;
  }
}

/// "tbb::detail::r1::allocate_memory(unsigned long)"
std::string name_with_parameters(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                     std::free);
  return status == 0 ? plain.get() : name;
}

/// "tbb::detail::r1::allocate_memory"
std::string readable_name(const std::string& name) {
  const std::string text = name_with_parameters(name);
  int depth = 0;  // the parameters are the last thing in parentheses
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += (text[i] == ')') - (text[i] == '(');
    if (text[i] == '(' && depth == 0) return text.substr(0, i);
  }
  return text;
}

const FunctionDescription* told_of(const Import& import) {
  return description_of(import.name, readable_name(import.name), import.library);
}

/// Where functions are that are called without a stub, as they are described as harmless.
std::set<std::uintptr_t>& harmless_functions() {
  static std::set<std::uintptr_t> addresses;
  return addresses;
}

bool needs_stub(const Import& import) {
  if (import.kind == Module::Kind::program || import.kind == Module::Kind::instrumented) return false;
  if (import.library.starts_with("libmuster")) return false;
  const FunctionDescription* const description = told_of(import);
  const bool is_harmless = description ? description->harmless
                           : import.kind == Module::Kind::opaque
                               ? is_harmless_in_standard_library(import.library, name_with_parameters(import.name))
                               : !import.library.starts_with("libc.so") || why_harmless(import.name);
  if (is_harmless) harmless_functions().insert(import.target);
  return !is_harmless;
}

void share_who_is_called(std::size_t functions) {
  void* const shared = mmap(nullptr, functions + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) fail("no memory to share with worker processes");
  were_called = static_cast<std::atomic<bool>*>(shared);
}

UnwatchedFunction unwatched_function(const Import& import, UnwatchedCode code) {
  const FunctionDescription* const description = told_of(import);
  // What a file gives next depends on what was read before: a loop that reads on does not repeat itself.
  const bool leaves_traces = import.library.starts_with("libc.so");
  return {.target = reinterpret_cast<void*>(import.target),
          .passes = description || leaves_traces ? &never : &were_called[code],
          .code = code,
          .description = description,
          .tells_afterwards =
              description && std::ranges::any_of(description->deeds, [](const CallDeed& d) { return d.comes_after(); }),
          .leaves_traces = leaves_traces,
          .name = import.name,
          .library = import.library};
}

void write_protected(std::uintptr_t* word, std::uintptr_t value) {
  constexpr std::uintptr_t page = 4096;
  void* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(word) & ~(page - 1));
  if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) return;  // then its calls escape, as others do
  *word = value;
  mprotect(begin, page, PROT_READ);
}

void put(const Import& import, std::uintptr_t stub) {
  for (const Import::Slot& slot : import.slots) {
    if (slot.is_protected)
      write_protected(slot.word, stub);
    else
      *slot.word = stub;
  }
}

// ---- calls under way ----

/// A call that has not returned yet, as far as is known: a jump may have left it.
struct ActiveCall {
  std::uintptr_t frame;
  UnwatchedCode code;  // 0: it is described
  ThreadId thread;
};

constexpr unsigned most_active = 256;
std::array<ActiveCall, most_active> active_calls;
unsigned active_count = 0;

void forget_active(unsigned index) {
  for (unsigned i = index + 1; i < active_count; ++i) active_calls[i - 1] = active_calls[i];
  --active_count;
}

/// Calls of this thread whose frames are below `frame` were left by a jump; returns the innermost one that is left, or
/// nothing.
const ActiveCall* innermost(ThreadId thread, std::uintptr_t frame) {
  for (unsigned i = active_count; i-- > 0;) {
    if (active_calls[i].thread != thread) continue;
    if (active_calls[i].frame >= frame) return &active_calls[i];
    forget_active(i);
  }
  return nullptr;
}

void begin_calls() {
  active_count = 0;
  muster_follows_calls = engine->races().keeps_possible_order();
}

void pass_active_calls(Tape& tape) {
  tape.run([](auto& strip) {
    strip.pass(active_count);
    strip.pass_items(active_calls.data(), active_count);
  });
}

// ---- what the engine asks ----

/// Where the first of these modules begins, and the last one ends: asked for at every switch, and nearly always of code
/// of the program, which lies apart.
std::uintptr_t modules_begin = ~std::uintptr_t{0}, modules_end = 0;

UnwatchedCode code_of_module(std::uintptr_t address) {
  if (address < modules_begin || address >= modules_end) [[likely]]
    return 0;
  const auto& modules = unwatched_modules();
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (address >= modules[i].begin && address < modules[i].end)
      return static_cast<UnwatchedCode>(unwatched_functions().size() + i + 1);
  }
  return 0;
}

UnwatchedCode code_of(const Thread& thread, SiteId last_event) {
  if (active_count == 0) [[likely]] {
    const auto start = reinterpret_cast<std::uintptr_t>(thread.start);
    const UnwatchedCode code = code_of_module(start);
    return code != 0 ? code : code_of_module(last_event);
  }
  // Of a thread that does not run the calls that it left are known already.
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t frame = Arena::in_stack_of(thread.id, here) ? here : 0;
  if (const ActiveCall* call = innermost(thread.id, frame)) return call->code;
  if (const UnwatchedCode code = code_of_module(reinterpret_cast<std::uintptr_t>(thread.start)); code != 0) return code;
  return code_of_module(last_event);
}

std::string name_of(UnwatchedCode code) {
  const auto& functions = unwatched_functions();
  if (code <= functions.size()) {
    const UnwatchedFunction& function = functions[code - 1];
    return readable_name(function.name) + " (" + function.library + ")";
  }
  const std::string& path = unwatched_modules()[code - functions.size() - 1].path;
  return "code of " + path.substr(path.rfind('/') + 1);
}

bool was_any_called() {
  return std::ranges::any_of(unwatched_functions(), [](const UnwatchedFunction& function) {
    return were_called[function.code].load(std::memory_order_relaxed);
  });
}

constexpr UnwatchedWorld world{code_of, name_of};

/// So much of what a caller may have put on its stack for the function is handed on.
constexpr std::size_t most_bytes_on_stack = 512;

std::size_t bytes_to_hand_on(std::uintptr_t arguments) {
  if (!Arena::in_stacks(arguments)) return most_bytes_on_stack;
  const std::uintptr_t end = Arena::stack_of(Arena::owner_of_stack(arguments)) + Arena::stack_size;
  return std::min<std::size_t>(most_bytes_on_stack, (end - arguments) & ~std::size_t{15});
}

}  // namespace

// ---- what stubs call ----

namespace {

/// What may order threads in such a call; 0 if all that it does is described.
UnwatchedCode code_of_calls(const UnwatchedFunction& function) {
  return !function.description || function.description->may_order ? function.code : 0;
}

EnteredCall enter_described(const UnwatchedFunction& function, CallRegisters& registers) {
  const FunctionDescription& description = *function.description;
  before_described(description, registers);
  if (!description.returns) return {function.target, bytes_to_hand_on(registers.arguments_on_stack())};
  registers.rax = static_cast<std::uintptr_t>(*description.returns);
  after_described(description, registers);
  return {reinterpret_cast<void*>(registers.rax), EnteredCall::skip};
}

}  // namespace

extern "C" EnteredCall muster_enter_unwatched(const UnwatchedFunction& function, CallRegisters& registers) {
  if (!controlled) return {function.target, EnteredCall::jump};
  if (function.description) {
    const EnteredCall entered = enter_described(function, registers);
    if (entered.bytes_on_stack == EnteredCall::skip) return entered;
  }
  const UnwatchedCode code = code_of_calls(function);
  if (code != 0) {
    engine->races().pass_through(code);
    were_called[code].store(true, std::memory_order_relaxed);
    if (function.leaves_traces) leave_trace();
  }
  if (!muster_follows_calls) {
    return {function.target,
            function.tells_afterwards ? bytes_to_hand_on(registers.arguments_on_stack()) : EnteredCall::jump};
  }
  const auto frame = reinterpret_cast<std::uintptr_t>(&registers);
  innermost(engine->current().id, frame + 1);
  if (active_count < most_active) active_calls[active_count++] = {frame, code, engine->current().id};
  return {function.target, bytes_to_hand_on(registers.arguments_on_stack())};
}

extern "C" void muster_leave_unwatched(const UnwatchedFunction& function, const CallRegisters& registers) {
  if (function.description && controlled) after_described(*function.description, registers);
  if (!engine || active_count == 0) return;
  // The calls that it made itself and that did not return are over, too.
  const auto frame = reinterpret_cast<std::uintptr_t>(&registers);
  const ActiveCall* const call = innermost(engine->current().id, frame);
  if (call && call->frame == frame) forget_active(static_cast<unsigned>(call - active_calls.data()));
  if (const UnwatchedCode code = code_of_calls(function); controlled && code != 0) engine->races().pass_through(code);
}

// ---- the rest of the interface ----

std::vector<std::span<std::byte>> described_data() {
  const bool any = std::ranges::any_of(unwatched_functions(), [](const auto& f) { return f.description != nullptr; });
  if (!any) return {};
  return described_state();
}

void watch_imports(const std::vector<std::string>& description_files) {
  for (const std::string& file : description_files) add_descriptions(content_of(file), file);
  add_descriptions_of_program();
  add_known_descriptions();
  static const Shared<Escapes> shared_escapes = make_shared_memory<Escapes>();
  escapes = shared_escapes.get();
  const std::vector<Module> modules = loaded_modules();
  std::vector<Import> imports = imports_of_watched_code(modules);
  std::erase_if(imports, [](const Import& import) { return !needs_stub(import); });
  if (imports.empty()) return;
  auto& functions = unwatched_functions();
  static StubMemory stubs(imports.size());
  std::vector<std::uintptr_t> made;
  share_who_is_called(imports.size());
  for (const Import& import : imports) {
    functions.push_back(unwatched_function(import, static_cast<UnwatchedCode>(functions.size() + 1)));
    made.push_back(stubs.add(&functions.back(), muster_call_unwatched));
  }
  stubs.finish();
  find_wide_registers();
  for (std::size_t i = 0; i < imports.size(); ++i) put(imports[i], made[i]);
}

bool is_harmless_function(std::uintptr_t address) { return harmless_functions().contains(address); }

bool is_in_seen_call(std::uintptr_t stack) { return innermost(engine->current().id, stack) != nullptr; }

void pass_through_escaped_call(std::uintptr_t address) {
  static UnwatchedCode last[max_threads];  // that each thread was in
  UnwatchedCode& code = last[engine->current().id];
  if (address != 0) code = code_of_module(address);
  if (code == 0) return;
  engine->races().pass_through(code);
  if (address != 0) tell_escape(unwatched_modules()[code - unwatched_functions().size() - 1]);
}

void prepare_unwatched_calls(Engine& of, const std::vector<const Module*>& unwatched) {
  auto& modules = unwatched_modules();
  modules.clear();
  for (const Module* module : unwatched) modules.push_back(*module);
  for (const Module& module : modules) {
    modules_begin = std::min<std::uintptr_t>(modules_begin, module.begin);
    modules_end = std::max<std::uintptr_t>(modules_end, module.end);
  }
  if (unwatched_functions().empty() && modules.empty()) return;
  unwatched_world = &world;
  has_called_unwatched = was_any_called;
  of.surroundings().at_start(begin_calls);
  of.surroundings().add_rewindable({[] { return true; }, pass_active_calls});
}

std::vector<std::string> unwatched_calls() {
  std::vector<std::string> names;
  for (const UnwatchedFunction& function : unwatched_functions()) {
    if (were_called[function.code].load(std::memory_order_relaxed)) names.push_back(name_of(function.code));
  }
  for (const auto& file : escapes->files) {
    if (file[0] != 0) names.push_back(std::string("code of ") + file.data());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void forget_unwatched_calls() {
  *escapes = {};
  for (const UnwatchedFunction& function : unwatched_functions())
    were_called[function.code].store(false, std::memory_order_relaxed);
}

}  // namespace muster
