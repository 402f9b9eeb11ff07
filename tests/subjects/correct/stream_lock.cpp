// A line is written in two calls under the lock of its stream; who counts lines takes the same lock.
#include <stdio.h>

#include <muster/scenario.hpp>
#include <thread>

MUSTER_SCENARIO(stream_lock) {
  int lines = 0;
  const auto write_line = [&] {
    flockfile(stdout);
    fputs("half", stdout);
    fputs(" a line\n", stdout);
    ++lines;
    funlockfile(stdout);
  };
  std::thread a{write_line}, b{write_line};
  a.join();
  b.join();
  MUSTER_REQUIRE(lines == 2);
}
