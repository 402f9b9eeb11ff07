#include "base/supervisor.hpp"

#include <poll.h>

#include <algorithm>

#include "base/error.hpp"

namespace muster {

void Supervisor::start(std::size_t number, std::unique_ptr<ChildProcess> worker) {
  if (number >= workers_.size()) workers_.resize(number + 1);
  workers_[number] = std::move(worker);
}

void Supervisor::watch() {
  while (anybody()) {
    wait();
    for (std::size_t i = 0; i < workers_.size(); ++i) look_at(i);
    const Halt::Order order = halt_.order();
    if (order != Halt::Order::go_on && duties_.ordered) duties_.ordered(order);
    if (duties_.tick) duties_.tick();
  }
}

bool Supervisor::anybody() const {
  return std::ranges::any_of(workers_, [](const auto& worker) { return worker != nullptr; });
}

void Supervisor::wait() const {
  std::vector<pollfd> fds;
  for (const auto& worker : workers_) fds.push_back({worker ? worker->channel().reader() : -1, POLLIN, 0});
  poll(fds.data(), fds.size(), halt_.wait(tick_milliseconds));
}

/// False once it has ended.
bool Supervisor::receive(std::size_t number) {
  return workers_[number]->channel().receive([this](std::span<const std::byte> message) {
    if (message.empty() || static_cast<char>(message[0]) != ChildProcess::error_letter) return duties_.message(message);
    const std::string text(reinterpret_cast<const char*>(message.data()) + 1, message.size() - 1);
    if (!duties_.error) throw Error(text);
    duties_.error(text);
  });
}

void Supervisor::look_at(std::size_t number) {
  if (!workers_[number]) return;
  const bool open = receive(number);
  const bool hangs = open && workers_[number]->hangs(hang_seconds_);
  if (open && !hangs) return;
  if (hangs) workers_[number]->kill();
  ProcessEnd end = workers_[number]->join();
  end.hung = hangs;
  workers_[number].reset();
  if (duties_.ended) duties_.ended(number, end);
}

void Supervisor::kill(std::size_t number) {
  if (!is_at_work(number)) return;
  workers_[number]->kill();
  workers_[number]->join();
  receive(number);
  workers_[number].reset();
}

ProcessEnd supervise(std::unique_ptr<ChildProcess> worker, Halt& halt, double hang_seconds, Duties duties) {
  ProcessEnd how;
  Supervisor* all = nullptr;
  duties.ended = [&how](std::size_t, ProcessEnd end) { how = end; };
  duties.ordered = [&](Halt::Order) {
    how.stopped = all->is_at_work(0);
    all->kill(0);
  };
  Supervisor supervisor(halt, hang_seconds, std::move(duties));
  all = &supervisor;
  supervisor.start(0, std::move(worker));
  supervisor.watch();
  return how;
}

}  // namespace muster
