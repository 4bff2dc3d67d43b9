/* program.h: the parts of a program, in the order in which they are written
 *
 * SPDX-License-Identifier: MIT
 *
 * Private to engine/code.
 */
#pragma once

#include "program.h"

G_BEGIN_DECLS

typedef struct
{
  GString *text;
  const MemlaneMode *mode;
  guint log2_elements;
  guint streams, chunks; /* of the stream modes, as used */
} MemlaneProgram;

/* The same lines for each of @vectors ("abc"), which stands where the lines say @. */
void memlane_program_add_each (MemlaneProgram *program, const char *vectors, const char *lines);

gboolean memlane_program_is_mapped (const MemlaneProgram *program);
gboolean memlane_program_has_streams (const MemlaneProgram *program);
/* The inputs and the result have device memory of their own. */
gboolean memlane_program_has_copies (const MemlaneProgram *program);

/* Everything in front of main(): frame.c */
void memlane_program_add_frame (MemlaneProgram *program);

/* The parts of main(): calls.c */
void memlane_program_add_needs (MemlaneProgram *program);
void memlane_program_add_allocation (MemlaneProgram *program);
void memlane_program_add_runs (MemlaneProgram *program);
void memlane_program_add_release (MemlaneProgram *program);

G_END_DECLS
