#include "base/channel.hpp"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "base/error.hpp"

namespace muster {

Channel::Channel() {
  if (pipe2(fds_, O_CLOEXEC) != 0) fail("cannot make a pipe to a worker process: {}", std::strerror(errno));
  fcntl(fds_[0], F_SETFL, O_NONBLOCK);
}

Channel::~Channel() {
  close_reader();
  close_writer();
}

void Channel::close_reader() {
  if (fds_[0] >= 0) close(fds_[0]);
  fds_[0] = -1;
}

void Channel::close_writer() {
  if (fds_[1] >= 0) close(fds_[1]);
  fds_[1] = -1;
}

void Channel::send(std::span<const std::byte> message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  const auto header = std::as_bytes(std::span(&length, 1));
  std::vector<std::byte> framed(header.begin(), header.end());
  framed.insert(framed.end(), message.begin(), message.end());
  for (std::size_t done = 0; done < framed.size();) {
    const ssize_t n = write(fds_[1], framed.data() + done, framed.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(0);  // the parent is gone: nobody is interested any more
    done += static_cast<std::size_t>(n);
  }
}

bool Channel::receive(const std::function<void(std::span<const std::byte>)>& handle) {
  bool open = true;
  for (;;) {
    std::byte chunk[16384];
    const ssize_t n = read(fds_[0], chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      open = n < 0;
      break;
    }
    buffer_.insert(buffer_.end(), chunk, chunk + n);
  }
  std::size_t at = 0;
  for (std::uint32_t length = 0; buffer_.size() - at >= sizeof length; at += sizeof length + length) {
    std::memcpy(&length, buffer_.data() + at, sizeof length);
    if (buffer_.size() - at - sizeof length < length) break;
    handle({buffer_.data() + at + sizeof length, length});
  }
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at));
  return open;
}

}  // namespace muster
