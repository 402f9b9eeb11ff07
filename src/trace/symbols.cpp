#include "trace/symbols.hpp"

#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <vector>

namespace muster::trace {

namespace {

struct Module {
  std::uint64_t bias = 0, start = 0, end = 0;
  std::string path;

  bool operator==(const Module&) const = default;
};

bool take_hex(std::string_view& line, std::uint64_t& value) {
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  if (error != std::errc{}) return false;
  line.remove_prefix(static_cast<std::size_t>(rest - line.data()));
  if (line.starts_with(' ')) line.remove_prefix(1);
  return true;
}

std::vector<Module> parse_modules(std::string_view table) {
  std::vector<Module> modules;
  while (!table.empty()) {
    const std::size_t newline = table.find('\n');
    std::string_view line = table.substr(0, newline);
    table.remove_prefix(newline == std::string_view::npos ? table.size() : newline + 1);
    Module module;
    if (!take_hex(line, module.bias) || !take_hex(line, module.start) || !take_hex(line, module.end)) continue;
    module.path = line;
    // The table is written more than once in a run; a module reported twice would not be found at all.
    if (std::ranges::find(modules, module) == modules.end()) modules.push_back(std::move(module));
  }
  return modules;
}

}  // namespace

struct Symbols::State {
  std::vector<Module> modules;
  Dwfl* session = nullptr;

  ~State() { dwfl_end(session); }
};

Symbols::Symbols(std::string_view module_table) : state_(std::make_unique<State>()) {
  state_->modules = parse_modules(module_table);
  static char* no_debug_path = nullptr;
  static const Dwfl_Callbacks callbacks{.find_elf = dwfl_build_id_find_elf,
                                        .find_debuginfo = dwfl_standard_find_debuginfo,
                                        .section_address = dwfl_offline_section_address,
                                        .debuginfo_path = &no_debug_path};
  state_->session = dwfl_begin(&callbacks);
  if (!state_->session) return;
  dwfl_report_begin(state_->session);
  for (const Module& module : state_->modules)
    if (std::filesystem::is_regular_file(module.path))
      dwfl_report_elf(state_->session, module.path.c_str(), module.path.c_str(), -1, module.bias, true);
  dwfl_report_end(state_->session, nullptr, nullptr);
}

Symbols::~Symbols() = default;
Symbols::Symbols(Symbols&&) noexcept = default;
Symbols& Symbols::operator=(Symbols&&) noexcept = default;

std::string Symbols::describe(std::uint64_t pc) const {
  if (pc == 0) return "";
  const std::uint64_t call = pc - 1;
  if (state_->session) {
    int line = 0;
    Dwfl_Module* const module = dwfl_addrmodule(state_->session, call);
    Dwfl_Line* const source = module ? dwfl_module_getsrc(module, call) : nullptr;
    const char* const file = source ? dwfl_lineinfo(source, nullptr, &line, nullptr, nullptr, nullptr) : nullptr;
    if (file) return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line);
  }
  for (const Module& module : state_->modules)
    if (call >= module.start && call < module.end)
      return fmt::format("{}+0x{:x}", std::filesystem::path(module.path).filename().string(), pc - module.bias);
  return fmt::format("0x{:x}", pc);
}

}  // namespace muster::trace
