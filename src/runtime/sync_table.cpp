#include "runtime/sync_table.hpp"

#include "base/hash.hpp"
#include "runtime/engine.hpp"

namespace muster::sync {
namespace {

std::size_t first_slot(ObjectId address, std::size_t capacity) {
  return (address * 0x9e3779b97f4a7c15 >> 40) % capacity;
}

}  // namespace

Object* Table::find(ObjectId address) {
  for (std::size_t i = first_slot(address, capacity);; ++i) {
    const Slot& slot = slots_[i % capacity];
    if (slot.generation != generation_) return nullptr;
    if (slot.address == address) return &objects_[slot.number];
  }
}

Object& Table::operator[](ObjectId address) {
  for (std::size_t i = first_slot(address, capacity);; ++i) {
    Slot& slot = slots_[i % capacity];
    if (slot.generation == generation_) {
      if (slot.address == address) return objects_[slot.number];
      continue;
    }
    if (objects_.size() >= capacity / 2) {
      engine->fatal(IncidentKind::limit, 0,
                    "an execution may use at most 8192 locks, condition variables and semaphores, a fixed limit");
    }
    slot = {address, objects_.take(), generation_};
    Object& made = objects_[slot.number];
    made.address = address;
    restart(made);
    return made;
  }
}

void Table::restart(Object& object) {
  object.waiters = object.writers = 0;
  object.count = 0;
  object.size = object.phase = object.site = 0;
  object.readers = 0;
  object.robust = false;
  object.owner = no_thread;
  engine->races().clear(object.clock);
}

/// Makes an object that exists already be found.
void Table::enter(ObjectId address, std::uint32_t number) {
  std::size_t i = first_slot(address, capacity);
  while (slots_[i % capacity].generation == generation_) ++i;
  slots_[i % capacity] = {address, number, generation_};
}

void Table::pass(Tape& tape) {
  tape.run([this](auto& strip) { objects_.pass(strip); });
  if (tape.saving()) return;
  ++generation_;
  for (std::uint32_t i = 1; i <= objects_.size(); ++i) enter(objects_[i].address, i);
}

void Table::reset() {
  ++generation_;
  objects_.reset();
}

std::uint64_t Table::state_hash() {
  std::uint64_t hash = 0;
  for (std::uint32_t i = 1; i <= objects_.size(); ++i) {
    const Object& o = objects_[i];
    hash = mix(hash ^ o.address,
               mix(o.waiters ^ (o.writers << 1), (std::uint64_t{o.owner} << 32) ^ static_cast<std::uint32_t>(o.count) ^
                                                     (std::uint64_t{o.phase} << 40)));
  }
  return hash;
}

}  // namespace muster::sync
