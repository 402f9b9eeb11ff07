#include "finding/words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace muster {
namespace {

/// The words of an enumeration, each read back as what it was written for.
template <class E>
std::set<std::string_view> words_that_come_back() {
  std::set<std::string_view> words;
  for (unsigned i = 0; i < number_of<E>; ++i) {
    const std::string_view word = name(static_cast<E>(i));
    if (find_word<E>(word) == static_cast<E>(i)) words.insert(word);
  }
  return words;
}

TEST(Words, EachStandsForOneThing) {
  EXPECT_EQ(words_that_come_back<Outcome>().size(), number_of<Outcome>);
  EXPECT_EQ(words_that_come_back<SubjectKind>().size(), number_of<SubjectKind>);
  EXPECT_EQ(words_that_come_back<FindingKind>().size(), number_of<FindingKind>);
  EXPECT_EQ(words_that_come_back<FindingGrade>().size(), number_of<FindingGrade>);
}

TEST(Words, AreThoseOfFilesThatExist) {
  const std::pair<std::string_view, FindingKind> words[] = {
      {"requirement", FindingKind::requirement},
      {"exception", FindingKind::exception},
      {"crash", FindingKind::crash},
      {"abort", FindingKind::abort},
      {"deadlock", FindingKind::deadlock},
      {"livelock", FindingKind::livelock},
      {"race", FindingKind::race},
      {"use-after-free", FindingKind::use_after_free},
      {"double-free", FindingKind::double_free},
      {"invalid-free", FindingKind::invalid_free},
      {"out-of-bounds", FindingKind::out_of_bounds},
      {"leak", FindingKind::leak},
      {"misuse", FindingKind::misuse},
      {"hang", FindingKind::hang},
      {"unsupported", FindingKind::unsupported},
      {"not-reproducible", FindingKind::not_reproducible},
      {"limit", FindingKind::limit},
      {"possible-race", FindingKind::possible_race},
      {"not-linearizable", FindingKind::not_linearizable},
      {"nondeterministic-own-threads", FindingKind::own_threads},
      {"nondeterministic-unlucky", FindingKind::unlucky},
      {"not-synchronisation-linearizable", FindingKind::no_synchronisation},
      {"not-quasi-linearizable", FindingKind::not_quasi},
      {"not-sequentially-consistent", FindingKind::not_sequential},
      {"not-quiescently-consistent", FindingKind::not_quiescent},
      {"not-safe", FindingKind::not_safe},
      {"atomicity-violation", FindingKind::atomicity_violation},
      {"undecided", FindingKind::undecided},
  };
  for (const auto& [word, kind] : words) EXPECT_EQ(name(kind), word);
  EXPECT_EQ(find_word<FindingKind>("data-race"), std::nullopt);
}

}  // namespace
}  // namespace muster
