#include "distribute/crew.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace muster {
namespace {

constexpr std::chrono::milliseconds between_looks{2};

double seconds_since(Crew::Clock::time_point then) {
  return std::chrono::duration<double>(Crew::Clock::now() - then).count();
}

}  // namespace

Crew::Crew(Ranks& ranks) : ranks_(ranks), members_(static_cast<std::size_t>(ranks.count())) {}

Crew::~Crew() {
  for (int rank = 1; rank < size(); ++rank) ranks_.send(rank, Letter::end, {});
}

std::vector<int> Crew::idle() const {
  std::vector<int> idle;
  for (int rank = 0; rank < size(); ++rank) {
    if (!members_[static_cast<std::size_t>(rank)].busy) idle.push_back(rank);
  }
  return idle;
}

bool Crew::anybody_works() const { return std::ranges::any_of(members_, &Member::busy); }

double Crew::seconds_at_work(int rank) const {
  const Member& member = members_[static_cast<std::size_t>(rank)];
  return member.busy ? seconds_since(member.since) : 0;
}

void Crew::give(int rank, const Job& job) {
  Member& member = members_[static_cast<std::size_t>(rank)];
  times_.idle += seconds_since(member.since);
  ++times_.jobs;
  times_.bytes += job.input.size();
  member = {true, false, Clock::now()};
  if (rank == 0)
    runner_.start(job);
  else
    ranks_.send(rank, Letter::job, to_bytes(job));
}

void Crew::ask_to_stop(int rank) {
  Member& member = members_[static_cast<std::size_t>(rank)];
  if (!member.busy || std::exchange(member.asked, true)) return;
  if (rank == 0)
    runner_.stop();
  else
    ranks_.send(rank, Letter::stop, {});
}

void Crew::ask_all_to_stop() {
  for (int rank = 0; rank < size(); ++rank) ask_to_stop(rank);
}

void Crew::look(const std::function<void(int, JobEnd)>& ended) {
  std::this_thread::sleep_for(between_looks);
  if (auto finished = runner_.poll()) end(0, std::move(*finished), ended);
  while (const auto received = ranks_.receive()) {
    if (received->letter == Letter::done) end(received->rank, end_of(received->bytes), ended);
  }
}

void Crew::end(int rank, JobEnd end, const std::function<void(int, JobEnd)>& ended) {
  Member& member = members_[static_cast<std::size_t>(rank)];
  times_.busy += seconds_since(member.since);
  times_.bytes += end.output.size();
  member = {false, false, Clock::now()};
  ended(rank, std::move(end));
}

}  // namespace muster
