// An observer locks its `weak_ptr` and looks at what it got.
#include <memory>
#include <muster/scenario.hpp>
#include <thread>

namespace {

struct Session {
  int id = 9;
};

int id_of(const std::weak_ptr<Session>& observer) {
  const std::shared_ptr<Session> session = observer.lock();
  return session ? session->id : 0;
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
