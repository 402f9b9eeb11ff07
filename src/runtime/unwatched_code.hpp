#pragma once

namespace muster {

/// Whether the program has called code that is not watched since the search of it began, as far as its calls are seen:
/// set by `instrument`; null where there is no such code.
extern bool (*has_called_unwatched)();

}  // namespace muster
