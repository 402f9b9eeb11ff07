// Lifts in a building: a floor's button is claimed by the lift that will serve it. Each floor has a lock; a lift looks
// whether a call is open and claims it in two critical sections, so that two lifts may both serve it. With `correct` it
// does so in one.
//
//   elevator [correct]

#include <array>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <muster/transaction.hpp>

namespace {

constexpr int floors = 4, lifts = 3;

struct Floor {
  std::mutex mutex;
  bool called = true;
  int claimed_by = 0;
};

std::array<Floor, floors> building;

bool is_open(Floor& floor) {
  const std::lock_guard lock(floor.mutex);
  return floor.called && floor.claimed_by == 0;
}

void claim(Floor& floor, int lift) {
  const std::lock_guard lock(floor.mutex);
  floor.claimed_by = lift;
}

void look_and_claim(Floor& floor, int lift) {
  const muster::Transaction atomic;
  if (is_open(floor)) claim(floor, lift);
}

void look_and_claim_atomically(Floor& floor, int lift) {
  const muster::Transaction atomic;
  const std::lock_guard lock(floor.mutex);
  if (floor.called && floor.claimed_by == 0) floor.claimed_by = lift;
}

/// The doors open, and behind them somebody presses the button again.
void serve(Floor& floor, int lift) {
  const std::lock_guard lock(floor.mutex);
  if (floor.claimed_by == lift) floor.claimed_by = 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool correct = argc > 1 && std::strcmp(argv[1], "correct") == 0;
  std::vector<std::thread> running;
  for (int lift = 1; lift <= lifts; ++lift) {
    running.emplace_back([=] {
      for (int i = 0; i < floors; ++i) {
        Floor& floor = building[static_cast<std::size_t>(i)];
        (correct ? look_and_claim_atomically : look_and_claim)(floor, lift);
        serve(floor, lift);
      }
    });
  }
  for (std::thread& lift : running) lift.join();
}
