#pragma once
// The processes that a search is spread over. Rank 0 says what is done; all of them, rank 0 too, do it.

#include <optional>
#include <string>

namespace muster {

enum class Letter { job, stop, end, done };

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int count() const = 0;
  virtual int me() const = 0;
  virtual void send(int rank, Letter letter, const std::string& bytes) = 0;
  struct Received {
    int rank;
    Letter letter;
    std::string bytes;
  };
  virtual std::optional<Received> receive() = 0;
};

/// What every rank but the first does, until it is told to end.
void serve(Ranks& ranks);

}  // namespace muster
