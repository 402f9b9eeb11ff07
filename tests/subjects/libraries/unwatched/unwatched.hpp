#pragma once
// A library as others build theirs, without instrumentation. Its locks and flags are atomics that nobody sees.

#include <atomic>
#include <cstdarg>
#include <memory>
#include <string>

namespace unwatched {

/// A lock that yields while it is taken.
void lock(int* word);
void unlock(int* word);

/// The same, described in the program.
void lock_described(int* word);
void unlock_described(int* word);

/// Fills so many items of so many bytes; how many bytes that were.
long fill(void* items, unsigned long count, unsigned long size);
void copy(void* to, const void* from, unsigned long size);

/// Calls `function` while the lock is held.
void with_lock(int* word, void (*function)(void*), void* argument);

/// A flag: who sees it set sees what was done before.
void set(int* flag);
bool is_set(const int* flag);
/// Returns when it is set.
void await(const int* flag);

/// The words of a program's own atomic, read and written.
int load(const std::atomic<int>& word);
void store(std::atomic<int>& word, int value);

/// A lock by pointers to functions, which nobody calls by name.
struct Operations {
  void (*lock)(int*);
  void (*unlock)(int*);
};
const Operations* operations();

/// A lock of a class that the library keeps to itself.
class Lock {
 public:
  virtual ~Lock() = default;
  virtual void lock() = 0;
  virtual void unlock() = 0;
};
Lock* make_lock();

/// What is counted by both.
std::shared_ptr<std::string> make_text();
void drop(std::shared_ptr<std::string> text);

/// What calls a function on a thread of the library's own, and when that is done.
class Worker {
 public:
  Worker(void (*function)(void*), void* argument);
  ~Worker();
  Worker(const Worker&) = delete;
  void wait() const;

 private:
  static void* run(void* self);
  void (*function_)(void*);
  void* argument_;
  unsigned long thread_;
  int done_ = 0;
};

/// Looks at nothing but its arguments.
int nothing(int value);

// Arguments and results of all kinds.
struct Large {
  long numbers[40];
};
struct Pair {
  double first;
  long second;
};
long sum(int a, int b, int c, int d, int e, int f, int g, int h, double x, double y, const Large by_value, char last);
long sum_of(int count, ...);
Pair pair_of(double first, long second);
Large large_of(long first, long step);
long double half(long double number);
void throw_number(int number);

}  // namespace unwatched
