/* hosts.c: the machines that can measure
 *
 * SPDX-License-Identifier: MIT
 */
#include "hosts.h"

#include <string.h>

#include <gio/gio.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/key-file.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "base/data-file.h"
#include "base/owns.h"
#include "device/device.h"
#include "device/module.h"

#define COMMAND "command"
#define LONGEST_COMMAND 2000
#define MOST_BYTES 262144 /* it is in a message */

/* --- one -------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (MemlaneHost, void memlane_host_free (MemlaneHost *data),
                     OWNS (name, g_free) OWNS (command, g_free) OWNS (words, g_strfreev))

MemlaneHost *
memlane_host_new (const char *name, const char *command, GError **error)
{
  g_autoptr (MemlaneHost) host = g_new0 (MemlaneHost, 1);
  g_autoptr (GError) problem = NULL;
  const char *expected = memlane_check_name (name);

  if (expected != NULL)
    return memlane_refuse (error, "found the name \"%s\", expected %s", name, expected), NULL;
  if (strlen (command) > LONGEST_COMMAND
      || !g_shell_parse_argv (command, NULL, &host->words, &problem) || *host->words[0] == '\0')
    return memlane_refuse (error,
                           "found %s, expected a command of at most %d characters, such as ssh "
                           "gpu1 memlane-cli worker",
                           problem != NULL ? problem->message : "another one", LONGEST_COMMAND),
           NULL;
  host->name = g_strdup (name);
  host->command = g_strdup (command);
  return g_steal_pointer (&host);
}

/* --- the file --------------------------------------------------------------------------------- */

static char *
get_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "memlane", "hosts", NULL);
}

#define refuse(error, path, line, format, ...) \
  memlane_refuse ((error), "%s:%u: " format, (path), (line), ##__VA_ARGS__)

static gboolean
add_group (GPtrArray *hosts, GKeyFile *file, const char *group, const MemlaneKeyLines *lines,
           const char *path, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, group, NULL, NULL);
  g_autoptr (GError) problem = NULL;
  g_autofree char *command = g_key_file_get_string (file, group, COMMAND, &problem);
  MemlaneHost *host;

  for (guint i = 0; keys != NULL && keys[i] != NULL; i++)
    if (strcmp (keys[i], COMMAND) != 0)
      return refuse (error, path, memlane_key_lines_find (lines, group, keys[i]),
                     "found the key %s, expected " COMMAND, keys[i]);
  /* Older GLib hands out what it understood of such a value, beside the error; newer does not. */
  if (g_error_matches (problem, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE))
    return refuse (
        error, path, memlane_key_lines_find (lines, group, COMMAND),
        COMMAND ": found a backslash that stands alone, expected two for each one that is meant");
  g_clear_error (&problem);
  if (command == NULL)
    return refuse (error, path, memlane_key_lines_find (lines, group, NULL),
                   "expected " COMMAND "=, which starts the worker");
  if (hosts->len == MEMLANE_MOST_HOSTS)
    return refuse (error, path, memlane_key_lines_find (lines, group, NULL),
                   "found another host, expected at most " G_STRINGIFY (MEMLANE_MOST_HOSTS));
  host = memlane_host_new (group, command, &problem);
  if (host == NULL)
    return refuse (error, path, memlane_key_lines_find (lines, group, COMMAND), "%s",
                   problem->message);
  g_ptr_array_add (hosts, host);
  return TRUE;
}

GPtrArray *
memlane_hosts_parse (const char *text, gsize length, const char *path, GError **error)
{
  g_autoptr (GPtrArray) hosts = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_host_free);
  g_autoptr (MemlaneKeyLines) lines = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) groups = NULL;

  if (length > MOST_BYTES)
    return refuse (error, path, 1,
                   "found a larger file, expected at most " G_STRINGIFY (MOST_BYTES) " bytes"),
           NULL;
  lines = memlane_key_lines_new (text, length, "[gpu1]");
  if (!memlane_key_lines_check (lines, path, error))
    return NULL;
  if (length > 0 && !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &problem))
    return refuse (error, path, 1, "%s", problem->message), NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    if (!add_group (hosts, file, groups[i], lines, path, error))
      return NULL;
  return g_steal_pointer (&hosts);
}

