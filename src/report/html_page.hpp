#pragma once
// The page in src/report/page/, as the build joined it: style and script inside, @report@ and @sources@ left to fill
// in.

#include <string_view>

namespace muster {

extern const std::string_view html_page;

}  // namespace muster
