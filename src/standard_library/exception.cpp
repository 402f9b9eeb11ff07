// Exceptions, as far as making and moving them reads or changes objects of the program.

#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "instrument/described.hpp"

using namespace muster::describe;

MUSTER_DESCRIBED(_ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt11logic_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt11logic_errorC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt13runtime_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt13runtime_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt13runtime_errorC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt12domain_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt12domain_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt12domain_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt12domain_errorC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt16invalid_argumentC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt16invalid_argumentC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt16invalid_argumentC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt12length_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt12length_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt12length_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt12length_errorC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt12out_of_rangeC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt12out_of_rangeC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt12out_of_rangeC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt11range_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt11range_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt11range_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt11range_errorC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt14overflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt14overflow_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt14overflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt14overflow_errorC2EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt15underflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt15underflow_errorC1EPKc, reads_text(1))
MUSTER_DESCRIBED(_ZNSt15underflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt15underflow_errorC2EPKc, reads_text(1))

MUSTER_DESCRIBED(_ZNSt11logic_errorC1EOS_, writes(1, sizeof(std::logic_error)))
MUSTER_DESCRIBED(_ZNSt11logic_errorC2EOS_, writes(1, sizeof(std::logic_error)))
MUSTER_DESCRIBED(_ZNSt13runtime_errorC1EOS_, writes(1, sizeof(std::runtime_error)))
MUSTER_DESCRIBED(_ZNSt13runtime_errorC2EOS_, writes(1, sizeof(std::runtime_error)))
MUSTER_DESCRIBED(_ZNSt11logic_erroraSEOS_, writes(0, sizeof(std::logic_error)), writes(1, sizeof(std::logic_error)))
MUSTER_DESCRIBED(_ZNSt13runtime_erroraSEOS_, writes(0, sizeof(std::runtime_error)),
                 writes(1, sizeof(std::runtime_error)))

// A file's error holds paths.
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1116filesystem_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt10error_code,
    reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1116filesystem_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS0_4pathESt10error_code,
    reads(1, sizeof(std::string)), reads(2, sizeof(std::filesystem::path)))
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1116filesystem_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS0_4pathESC_St10error_code,
    reads(1, sizeof(std::string)), reads(2, sizeof(std::filesystem::path)), reads(3, sizeof(std::filesystem::path)))
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1116filesystem_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt10error_code,
    reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1116filesystem_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS0_4pathESt10error_code,
    reads(1, sizeof(std::string)), reads(2, sizeof(std::filesystem::path)))
MUSTER_DESCRIBED(
    _ZNSt10filesystem7__cxx1116filesystem_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS0_4pathESC_St10error_code,
    reads(1, sizeof(std::string)), reads(2, sizeof(std::filesystem::path)), reads(3, sizeof(std::filesystem::path)))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1116filesystem_error4whatEv,
                 reads(0, sizeof(std::filesystem::filesystem_error)))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1116filesystem_error5path1Ev,
                 reads(0, sizeof(std::filesystem::filesystem_error)))
MUSTER_DESCRIBED(_ZNKSt10filesystem7__cxx1116filesystem_error5path2Ev,
                 reads(0, sizeof(std::filesystem::filesystem_error)))

// Errors of streams, as system_error.
MUSTER_DESCRIBED(_ZNSt8ios_base7failureB5cxx11C1EPKcRKSt10error_code, reads_text(1), reads(2, sizeof(std::error_code)))
MUSTER_DESCRIBED(_ZNSt8ios_base7failureB5cxx11C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt8ios_base7failureB5cxx11C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKSt10error_code,
                 reads(1, sizeof(std::string)), reads(2, sizeof(std::error_code)))
MUSTER_DESCRIBED(_ZNSt8ios_base7failureB5cxx11C2EPKcRKSt10error_code, reads_text(1), reads(2, sizeof(std::error_code)))
MUSTER_DESCRIBED(_ZNSt8ios_base7failureB5cxx11C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 reads(1, sizeof(std::string)))
MUSTER_DESCRIBED(_ZNSt8ios_base7failureB5cxx11C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKSt10error_code,
                 reads(1, sizeof(std::string)), reads(2, sizeof(std::error_code)))

// What a pointer to an exception is asked through its own functions.
MUSTER_DESCRIBED(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv, reads(0, sizeof(std::exception_ptr)))
MUSTER_DESCRIBED(_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv, reads(0, sizeof(std::exception_ptr)))
MUSTER_DESCRIBED(_ZNSt15__exception_ptr13exception_ptr4swapERS0_, writes(0, sizeof(std::exception_ptr)),
                 writes(1, sizeof(std::exception_ptr)))
MUSTER_DESCRIBED(_ZNSt15__exception_ptr13exception_ptraSERKS0_, writes(0, sizeof(std::exception_ptr)),
                 reads(1, sizeof(std::exception_ptr)))
MUSTER_DESCRIBED(_ZNSt15__exception_ptr13exception_ptrC1ERKS0_, reads(1, sizeof(std::exception_ptr)))
MUSTER_DESCRIBED(_ZNSt15__exception_ptr13exception_ptrC2ERKS0_, reads(1, sizeof(std::exception_ptr)))
