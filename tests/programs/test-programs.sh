#!/usr/bin/env bash
# test-programs.sh: nvcc compiles the program of every memory mode without a warning
# SPDX-License-Identifier: MIT
#
# Arguments: nvcc, the folder of the programs.
set -euo pipefail
nvcc=$1
cd "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

[ "$(find . -name '*.cu' | wc -l)" -gt 20 ]
# One architecture will do, and no object code of the host: nothing runs here, and all of it is parsed.
find . -name '*.cu' -printf '%f\0' | xargs -0 -P 2 -I {} "$nvcc" -arch=sm_75 -Werror all-warnings --fatbin -o "$work/{}.o" {}
