/* remark.h: what a mode wants to be told beside its samples
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "buffers.h"

G_BEGIN_DECLS

/* Portable memory is page-locked for every device: copies the first input to the second device as well, where there is one, checks that it
 * arrived and says how fast. *@remark is NULL without a second device or without inputs. */
gboolean memlane_note_second_device (const MemlaneBuffers *buffers, char **note, GError **error);

G_END_DECLS
