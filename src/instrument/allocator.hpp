#pragma once

namespace muster {

/// Off during the first, warming-up execution: what libraries keep for ever must not lie in memory that is rewound.
extern bool test_heap_in_use;

}  // namespace muster
