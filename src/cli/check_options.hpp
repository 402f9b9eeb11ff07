#pragma once
// The flags of `muster check`.

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "history/read.hpp"
#include "judge/core/options.hpp"
#include "report/files.hpp"
#include "spec/builtin.hpp"

namespace muster::cli {

struct CheckOptions {
  std::vector<std::string> files;
  std::string spec;
  unsigned participants = 0;
  bool stuck = false;
  std::string model;
  std::string property = "linearizable";
  std::string quasi;
  std::string format;
  std::string map;
  std::string ties;
  std::string failed;
  std::string initial;
  std::size_t capacity = 0;
  std::string first;
  std::string keys;
  bool no_split = false;
  bool general = false;
  unsigned threads = 0;
  std::string time;
  std::string memory;
  bool explain = false;
  bool all = false;
  std::string skew;
  std::string write_core;
  ReportFiles report_files;
  Meter* meter = nullptr;                                                                      ///< of the whole command
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();  ///< of this file

  void add_to(CLI::App& app);

  ReadOptions read_options() const;
  JudgeOptions judge_options() const;
  SpecOptions spec_options() const;
};

/// "8G", "512M", "1000000" in bytes; throws Error.
std::size_t parse_size(std::string_view text, std::string_view flag);

}  // namespace muster::cli
