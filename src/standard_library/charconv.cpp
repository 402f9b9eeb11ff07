// Floating-point numbers from and to characters; others are converted inline.

#include "instrument/described.hpp"

using namespace muster::describe;

MUSTER_DESCRIBED(_ZSt10from_charsPKcS0_RfSt12chars_format, reads_until(0, 1))
MUSTER_DESCRIBED(_ZSt10from_charsPKcS0_RdSt12chars_format, reads_until(0, 1))
MUSTER_DESCRIBED(_ZSt10from_charsPKcS0_ReSt12chars_format, reads_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_f, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_fSt12chars_format, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_fSt12chars_formati, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_d, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_dSt12chars_format, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_dSt12chars_formati, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_e, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_eSt12chars_format, writes_until(0, 1))
MUSTER_DESCRIBED(_ZSt8to_charsPcS_eSt12chars_formati, writes_until(0, 1))