GPtrArray *
memlane_hosts_read (GError **error)
{
  g_autofree char *path = get_path (), *text = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length;

  if (memlane_small_file_read (path, MOST_BYTES, &text, &length, &problem))
    return memlane_hosts_parse (text, length, path, error);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_host_free);
  return memlane_fail_io (error, "cannot read %s: %s", path, problem->message), NULL;
}

char *
memlane_hosts_prepare (GError **error)
{
  static const char text[] = "# Machines that measure for Memlane. Each needs a name and a command "
                             "that starts a worker:\n"
                             "#\n"
                             "# [gpu1]\n"
                             "# command=ssh gpu1 memlane-cli worker\n";
  g_autofree char *path = get_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  (void) g_mkdir_with_parents (folder, 0700); /* the saving tells */
  if (!g_file_test (path, G_FILE_TEST_EXISTS)
      && !memlane_save_file (path, text, strlen (text), error))
    return NULL;
  return g_steal_pointer (&path);
}

/* --- starting a worker ------------------------------------------------------------------------ */

const char *
memlane_host_split (const char *device, char **host)
{
  gsize length = strcspn (device, ":/");
  gboolean has_host = length > 0 && device[length] == '/';

  if (host != NULL)
    *host = has_host ? g_strndup (device, length) : NULL;
  return has_host ? device + length + 1 : device;
}

void
memlane_host_prefix (const char *host, char **id)
{
  g_autofree char *bare = host != NULL ? *id : NULL;

  if (host != NULL)
    *id = g_strdup_printf ("%s/%s", host, bare);
}

gboolean
memlane_host_claim (const char *device_id, char **device, GError **error)
{
  g_autofree char *host = NULL, *asked = NULL;

  if (device_id == NULL)
    return TRUE;
  asked = memlane_device_hide_folders (memlane_host_split (device_id, &host));
  if (strcmp (*device, asked) != 0)
    return memlane_refuse (error, "device: found %s, expected %s, which was asked for", *device,
                           asked);
  memlane_host_prefix (host, device);
  return TRUE;
}

/* Returns the words that start a worker here: those of MEMLANE_CLI, else of the program that lies
 * with the library's modules. */
static char **
get_local_words (GError **error)
{
  const char *given = g_getenv ("MEMLANE_CLI");
  const char *words[] = { given, "worker", "--local", NULL };
  g_autofree char *place = NULL, *worker = NULL;

  if (given != NULL && *given != '\0')
    return g_strdupv ((char **) words);
  worker = memlane_module_find ("memlane-worker", &place);
  if (worker == NULL)
    g_set_error (
        error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        "nothing can be measured: there is no %s; install Memlane (the package libmemlane1) again",
        place);
  words[0] = worker;
  words[1] = NULL;
  return worker != NULL ? g_strdupv ((char **) words) : NULL;
}

static gboolean use_ssh;

void
memlane_hosts_use_ssh (void)
{
  use_ssh = TRUE;
}

char **
memlane_host_get_words (const char *host, GError **error)
{
  g_autoptr (GPtrArray) hosts = NULL;
  g_autofree char *path = get_path ();

  if (host == NULL)
    return get_local_words (error);
  hosts = memlane_hosts_read (error);
  if (hosts == NULL)
    return NULL;
  MEMLANE_FOR_EACH (const MemlaneHost, known, hosts)
    if (strcmp (known->name, host) == 0)
      return g_strdupv (known->words);
  if (use_ssh && memlane_check_name (host) == NULL)
    {
      g_autofree char *command = g_strdup_printf (
          "ssh -o BatchMode=yes -o ConnectTimeout=10 %s memlane-cli worker", host);

      return g_strsplit (command, " ", -1);
    }
  return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "unknown host \"%s\": %s names %s",
                       host, path, hosts->len > 0 ? "others" : "none"),
         NULL;
}
