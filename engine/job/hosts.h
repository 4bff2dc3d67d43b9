/* hosts.h: the machines that can measure: a name, and the command that starts a worker there
 *
 * SPDX-License-Identifier: MIT
 *
 * They stand in a key file, $XDG_CONFIG_HOME/memlane/hosts, which is read anew whenever it is asked
 * for:
 *
 *   [gpu1]
 *   command=ssh gpu1 memlane-cli worker
 *
 * A device of a host is "gpu1/cuda:0". The command is split into words as a shell would, with
 * quotes, and run without one. Any thread.
 */
#pragma once

#include <glib.h>

#include "base/file-error.h"

#define MEMLANE_MOST_HOSTS 100

typedef struct
{
  char *name;    /* memlane_check_name() */
  char *command; /* as it was written */
  char **words;  /* of the command: at least one */
} MemlaneHost;

/* (transfer full), or NULL with MEMLANE_FILE_ERROR_BAD: a name or a command that cannot be. */
MemlaneHost *memlane_host_new (const char *name, const char *command, GError **error);
void memlane_host_free (MemlaneHost *host);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneHost, memlane_host_free)

/* (transfer full) (element-type MemlaneHost): in the file's order, empty where there is no file;
 * NULL with MEMLANE_FILE_ERROR. */
GPtrArray *memlane_hosts_read (GError **error);
/* Returns the path of the file for an editor. Where there is none, one is written that explains
 * itself. (transfer full), or NULL with MEMLANE_FILE_ERROR_IO. */
char *memlane_hosts_prepare (GError **error);

/* From now on a host that the file does not name is reached by ssh under its name: for commands
 * that are given many. At the start. */
void memlane_hosts_use_ssh (void);

/* The part of "gpu1/cuda:0" behind the host; *@host (optional) (transfer full) (nullable): "gpu1";
 * NULL: the device is of this machine. A profile's path, "simulated:/home/me/my.device", is no
 * host. Returns: (transfer none), a part of @device. */
const char *memlane_host_split (const char *device, char **host);

/* Puts @host, where there is one, in front of *@id. */
void memlane_host_prefix (const char *host, char **id);

/* Whether a worker speaks of the device that it was asked for (@device_id; NULL: any). Its host
 * goes in front of *@device. */
gboolean memlane_host_claim (const char *device_id, char **device, GError **error);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* memlane_hosts_read() of text; @path stands for the file in messages. */
GPtrArray *memlane_hosts_parse (const char *text, gsize length, const char *path, GError **error);
/* The words that start a worker on @host (NULL: this machine). (transfer full), or NULL with
 * @error: no such host, no program. */
char **memlane_host_get_words (const char *host, GError **error);

#endif
