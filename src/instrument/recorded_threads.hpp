#pragma once
// The lives of real threads, told to the recorder.

#include <pthread.h>

#include "base/event.hpp"

namespace muster {

/// pthread_create of a thread that is recorded from its first event on.
int create_recorded_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument,
                           SiteId site);

/// After an attempt to join, with the attempt's error, which it gives back.
int joined_recorded_thread(int error, pthread_t thread, SiteId site);

}  // namespace muster
