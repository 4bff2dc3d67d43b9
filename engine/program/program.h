/* program.h: the program that a memory mode stands for
 *
 * SPDX-License-Identifier: MIT
 *
 * Every mode as one CUDA source file that compiles with nvcc and runs: the vector addition c[i] = a[i] + b[i]. It makes the same calls in
 * the same order that this engine makes and times. Each of them is checked, and the result is compared. Meant to be read, and to be copied
 * from.
 *
 * A program takes CUDA 12 or newer and nothing else. It asks for what the mode needs before it uses it. It prints one line: size, median
 * time, bandwidth and "ok". The time is on the host's clock, from the first call until the result may be read. The bandwidth is 12 bytes an
 * element by that time, in GB/s (10^9). Its exit status is 0. It is 1 when a call failed (standard error names call, error and what to do)
 * or the result is wrong. It is 2 when the device cannot run the mode. Its comments are English, as all source is.
 *
 * The kernel is the engine's own (kernels/vector.cu), in the shape of the mode.
 */
#pragma once

#include <glib.h>

#include "mode/mode.h"

G_BEGIN_DECLS

/* The source text for vectors of 2^@log2_elements floats, MEMLANE_SMALLEST_LOG2 to MEMLANE_LARGEST_LOG2 (measure/plan.h), whole or not, as
 * memlane_plan_read_size() reads them. @streams and
 * @chunks matter to the stream modes alone, up to MEMLANE_MOST_STREAMS and MEMLANE_MOST_CHUNKS. They are cut to what the size has room for,
 * as in a sweep. Zeros stand for 2^20 floats, 8 streams, 8 chunks. @of_pieces: @chunks scattered pieces go to the device, by default 1024.
 * Modes that have no way to move pieces give the vector addition all the same, and those that do nothing else give their pieces. Never
 * fails; any thread. Returns: (transfer full). */
char *memlane_program_for_mode (const MemlaneMode *mode, gboolean of_pieces, double log2_elements, guint streams, guint chunks);

/* "pinned.cu"; (transfer full). */
char *memlane_program_file_name (const MemlaneMode *mode);

/* Writes @text to @path ("-": standard output): it is whole there or as it was. A file that holds just that is left alone, so that make and
 * its kind see no change. FALSE with @error (MEMLANE_FILE_ERROR_IO, "cannot write PATH: REASON"). */
gboolean memlane_program_write (const char *text, const char *path, GError **error);

G_END_DECLS
