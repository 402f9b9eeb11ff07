// The scopes of code, read once, against libdw's own search, on this program itself.

#include "symbols/scopes.hpp"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/property.hpp"
#include "symbols/symbolizer.hpp"

namespace muster {
namespace {

/// Something to describe: templates, lambdas, inlined calls, blocks with variables.
[[gnu::noinline]] std::map<std::string, int> histogram(unsigned seed) {
  std::mt19937 random(seed);
  std::map<std::string, int> counts;
  for (int i = 0; i < 50; ++i) {
    std::string word(1 + random() % 3, 'a');
    for (char& c : word) c = static_cast<char>(c + random() % 4);
    std::sort(word.begin(), word.end(), [](char a, char b) { return a > b; });
    if (const auto known = counts.find(word); known != counts.end()) {
      ++known->second;
    } else {
      counts.emplace(std::move(word), 1);
    }
  }
  return counts;
}

class ThisProgram {
 public:
  ThisProgram() {
    callbacks_.find_elf = dwfl_linux_proc_find_elf;
    callbacks_.find_debuginfo = dwfl_standard_find_debuginfo;
    dwfl_ = dwfl_begin(&callbacks_);
    dwfl_linux_proc_report(dwfl_, getpid());
    dwfl_report_end(dwfl_, nullptr, nullptr);
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
          for (int i = 0; i < info->dlpi_phnum; ++i)
            static_cast<ThisProgram*>(into)->take_code(*info, info->dlpi_phdr[i]);
          return 1;  // the program comes first
        },
        this);
  }
  ~ThisProgram() { dwfl_end(dwfl_); }

  /// For every few bytes of code that is described.
  template <class Use>
  void for_each_place(unsigned step, Use use) {
    for (Dwarf_Addr address = begin_; address < end_; address += step) {
      Dwarf_Addr bias = 0;
      if (Dwarf_Die* unit = dwfl_addrdie(dwfl_, address, &bias)) use(unit, address - bias);
    }
  }

 private:
  /// Elsewhere, functions are described that the linker left out.
  void take_code(const dl_phdr_info& info, const ElfW(Phdr) & header) {
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) return;
    begin_ = info.dlpi_addr + header.p_vaddr;
    end_ = begin_ + header.p_memsz;
  }

  Dwfl_Callbacks callbacks_{};
  Dwfl* dwfl_ = nullptr;
  Dwarf_Addr begin_ = 0, end_ = 0;
};

std::vector<Dwarf_Off> offsets(std::vector<Dwarf_Die> dies) {
  std::vector<Dwarf_Off> found;
  for (Dwarf_Die& die : dies) found.push_back(dwarf_dieoffset(&die));
  return found;
}

std::vector<Dwarf_Die> around_by_libdw(Dwarf_Die die) {
  Dwarf_Die* list = nullptr;
  const int count = dwarf_getscopes_die(&die, &list);
  std::vector<Dwarf_Die> found(list, list + std::max(count, 0));
  std::free(list);
  return found;
}

std::vector<Dwarf_Die> of_code_by_libdw(Dwarf_Die* unit, Dwarf_Addr pc) {
  Dwarf_Die* list = nullptr;
  const int count = dwarf_getscopes(unit, pc, &list);
  std::vector<Dwarf_Die> found;
  if (count > 0 && dwarf_tag(&list[0]) != DW_TAG_compile_unit) found = around_by_libdw(list[0]);
  std::free(list);
  return found;
}

TEST(Scopes, AreThoseThatLibdwFinds) {
  EXPECT_GT(histogram(1).size(), 5u);
  ThisProgram program;
  Scopes scopes;
  unsigned places = 0, nested = 0;
  std::size_t at = 0;
  program.for_each_place(test::full_run() ? 37 : 331, [&](Dwarf_Die* unit, Dwarf_Addr pc) {
    const std::vector<Dwarf_Die> expected = of_code_by_libdw(unit, pc);
    const std::vector<Dwarf_Die> found = scopes.of_code(unit, pc);
    if (expected.empty() && !found.empty()) {  // libdw does not look into functions of local classes, such as lambdas
      Dwarf_Die innermost = found[0];
      EXPECT_EQ(dwarf_haspc(&innermost, pc), 1);
    } else {
      ASSERT_EQ(offsets(found), offsets(expected)) << "at " << pc;
    }
    places += !found.empty();
    nested += found.size() > 4;
    if (found.empty() || ++at % 8 != 0) return;
    // Where the function was written, which is elsewhere if it was inlined.
    Dwarf_Die innermost = found[0];
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (!dwarf_formref_die(dwarf_attr_integrate(&innermost, DW_AT_abstract_origin, &attribute), &origin)) return;
    EXPECT_EQ(offsets(scopes.around(origin)), offsets(around_by_libdw(origin)));
  });
  EXPECT_GT(places, 100u);
  EXPECT_GT(nested, 10u);
}

TEST(Symbolizer, TellsWhereACallStands) {
  Symbolizer symbolizer;
  const SourcePlace& place = symbolizer.locate(reinterpret_cast<std::uint64_t>(&histogram) + 1);
  EXPECT_TRUE(place.function.ends_with("histogram")) << place.function;
  EXPECT_TRUE(place.brief().starts_with("scopes_test.cpp:")) << place.brief();
}

}  // namespace
}  // namespace muster
