/* reference.h: what each kernel must compute, on the host
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain C without CUDA: the simulated device computes with these, and the tests hold the GPU's
 * results against them. One IEEE addition per element on both sides, so results are equal bit by
 * bit.
 */
#pragma once

#include <stddef.h>

/* out[i] = a[i] + b[i]. @out must not overlap the inputs. */
void memlane_reference_add (float *restrict out, const float *restrict a, const float *restrict b,
                            size_t n);
/* out[i] = a[i]. @out must not overlap @a. */
void memlane_reference_copy (float *restrict out, const float *restrict a, size_t n);

