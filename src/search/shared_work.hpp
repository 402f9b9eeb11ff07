#pragma once
// Who works at a search that several workers share, and who waits for work. Lies in shared memory.

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

  /// Whether somebody waits for work that is not there: then it is worth splitting.
  bool hungry() const {
    return __atomic_load_n(&idle_, __ATOMIC_RELAXED) > __atomic_load_n(&waiting_jobs_, __ATOMIC_RELAXED);
  }

  /// The job that was taken is finished.
  void done();

  void stop() { __atomic_store_n(&stopped_, true, __ATOMIC_RELEASE); }
  /// Nothing is left, and nobody makes more.
  bool is_over() const { return stopped_ || (waiting_jobs_ == 0 && idle_ == workers_); }
  bool stopped() const { return __atomic_load_n(&stopped_, __ATOMIC_ACQUIRE); }

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

  unsigned idle_ = 0;
  unsigned waiting_jobs_ = 0;

 private:
  void lock();
  void unlock();

  int locked_ = 0;
  unsigned workers_ = 0;
  bool stopped_ = false;
  bool open_ = false;
};

}  // namespace muster
