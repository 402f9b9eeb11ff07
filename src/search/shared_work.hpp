#pragma once
// Who works at a search that several workers share, who waits for work, and how large a piece is worth giving away.
// Lies in shared memory.

#include <cstdint>
#include <limits>

namespace muster {

/// Sleeps 50 microseconds, also where sleeping is trapped.
void short_sleep();

class SharedWork {
 public:
  /// A worker comes; false if there is nothing to join.
  bool join();
  /// It goes, once it was given nothing.
  void leave();
  /// For the worker that started alone, after it was given nothing: waits until it is alone again. Nobody joins from
  /// then on.
  void close();
  /// For whoever takes care of a worker that died: nobody joins from now on.
  void shut();

  static constexpr double nothing_is_asked_for = std::numeric_limits<double>::infinity();
  /// How many executions a piece must have, about, to be given away now. Where somebody waits, as many as pay for
  /// taking it. Else pieces that take long are kept in stock, so that nobody has to wait for one to be cut off.
  double least_piece() const {
    const unsigned waiting = __atomic_load_n(&waiting_jobs_, __ATOMIC_RELAXED);
    if (__atomic_load_n(&idle_, __ATOMIC_RELAXED) > waiting) return smallest_piece_;
    return waiting < __atomic_load_n(&stock_, __ATOMIC_RELAXED) ? stock_piece_ : nothing_is_asked_for;
  }
  /// So many pieces are kept in stock, however few workers there are: whoever stops the search wants to divide what is
  /// left of it.
  void keep_in_stock(unsigned pieces) { wanted_stock_ = pieces; }
  /// So many executions a worker makes in a second.
  void tell_rate(double executions_per_second);

  /// The job that was taken is finished.
  void done();

  void stop() { __atomic_store_n(&stopped_, true, __ATOMIC_RELEASE); }
  /// Nothing is left, and nobody makes more.
  bool is_over() const { return stopped_ || (waiting_jobs_ == 0 && idle_ == workers_); }
  bool stopped() const { return __atomic_load_n(&stopped_, __ATOMIC_ACQUIRE); }

  /// How long workers waited for work since this was asked last, added up: seconds of a processor each. Where there are
  /// more workers than processors, time passes more slowly for all of them, and is counted so.
  double take_idle_seconds();

 protected:
  /// Nobody has taken anything of `jobs` yet.
  void begin(unsigned workers, unsigned jobs);
  /// One worker has taken the only job; others may join it.
  void begin_alone();
  class Lock {
   public:
    explicit Lock(SharedWork& work) : work_(work) { work_.lock(); }
    ~Lock() { work_.unlock(); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    SharedWork& work_;
  };

  /// Under the lock: somebody has taken a job.
  void taken() { set_workers(workers_, idle_ - 1); }

  unsigned waiting_jobs_ = 0;

 private:
  void lock();
  void unlock();
  void set_workers(unsigned workers, unsigned idle);

  int locked_ = 0;
  unsigned idle_ = 0;
  unsigned workers_ = 0;
  bool stopped_ = false;
  bool open_ = false;
  unsigned stock_ = 0, wanted_stock_ = 0;
  double smallest_piece_ = 1, stock_piece_ = 1000;  // before a rate was told
  double idle_seconds_ = 0;
  std::int64_t counted_until_ = 0;  // nanoseconds
};

}  // namespace muster
