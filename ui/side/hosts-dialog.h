/* hosts-dialog.h: the machines that can measure: added, changed, tested, removed
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/device-choice.h"

#define MEMLANE_TYPE_HOSTS_DIALOG (memlane_hosts_dialog_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneHostsDialog, memlane_hosts_dialog, MEMLANE, HOSTS_DIALOG, AdwPreferencesWindow)

/* Each change is saved at once; when the dialog goes, @devices look again where there was one. */
GtkWindow *memlane_hosts_dialog_new (GtkWindow *parent, MemlaneBench *bench, MemlaneDeviceChoice *devices);
