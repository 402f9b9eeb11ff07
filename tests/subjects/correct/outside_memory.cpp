// What an execution does outside its own memory is not taken back when a search goes back to an earlier point of it: a
// descriptor that was closed stays closed, a block of the C library's own stays freed. Such executions begin at their
// start, and pass.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <muster/scenario.hpp>
#include <string>
#include <thread>
#include <vector>

/// A pipe that is opened before the threads meet, and closed after.
MUSTER_SCENARIO(pipe_message) {
  int ends[2];
  MUSTER_REQUIRE(pipe(ends) == 0);
  std::atomic<int> turn{0};
  std::thread a([&] {
    turn.fetch_add(1);
    MUSTER_REQUIRE(write(ends[1], "a", 1) == 1);
    turn.fetch_add(1);
  });
  std::thread b([&] {
    turn.fetch_add(1);
    turn.fetch_add(1);
  });
  a.join();
  b.join();
  char letter = 0;
  MUSTER_REQUIRE(read(ends[0], &letter, 1) == 1 && letter == 'a');
  MUSTER_REQUIRE(close(ends[0]) == 0);
  MUSTER_REQUIRE(close(ends[1]) == 0);
}

/// A block that the C library allocates for itself before the threads meet, and frees after.
MUSTER_SCENARIO(memory_of_the_c_library) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const stream = open_memstream(&text, &size);
  MUSTER_REQUIRE(stream != nullptr);
  std::atomic<int> turn{0};
  std::thread a([&] { turn.fetch_add(1), turn.fetch_add(1); });
  std::thread b([&] { turn.fetch_add(1), turn.fetch_add(1); });
  a.join();
  b.join();
  std::fputs("both", stream);
  std::fclose(stream);
  MUSTER_REQUIRE(size == 4 && std::string(text) == "both");
  free(text);
}

/// Notes that are taken outside control, and so on the real heap, between points.
MUSTER_SCENARIO(notes_outside_control) {
  std::vector<int>* notes = nullptr;
  {
    const muster::Uncontrolled outside;
    notes = new std::vector<int>;
  }
  std::atomic<int> turn{0};
  const auto note = [&] {
    for (int i = 0; i < 2; ++i) {
      const int mine = turn.fetch_add(1);
      const muster::Uncontrolled outside;
      notes->push_back(mine);
    }
  };
  std::thread a(note), b(note);
  a.join();
  b.join();
  const muster::Uncontrolled outside;
  int sum = 0;
  for (const int each : *notes) sum += each;
  const std::size_t count = notes->size();
  delete notes;
  MUSTER_REQUIRE(count == 4 && sum == 0 + 1 + 2 + 3);
}
