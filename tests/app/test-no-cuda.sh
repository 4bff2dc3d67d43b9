#!/usr/bin/env bash
# test-no-cuda.sh: meson goes on without CUDA, and says why, where nvcc is there and of no use
# SPDX-License-Identifier: MIT
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/cuda/bin" "$work/cuda/include" "$work/cuda/lib64"
touch "$work/cuda/include/cuda_runtime_api.h"
echo 'void none (void);' >"$work/none.c"
cc -c "$work/none.c" -o "$work/none.o"
ar rc "$work/cuda/lib64/libcudart_static.a" "$work/none.o"
export PATH="$work/cuda/bin:$PATH" LC_ALL=C.UTF-8
failed=0

# expect COMPLAINT REASON: an nvcc that prints COMPLAINT and fails is left out of the build for REASON
expect() {
  printf '#!/bin/sh\necho "%s" >&2\nexit 1\n' "$1" >"$work/cuda/bin/nvcc"
  chmod +x "$work/cuda/bin/nvcc"
  rm -rf "$work/build"
  if ! meson setup "$work/build" "$source" -Dtests=false -Dgui=disabled -Dchart=disabled >"$work/said" 2>&1; then
    echo "with an nvcc that says '$1' meson failed:" >&2
    tail -n 5 "$work/said" >&2
    failed=1
  elif ! grep -F 'CUDA device' "$work/said" | tail -n 1 | grep -qF -- "$2"; then
    echo "expected a summary with '$2', and found:" >&2
    grep -F 'CUDA device' "$work/said" >&2 || true
    failed=1
  fi
}

expect '../kernels/probe.cu(6): error: #error CUDA 12 or newer is needed' \
  "NO ($work/cuda/bin/nvcc does not compile: CUDA 12 or newer is needed)"
expect 'sh: 1: g++: not found' 'g++: not found'
if [ "$failed" -eq 0 ] && meson configure "$work/build" -Dcuda=enabled && meson setup --reconfigure "$work/build" >"$work/said" 2>&1; then
  echo 'with -Dcuda=enabled meson was expected to fail' >&2
  failed=1
fi
exit "$failed"
