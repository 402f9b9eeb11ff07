// muster-mpi: what `muster distribute` runs on each rank.

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <utility>

#include "command/duration.hpp"
#include "command/edge.hpp"
#include "command/suggest.hpp"
#include "distribute/distribution.hpp"
#include "distribute/files.hpp"

namespace muster {
namespace {

volatile std::sig_atomic_t interrupted = 0;

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm_rank(MPI_COMM_WORLD, &me_);
  }
  int count() const override { return count_; }
  int me() const override { return me_; }
  void send(int rank, Letter letter, const std::string& bytes) override {
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, rank, static_cast<int>(letter), MPI_COMM_WORLD);
  }
  std::optional<Received> receive() override {
    int arrived = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &status);
    if (!arrived) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Received received{status.MPI_SOURCE, static_cast<Letter>(status.MPI_TAG),
                      std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(received.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return received;
  }

 private:
  int count_ = 1, me_ = 0;
};

struct Mpi {
  Mpi(int& argc, char**& argv) { MPI_Init(&argc, &argv); }
  ~Mpi() { MPI_Finalize(); }
};

void add_flags(CLI::App& app, DistributeOptions& options, std::string& budget) {
  app.add_option("--budget", budget, "Stop after so long by the clock: 60s, 5m, 2h");
  app.add_option("--checkpoint", options.checkpoint,
                 "Write here now and then, and when the run is stopped, what is left");
  app.add_option("--resume", options.resume, "Go on where the run stopped that wrote this checkpoint");
  app.add_option("--piece", options.piece_seconds, "Seconds after which a part may be divided again")
      ->capture_default_str();
  app.add_option("--checkpoint-every", options.checkpoint_seconds, "Seconds")->capture_default_str();
  app.add_flag("--quiet,-q", options.quiet, "Say nothing of the ranks");
  app.add_option("PROGRAM", options.command,
                 "After --: the test program with its flags, or muster check with its files")
      ->required();
}

int lead(Crew& crew, int argc, char** argv) {
  DistributeOptions options;
  std::string budget;
  CLI::App app{"Spreads a search over the ranks of an MPI job", "muster distribute"};
  add_flags(app, options, budget);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return explain_usage(app, error);
  }
  if (!budget.empty()) options.budget_seconds = parse_seconds(budget);
  const auto is_interrupted = [] { return interrupted != 0; };
  if (const auto code = check_files(crew, options, is_interrupted)) return static_cast<int>(*code);
  return static_cast<int>(Distribution(crew, std::move(options), is_interrupted).run());
}

int run(int argc, char** argv) {
  for (const int stop : {SIGINT, SIGTERM}) std::signal(stop, [](int) { interrupted = 1; });
  const Mpi mpi(argc, argv);
  MpiRanks ranks;
  if (ranks.me() != 0) {
    serve(ranks);
    return 0;
  }
  Crew crew(ranks);  // the others end with it, whatever happens here
  return lead(crew, argc, argv);
}

}  // namespace
}  // namespace muster

int main(int argc, char** argv) { return muster::run_to_the_edge("muster distribute", muster::run, argc, argv); }
