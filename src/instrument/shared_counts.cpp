#include "instrument/shared_counts.hpp"

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"

namespace muster {

void give_up_share(const int* count, bool last, SiteId site) {
  if (controlled) {
    const ObjectId word = id(count);
    if (!last) engine->point(EventKind::rmw, word, site);
    engine->write_access(word, sizeof *count, !last);  // nobody waits for the last one
    engine->races().rmw(word, sizeof *count, Order::acq_rel, site);
    if (!last) engine->wrote(word);
  }
  if (tap::on) [[unlikely]]
    tap::access(count, sizeof *count, trace::Kind::atomic_update, site);
}

}  // namespace muster
