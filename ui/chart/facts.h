/* facts.h: the names of machines
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"

/* A device's name as people read it, without "(simulated)". (transfer full) */
char *memlane_facts_name_model (const char *name);
/* The same with it: the word is one of theirs. (transfer full) */
char *memlane_facts_name_device (const char *name);
/* "NVIDIA H200 · driver 580.159.04 · 2026-11-21", each machine once, three at most. (transfer full) */
char *memlane_facts_describe (const MemlaneRun *const *runs, guint n_runs);
