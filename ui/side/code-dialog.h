/* code-dialog.h: a memory mode as a program: to read, to copy, to save
 *
 * SPDX-License-Identifier: MIT
 *
 * A window of its own, beside the main one, which it goes with. Actions: code.copy (Ctrl+Shift+C)
 * puts the whole program on the clipboard, code.save (Ctrl+S) asks for a file; Escape closes. The
 * text is read-only, can be selected, and Tab leaves it.
 */
#pragma once

#include <adwaita.h>

#include "memlane.h"

#define MEMLANE_TYPE_CODE_DIALOG (memlane_code_dialog_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneCodeDialog, memlane_code_dialog, MEMLANE, CODE_DIALOG, AdwWindow)

/* Shows the program of @mode, data/programs/MODE.cu. Shown by gtk_window_present(). */
MemlaneCodeDialog *memlane_code_dialog_new (GtkWindow *parent, const MemlaneMode *mode);
