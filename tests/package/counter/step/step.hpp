#pragma once

constexpr int one_step = 1;
