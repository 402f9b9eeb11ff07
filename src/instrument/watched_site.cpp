#include "instrument/watched_site.hpp"

#include <unwind.h>

#include "instrument/modules.hpp"

namespace muster {

SiteId watched_site(SiteId otherwise) {
  SiteId site = otherwise;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* found) {
        int is_before = 0;  // an interrupted instruction, not one that was returned to
        const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_before);
        if (!is_watched_code(address)) return _URC_NO_REASON;
        *static_cast<SiteId*>(found) = address + static_cast<unsigned>(is_before);
        return _URC_END_OF_STACK;
      },
      &site);
  return site;
}

}  // namespace muster
