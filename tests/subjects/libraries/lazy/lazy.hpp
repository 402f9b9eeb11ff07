#pragma once

void use_lazily();
