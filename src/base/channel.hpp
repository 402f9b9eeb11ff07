#pragma once
// Messages from a worker to its parent: length, then bytes, through a pipe.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace muster {

class Channel {
 public:
  Channel();
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Worker: sends a message whole.
  void send(std::span<const std::byte> message);
  /// Worker: gives up the reading end.
  void close_reader();

  /// Parent: gives up the writing end, so that the end of the worker is seen.
  void close_writer();
  int reader() const { return fds_[0]; }
  /// Parent: hands on all messages that have arrived; false once the writer is gone and everything was read.
  bool receive(const std::function<void(std::span<const std::byte>)>& handle);

 private:
  int fds_[2];
  std::vector<std::byte> buffer_;
};

}  // namespace muster
