#include "finding/finding.hpp"
