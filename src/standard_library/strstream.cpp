// Streams of characters in memory that somebody may own. The virtual functions of their buffers are told in
// src/instrument/character_facets.cpp.

#include <strstream>

#include "instrument/described.hpp"

using namespace muster::describe;

namespace {

constexpr unsigned size = sizeof(std::strstreambuf);

}  // namespace

MUSTER_DESCRIBED(_ZNSt12strstreambufC1El, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2El, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPFPvmEPFvS0_E, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPFPvmEPFvS0_E, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPclS0_, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPclS0_, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPalS0_, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPalS0_, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPhlS0_, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPhlS0_, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPKcl, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPKcl, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPKal, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPKal, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC1EPKhl, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufC2EPKhl, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufD1Ev, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambufD2Ev, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambuf3strEv, writes(0, size))
MUSTER_DESCRIBED(_ZNSt12strstreambuf6freezeEb, writes(0, size))
MUSTER_DESCRIBED(_ZNKSt12strstreambuf6pcountEv, reads(0, size))

MUSTER_DESCRIBED(_ZNSt10istrstreamC1EPKc, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC2EPKc, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC1EPKcl, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC2EPKcl, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC1EPc, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC2EPc, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC1EPcl, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamC2EPcl, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamD1Ev, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10istrstreamD2Ev, writes(0, sizeof(std::istrstream)))
MUSTER_DESCRIBED(_ZNSt10ostrstreamC1Ev, writes(0, sizeof(std::ostrstream)))
MUSTER_DESCRIBED(_ZNSt10ostrstreamC2Ev, writes(0, sizeof(std::ostrstream)))
MUSTER_DESCRIBED(_ZNSt10ostrstreamC1EPciSt13_Ios_Openmode, writes(0, sizeof(std::ostrstream)))
MUSTER_DESCRIBED(_ZNSt10ostrstreamC2EPciSt13_Ios_Openmode, writes(0, sizeof(std::ostrstream)))
MUSTER_DESCRIBED(_ZNSt10ostrstreamD1Ev, writes(0, sizeof(std::ostrstream)))
MUSTER_DESCRIBED(_ZNSt10ostrstreamD2Ev, writes(0, sizeof(std::ostrstream)))
MUSTER_DESCRIBED(_ZNSt9strstreamC1Ev, writes(0, sizeof(std::strstream)))
MUSTER_DESCRIBED(_ZNSt9strstreamC2Ev, writes(0, sizeof(std::strstream)))
MUSTER_DESCRIBED(_ZNSt9strstreamC1EPciSt13_Ios_Openmode, writes(0, sizeof(std::strstream)))
MUSTER_DESCRIBED(_ZNSt9strstreamC2EPciSt13_Ios_Openmode, writes(0, sizeof(std::strstream)))
MUSTER_DESCRIBED(_ZNSt9strstreamD1Ev, writes(0, sizeof(std::strstream)))
MUSTER_DESCRIBED(_ZNSt9strstreamD2Ev, writes(0, sizeof(std::strstream)))

namespace std {

[[gnu::weak]] char* istrstream::str() noexcept { return _M_buf.str(); }
[[gnu::weak]] void ostrstream::freeze(bool frozen) noexcept { _M_buf.freeze(frozen); }
[[gnu::weak]] char* ostrstream::str() noexcept { return _M_buf.str(); }
[[gnu::weak]] int ostrstream::pcount() const noexcept { return _M_buf.pcount(); }
[[gnu::weak]] void strstream::freeze(bool frozen) noexcept { _M_buf.freeze(frozen); }
[[gnu::weak]] char* strstream::str() noexcept { return _M_buf.str(); }
[[gnu::weak]] int strstream::pcount() const noexcept { return _M_buf.pcount(); }

}  // namespace std
