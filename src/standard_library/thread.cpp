// Threads and condition variables, as far as what calls the C library reads or changes objects of the program.

#include <cerrno>
#include <condition_variable>
#include <thread>

#include "instrument/described.hpp"

using namespace muster::describe;

// The constructor happens before what the thread does.
MUSTER_DESCRIBED(_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE,
                 writes(0, sizeof(std::thread)))
MUSTER_DESCRIBED(_ZNSt18condition_variableC1Ev, writes(0, sizeof(std::condition_variable)))
MUSTER_DESCRIBED(_ZNSt18condition_variableC2Ev, writes(0, sizeof(std::condition_variable)))

namespace std {

[[gnu::weak]] void thread::join() {
  const int error = _M_id == id() ? EINVAL : __gthread_join(_M_id._M_thread, nullptr);
  if (error) __throw_system_error(error);
  _M_id = id();
}

[[gnu::weak]] void thread::detach() {
  const int error = _M_id == id() ? EINVAL : __gthread_detach(_M_id._M_thread);
  if (error) __throw_system_error(error);
  _M_id = id();
}

}  // namespace std
