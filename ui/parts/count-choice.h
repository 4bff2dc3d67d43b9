/* count-choice.h: what counts as a mode's time: transfer and kernel, with host access, with
 * allocation over so many uses
 *
 * SPDX-License-Identifier: MIT
 *
 * Properties (writable, notify): "count" int MemlaneCount; "uses" uint, at least 1: seen where
 * allocation counts.
 */
#pragma once

#include <adwaita.h>

#define MEMLANE_TYPE_COUNT_CHOICE (memlane_count_choice_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneCountChoice, memlane_count_choice, MEMLANE, COUNT_CHOICE, AdwBin)
