// `muster distribute`: hands over to the MPI program, which is a package of its own.

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <filesystem>

#include "cli/command.hpp"

namespace muster::cli {

Action add_distribute(CLI::App& app) {
  app.description(
      "Spread a search over the ranks of an MPI job: mpirun -n 64 muster distribute -- ./queue_check --unbounded");
  app.footer(
      "Examples:\n"
      "  mpirun -n 64 muster distribute --checkpoint run -- ./queue_check --unbounded -j 8\n"
      "  srun --mpi=pmix muster distribute --budget 2h --checkpoint run -- ./queue_check --unbounded\n"
      "  mpirun -n 3 muster distribute --resume run -- ./queue_check --unbounded\n"
      "  mpirun -n 8 muster distribute -- muster check --spec queue logs/*.jsonl\n\n"
      "Needs the program muster-mpi beside muster or on the PATH. `muster-mpi --help` says its flags.");
  app.prefix_command();
  return [&app] {
    std::vector<std::string> words{"muster-mpi"};
    for (const std::string& word : app.remaining()) words.push_back(word);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::error_code problem;
    const auto here = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path() / "muster-mpi";
    execv(here.c_str(), arguments.data());
    execvp("muster-mpi", arguments.data());
    fail(
        "muster-mpi is not installed ({}): install the package muster-mpi, or build where MPI is found, on Debian with "
        "libopenmpi-dev and openmpi-bin",
        strerror(errno));
    return ExitCode::bad_input;
  };
}

}  // namespace muster::cli
