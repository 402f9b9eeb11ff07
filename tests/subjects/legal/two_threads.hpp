#pragma once
// What most of these scenarios begin with.

#include <thread>

template <class Body>
void in_a_thread(Body body) {
  std::thread other(body);
  other.join();
}

template <class First, class Second>
void in_two_threads(First first, Second second) {
  std::thread a(first), b(second);
  a.join();
  b.join();
}
