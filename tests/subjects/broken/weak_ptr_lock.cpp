// The observer asks `expired()` first and then believes the answer: the last owner left in between.
#include <memory>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Session {
  int id = 9;
};

int id_of(const std::weak_ptr<Session>& observer) {
  if (observer.expired()) return 0;
  return observer.lock()->id;
}

}  // namespace

MUSTER_SCENARIO(weak_ptr_lock) {
  auto owner = std::make_shared<Session>();
  const std::weak_ptr<Session> observer = owner;
  std::thread closing{[owner = std::move(owner)]() mutable { owner.reset(); }};
  const int id = id_of(observer);
  MUSTER_REQUIRE(id == 9 || id == 0);
  closing.join();
}
