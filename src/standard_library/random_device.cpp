// Where random numbers come from is named by a string.

#include <random>
#include <string>

#include "instrument/described.hpp"

MUSTER_DESCRIBED(_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE,
                 muster::describe::reads(1, sizeof(std::string)))
