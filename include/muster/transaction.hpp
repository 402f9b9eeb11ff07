#pragma once
// Marks what is meant to be atomic, for `muster record` and `muster predict`:
//
//   void transfer(Account& from, Account& to, int amount) {
//     const muster::Transaction atomic;
//     …
//   }
//
// In a program that Muster's runtime is not linked into, this does nothing.

extern "C" {
__attribute__((weak)) void muster_begin_transaction();
__attribute__((weak)) void muster_end_transaction();
}

namespace muster {

/// From its construction to its destruction the thread does one thing. A transaction inside another belongs to the
/// outer one.
class Transaction {
 public:
  Transaction() {
    if (muster_begin_transaction) muster_begin_transaction();
  }
  ~Transaction() {
    if (muster_end_transaction) muster_end_transaction();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
};

}  // namespace muster
