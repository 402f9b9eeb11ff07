#include "instrument/shared_counts.hpp"

#include "instrument/hook.hpp"
#include "instrument/tap.hpp"

namespace muster {

void give_up_share(const int* count, bool last, SiteId site) {
  if (controlled) {
    const ObjectId word = id(count);
    if (!last) engine->point(EventKind::rmw, word, site);
    engine->reduction().touches({.object = word,
                                 .size = sizeof *count,
                                 .mode = AccessMode::write,
                                 .changes = !last});  // nobody waits for the last one
    engine->races().rmw(word, sizeof *count, Order::acq_rel, site);
    if (!last) engine->wrote(word);
  }
  if (tap::on) [[unlikely]]
    tap::access(count, sizeof *count, trace::Kind::atomic_update, site);
}

void library_pointer_is_read(const char* object, SiteId site) {
  if (controlled) {
    engine->point(EventKind::load, id(object), site);
    engine->reduction().touches({.object = id(object)});
    engine->races().load(id(object), 1, Order::acquire, site);
  }
  if (tap::on) [[unlikely]]
    tap::access(object, 1, trace::Kind::atomic_read, site);
}

void library_pointer_is_set(const char* object, SiteId site) {
  if (controlled) {
    engine->point(EventKind::rmw, id(object), site);
    engine->reduction().touches({.object = id(object), .mode = AccessMode::write});
    engine->races().rmw(id(object), 1, Order::acq_rel, site);
    engine->wrote(id(object));
  }
  if (tap::on) [[unlikely]]
    tap::access(object, 1, trace::Kind::atomic_update, site);
}

}  // namespace muster
