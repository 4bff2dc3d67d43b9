/* shape.h: how the kernel is launched that is shaped for the link
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain C without CUDA: the launcher takes these numbers, and data/programs/mapped-shaped.cu has
 * the same. An ordinary launch has one thread for each element. A shaped one has a few blocks. Each
 * walks over the vectors in 16-byte steps, so that few and straight streams of reads cross the
 * link.
 */
#pragma once

#define MEMLANE_ORDINARY_THREADS 256
#define MEMLANE_SHAPED_THREADS 512

/* X (compute capability x 10, blocks): the count that tests/gpu/kernel-variants found fastest on
 * such a GPU. Add a row for another. */
#define MEMLANE_SHAPES(X) X (90, 66)
/* Blocks on a GPU without a row: a guess. */
#define MEMLANE_SHAPED_BLOCKS 64
