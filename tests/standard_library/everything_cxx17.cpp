#include "everything.cpp"
