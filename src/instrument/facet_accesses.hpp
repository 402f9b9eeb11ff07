#pragma once
// What facets of either standard library read and write of the program: told after they are called, since only they
// know how far they went.

#include <cstddef>
#include <ctime>
#include <cwchar>

#include "instrument/hook.hpp"
#include "instrument/library_accesses.hpp"
#include "instrument/modules.hpp"
#include "instrument/tap.hpp"
#include "instrument/time_fields.hpp"

namespace muster {

inline bool is_told(SiteId site) { return (controlled || tap::on) && is_watched_code(site); }

template <class T>
void tell_facet_read(const T& object, SiteId site) {
  library_access(&object, sizeof object, false, site);
}
template <class T>
void tell_facet_write(const T& object, SiteId site) {
  library_access(&object, sizeof object, true, site);
}

inline void tell_time(const std::tm* time, TimeFields fields, bool write, SiteId site) {
  for (unsigned i = 0; i < time_field_count; ++i) {
    if (fields >> i & 1) library_access(time_field(time, i), sizeof(int), write, site);
  }
}

/// What is read from a buffer while this lives: up to its next character, and that one, too, if it is there.
template <class Char>
class ReadFromBuffer {
 public:
  /// Where the buffer keeps the two; null: there is none.
  ReadFromBuffer(Char* const* next, Char* const* end, SiteId site)
      : next_(next), end_(end), site_(site), begin_(next ? *next : nullptr) {}
  ReadFromBuffer(const ReadFromBuffer&) = delete;
  ReadFromBuffer& operator=(const ReadFromBuffer&) = delete;
  ~ReadFromBuffer() {
    if (!next_) return;
    Char* const next = *next_;
    if (next == begin_) return;
    tell_facet_write(*next_, site_);
    const bool looked_ahead = next < *end_;
    if (next > begin_)
      library_access(begin_, static_cast<std::size_t>(next - begin_ + looked_ahead) * sizeof(Char), false, site_);
  }

 private:
  Char *const *const next_, *const *const end_;
  const SiteId site_;
  Char* const begin_;
};

/// Told by what is called, which only then is known.
struct ToldAfter {
  SiteId site;
  bool on = is_told(site);

  template <class Unit>
  void read(const Unit* begin, const Unit* end) const {
    if (on) library_access(begin, sizeof(Unit) * static_cast<std::size_t>(end - begin), false, site);
  }
  template <class Unit>
  void write(const Unit* begin, const Unit* end) const {
    if (on) library_access(begin, sizeof(Unit) * static_cast<std::size_t>(end - begin), true, site);
  }
};

// ---- encodings ----

template <class From, class To>
using Convert = int(const void*, std::mbstate_t&, const From*, const From*, const From*&, To*, To*, To*&);

template <class From, class To>
int convert(void* original, const void* facet, std::mbstate_t& state, const From* from, const From* from_end,
            const From*& from_next, To* to, To* to_end, To*& to_next, SiteId site) {
  const int result =
      reinterpret_cast<Convert<From, To>*>(original)(facet, state, from, from_end, from_next, to, to_end, to_next);
  const ToldAfter told{site};
  told.read(from, from_next);
  told.write(to, to_next);
  told.write(&from_next, &from_next + 1);
  told.write(&to_next, &to_next + 1);
  return result;
}

template <class Outside>
int encoded_length(void* original, const void* facet, std::mbstate_t& state, const Outside* from, const Outside* end,
                   std::size_t most, SiteId site) {
  using Length = int(const void*, std::mbstate_t&, const Outside*, const Outside*, std::size_t);
  const int found = reinterpret_cast<Length*>(original)(facet, state, from, end, most);
  ToldAfter{site}.read(from, from + found);
  return found;
}

}  // namespace muster

#define MUSTER_CONVERT(name, From, To)                                                                   \
  MUSTER_NAMED(int, name,                                                                                \
               (const void* facet, std::mbstate_t& state, const From* from, const From* from_end,        \
                const From*& from_next, To* to, To* to_end, To*& to_next)) {                             \
    static void* const original = reinterpret_cast<void*>(next_named<void()>(#name));                    \
    return convert(original, facet, state, from, from_end, from_next, to, to_end, to_next, MUSTER_SITE); \
  }
#define MUSTER_LENGTH(name, Outside)                                                                           \
  MUSTER_NAMED(                                                                                                \
      int, name,                                                                                               \
      (const void* facet, std::mbstate_t& state, const Outside* from, const Outside* end, std::size_t most)) { \
    static void* const original = reinterpret_cast<void*>(next_named<void()>(#name));                          \
    return encoded_length(original, facet, state, from, end, most, MUSTER_SITE);                               \
  }
