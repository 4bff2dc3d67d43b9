/* facts.h: what a run's environment tells a figure
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

G_BEGIN_DECLS

/* Texts are NULL and numbers NAN where the environment does not say. */
typedef struct
{
  char *device, *driver, *date; /* the date: "2026-11-21" */
  gboolean simulated;
  double link_bandwidth, link_generation, link_width, memory_bandwidth; /* bytes per second */
  double l2_bytes;
} MemlaneFacts;

/* Fills @facts, which are then to be cleared. */
void memlane_facts_read (const MemlaneRun *run, MemlaneFacts *facts);
void memlane_facts_clear (MemlaneFacts *facts);
/* A device's name as people read it, without "(simulated)". (transfer full) */
char *memlane_facts_name_model (const char *name);
/* The same with it: the word is one of theirs. (transfer full) */
char *memlane_facts_name_device (const char *name);
/* "NVIDIA H200 · driver 580.159.04 · 2026-11-21", each machine once, three at most. (transfer full) */
char *memlane_facts_describe (const MemlaneFacts *facts, guint n_facts);

G_END_DECLS
