#include "ledger.hpp"

int Ledger::read() const { return value_.load(); }
void Ledger::write(int value) { value_.store(value); }
int Ledger::add(int amount) { return value_.fetch_add(amount); }
