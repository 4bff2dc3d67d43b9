/* device-choice.h: which devices there are, on which one is measured, and what it cannot do
 *
 * SPDX-License-Identifier: MIT
 *
 * Workers list and describe devices, so that no driver wakes, or hangs, in this process. While
 * anything is measured no device is asked: that would disturb it. GObject without GTK, main thread
 * only.
 *
 * Property: "device" string (writable, notifies): id of the chosen one, "" while the list is not
 * there yet. GSettings keep the last choice. It may be gone, or on a host that has not answered
 * yet: then another one is used meanwhile.
 * Signals:
 *   "changed": which devices there are, or what the chosen one can do
 *   "notice" (const char *sentence, gboolean trouble): something to tell the person
 */
#pragma once

#include "bench.h"
#include "memlane.h"

/* A device in the menu, or a row for all of a machine's: that it is being asked, or why it cannot
 * be reached. */
#define MEMLANE_TYPE_DEVICE_ITEM (memlane_device_item_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceItem, memlane_device_item, MEMLANE, DEVICE_ITEM, GObject)

/* Immutable: read the fields. */
struct _MemlaneDeviceItem
{
  GObject parent_instance;

  char *host, *id;           /* host: "" for this machine; id: "cuda:0", "gpu1/cuda:0" */
  char *title, *name;        /* without and with the host: "NVIDIA H200", "NVIDIA H200 on gpu1" */
  char *reason;              /* (nullable): why it cannot be used */
  gboolean simulated, asking;
};

#define MEMLANE_TYPE_DEVICE_CHOICE (memlane_device_choice_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceChoice, memlane_device_choice, MEMLANE, DEVICE_CHOICE, GObject)

/* @bench: where it is seen whether anything is measured. Nothing is listed before look(). */
MemlaneDeviceChoice *memlane_device_choice_new (MemlaneBench *bench);

/* Asks this machine and every host anew, and reads the file of hosts anew; what is measured is not
 * disturbed: then when that has ended. A listed device stays until its host has answered. */
void memlane_device_choice_look (MemlaneDeviceChoice *self);
/* For closing the window: nothing is asked any more. */
void memlane_device_choice_stop (MemlaneDeviceChoice *self);

/* This machine's, then those of each host. (element-type MemlaneDeviceItem) (transfer none) */
GListModel *memlane_device_choice_get_devices (MemlaneDeviceChoice *self);
/* (nullable) (transfer none): the chosen one */
MemlaneDeviceItem *memlane_device_choice_get_item (MemlaneDeviceChoice *self);
const char *memlane_device_choice_get_id (MemlaneDeviceChoice *self);
/* A worker is asked what a device can do; "changed" follows. */
gboolean memlane_device_choice_is_asking (MemlaneDeviceChoice *self);
/* No CUDA device is usable here: the first-start page explains the simulation. FALSE while it is
 * not known. */
gboolean memlane_device_choice_lacks_gpu (MemlaneDeviceChoice *self);

/* Returns why the chosen device cannot run @mode in @workload; NULL: it can, or it is not known
 * yet. (transfer none) */
const char *memlane_device_choice_get_mode_objection (MemlaneDeviceChoice *self,
                                                      const MemlaneWorkload *workload,
                                                      const char *mode);
/* Returns why the chosen device can measure nothing, whatever is chosen; NULL: it can. (transfer
 * none), until the main loop runs again. */
const char *memlane_device_choice_get_obstacle (MemlaneDeviceChoice *self);
/* The same, or why not now: something else is measured on it, or it is being asked. */
const char *memlane_device_choice_get_objection (MemlaneDeviceChoice *self);
