/* lab-options.h: everything that may be asked of the stream laboratory, one control each, and the devices where the order decides
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "changed": by the person, not by set_choice().
 */
#pragma once

#include <gtk/gtk.h>

#include "model/lab-choice.h"
#include "model/sweep-job.h"

#define MEMLANE_TYPE_LAB_OPTIONS (memlane_lab_options_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneLabOptions, memlane_lab_options, MEMLANE, LAB_OPTIONS, GtkBox)

/* Once, after it was made: the choice of devices that the buttons change. Takes references. */
void memlane_lab_options_follow (MemlaneLabOptions *self, MemlaneDeviceChoice *devices, MemlaneSweepJob *sweep);
void memlane_lab_options_set_choice (MemlaneLabOptions *self, const MemlaneLabChoice *choice);
void memlane_lab_options_get_choice (MemlaneLabOptions *self, MemlaneLabChoice *choice);
