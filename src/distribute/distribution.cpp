#include "distribute/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "merge/read_report.hpp"
#include "report/terminal.hpp"

namespace muster {
namespace {

constexpr unsigned pieces_for_each = 3;
constexpr unsigned most_losses = 3;
// What is asked to stop sooner has hardly begun.
constexpr double least_seconds = 0.5;

double seconds_since(Crew::Clock::time_point then) {
  return std::chrono::duration<double>(Crew::Clock::now() - then).count();
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("{}: cannot be read", path);
  return {std::istreambuf_iterator<char>(file), {}};
}

ExitCode code_of(const JobEnd& end) {
  return end.exit_code >= 0 && end.exit_code <= 3 ? static_cast<ExitCode>(end.exit_code) : ExitCode::undecided;
}

}  // namespace

Distribution::Distribution(Crew& crew, DistributeOptions options, std::function<bool()> interrupted)
    : options_(std::move(options)), crew_(crew), halt_(Halt::after(options_.budget_seconds), std::move(interrupted)) {}

ExitCode Distribution::run() {
  std::string checkpoint = options_.resume.empty() ? "" : contents(options_.resume);
  for (;;) {
    const auto left = begin(checkpoint);
    if (!left) break;
    checkpoint = *left;
    if (is_over()) return stopped(checkpoint);
    const CheckpointText whole = parse_checkpoint(checkpoint, "what is left");
    if (whole.pieces_left() + whole.tests_left().size() == 0) {
      seconds_to_begin_ *= 2;  // it was not even begun, or something small ended there
      continue;
    }
    const auto rest = search(whole);
    if (!rest) break;
    checkpoint = to_text(*rest);
    if (is_over()) return stopped(checkpoint);
  }
  tell_times();
  return code_;
}

std::optional<std::string> Distribution::begin(const std::string& checkpoint) {
  Job job;
  job.id = next_id_++;
  job.command = options_.command;
  for (const char* word : {"--checkpoint", Job::output_word, "--json", Job::report_word}) job.command.push_back(word);
  if (!checkpoint.empty()) {
    job.command.push_back("--resume");
    job.command.push_back(Job::input_word);
    job.input = checkpoint;
  }
  crew_.give(0, job);
  std::optional<JobEnd> end;
  while (!end) {
    crew_.look([&](int, JobEnd ended) { end = std::move(ended); });
    if (is_over() || crew_.seconds_at_work(0) > seconds_to_begin_) crew_.ask_to_stop(0);
  }
  fmt::print(stderr, "{}", end->errors);
  if (end->report.empty()) {  // it does something else than to search, or cannot
    fmt::print("{}", end->said);
    code_ = code_of(*end);
    return std::nullopt;
  }
  tell(end->report, !end->output.empty());
  if (!end->output.empty()) return end->output;
  code_ = code_of(*end);
  return std::nullopt;
}

/// Of a run that was stopped only what came to its end: the rest is still to be searched.
void Distribution::tell(const std::string& text, bool finished_only) {
  Report report = parse_report(text, "a report");
  const TerminalStyle style = TerminalStyle::for_file(stdout, report.program);
  for (Result& result : report.results) {
    if (finished_only && !result.stopped.empty()) continue;
    result.coverage.seconds = seconds_since(started_);
    if (result.outcome == Outcome::failed) code_ = ExitCode::finding;
    fmt::print("{}", draw(result, style));
  }
  std::fflush(stdout);
}

std::optional<CheckpointText> Distribution::search(const CheckpointText& whole) {
  waiting_.clear();
  done_.clear();
  learned_ = failed_ = false;
  for (CheckpointText& part : divide(whole, static_cast<unsigned>(crew_.size()) * pieces_for_each))
    waiting_.push_back({std::move(part)});
  while (crew_.anybody_works() || (!waiting_.empty() && !learned_ && !failed_ && !is_over())) {
    const bool ends = learned_ || failed_ || is_over();
    if (ends)
      crew_.ask_all_to_stop();
    else
      hand_out(), divide_what_takes_long(), keep_checkpoint();
    crew_.look([this](int rank, JobEnd end) { ended(rank, std::move(end)); });
  }
  if (failed_) return std::nullopt;
  return all_that_is_known(false);
}

void Distribution::hand_out() {
  for (const int rank : crew_.idle()) {
    if (waiting_.empty()) return;
    Job job;
    job.id = next_id_++;
    job.command = options_.command;
    for (const char* word : {"--resume", Job::input_word, "--json", Job::report_word}) job.command.push_back(word);
    job.input = to_text(waiting_.front().part);
    job.output_suffix = ".done";
    under_way_[rank] = std::move(waiting_.front());
    waiting_.pop_front();
    crew_.give(rank, job);
  }
}

/// So that nobody has to wait, whoever is at a part for long says what is left of it before the others have none.
void Distribution::divide_what_takes_long() {
  const auto idle = crew_.idle().size();
  const auto wanted = idle + static_cast<std::size_t>(crew_.size() + 1) / 2;
  if (waiting_.size() >= wanted) return;
  std::vector<std::pair<double, int>> by_time;
  for (const auto& [rank, piece] : under_way_) by_time.emplace_back(crew_.seconds_at_work(rank), rank);
  std::ranges::sort(by_time, std::greater<>());
  const double least = idle > waiting_.size() ? least_seconds : options_.piece_seconds;
  std::size_t asked = static_cast<std::size_t>(
      std::ranges::count_if(by_time, [this](const auto& at) { return crew_.was_asked_to_stop(at.second); }));
  for (const auto& [seconds, rank] : by_time) {
    if (seconds < least || waiting_.size() + 2 * asked >= wanted) return;
    if (crew_.was_asked_to_stop(rank)) continue;
    crew_.ask_to_stop(rank);
    ++asked;
  }
}

void Distribution::ended(int rank, JobEnd end) {
  const auto at = under_way_.find(rank);
  if (at == under_way_.end()) return;
  Piece piece = std::move(at->second);
  under_way_.erase(at);
  take_result(std::move(piece), end);
}

void Distribution::take_result(Piece piece, const JobEnd& end) {
  if (end.output.empty()) return lose(std::move(piece), end);
  CheckpointText part = parse_checkpoint(end.output, "a part");
  if (part.outcome == "failed") {
    if (!failed_) tell(end.report, false);
    failed_ = true;
    code_ = ExitCode::finding;
    return;
  }
  if (part.outcome == "undecided" && piece.losses + 1 < most_losses) return lose(std::move(piece), end);
  if (part.outcome == "undecided") {
    tell(end.report, false);
    code_ = ExitCode::undecided;
  }
  learned_ |= part.outcome == "learned";
  const std::size_t left = part.pieces_left() + part.tests_left().size();
  if (part.outcome != "stopped" || left == 0) {
    done_.push_back(std::move(part));
    compact();
    return;
  }
  const auto wanted =
      static_cast<unsigned>(std::clamp<std::size_t>(left, 1, static_cast<std::size_t>(crew_.size()) + 1));
  for (CheckpointText& smaller : divide(part, wanted)) waiting_.push_back({std::move(smaller)});
}

/// Its process was killed, or one of its workers: nothing of what it did was counted, and somebody does it again.
void Distribution::lose(Piece piece, const JobEnd& end) {
  if (++piece.losses >= most_losses || end.exit_code == static_cast<int>(ExitCode::bad_input))
    fail("a part of the search could not be done: {}{}", end.said, end.errors);
  waiting_.push_front(std::move(piece));
}

/// Parts that are done are kept as one.
void Distribution::compact() {
  constexpr std::size_t most = 32;
  if (done_.size() < most) return;
  std::vector<const CheckpointText*> parts;
  for (const CheckpointText& part : done_) parts.push_back(&part);
  CheckpointText together = join_all(parts, true).rest;
  done_.clear();
  done_.push_back(std::move(together));
}

CheckpointText Distribution::all_that_is_known(bool everything) const {
  std::vector<const CheckpointText*> parts;
  for (const CheckpointText& part : done_) parts.push_back(&part);
  for (const Piece& piece : waiting_) parts.push_back(&piece.part);
  for (const auto& [rank, piece] : under_way_) parts.push_back(&piece.part);
  return join_all(parts, everything).rest;
}

void Distribution::keep_checkpoint() {
  if (options_.checkpoint.empty() || seconds_since(kept_) < options_.checkpoint_seconds) return;
  kept_ = Crew::Clock::now();
  write_checkpoint(options_.checkpoint, all_that_is_known(false));
}

ExitCode Distribution::stopped(const std::string& checkpoint) {
  const CheckpointText left = parse_checkpoint(checkpoint, "what is left");
  fmt::print("{}: stopped before it was done, with {} pieces left\n", left.subject, left.pieces_left());
  if (options_.checkpoint.empty()) {
    fmt::print("--checkpoint FILE writes how far a run got when it is stopped\n");
  } else {
    write_checkpoint(options_.checkpoint, left);
    fmt::print("Resume   muster distribute --resume {0} --checkpoint {0} -- {1}, on any number of ranks\n",
               options_.checkpoint, options_.command.front());
  }
  tell_times();
  return code_ == ExitCode::finding ? code_ : ExitCode::undecided;
}

void Distribution::tell_times() const {
  if (options_.quiet) return;
  const Crew::Times& times = crew_.times();
  fmt::print("     {} rank{}, {} parts, {} kB; the ranks waited for work {:.1f} % of the time.\n", crew_.size(),
             crew_.size() == 1 ? "" : "s", times.jobs, times.bytes / 1000, 100 * times.idle_share());
}

}  // namespace muster
