/* cli-contribute.c: memlane-cli contribute, a run in one file without names, for the profiles of others; and reading one
 *
 * SPDX-License-Identifier: MIT
 *
 * The file is the three files of a run, one after the other, each behind a line with its name and its bytes.
 */
#include "cli.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "base/device-id.h"
#include "base/json.h"
#include "base/save.h"

#define FIRST_LINE "memlane contribution 1\n"
#define FOLDER "memlane-XXXXXX"
#define MOST_BYTES (256 * 1024 * 1024)

static const char *const parts[] = { "run.csv", "run.environment.json", "run.rounds.csv" };
/* These tell one machine from others, or whose it is. No time depends on them. */
static const char *const private_members[][2] = {
  { "host", "name" }, { "host", "boot_id" }, { "device", "uuid" }, { "device", "pci_bus_id" },
};

/* --- one's own copies of the three files ---------------------------------------------------------------------------------------- */

static void
remove_folder (const char *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_build_filename (folder, parts[i], NULL);

      (void) g_unlink (path);
    }
  (void) g_rmdir (folder);
}

/* --- reading -------------------------------------------------------------------------------------------------------------------- */

gboolean
cli_contribution_is_one (const char *path)
{
  char head[sizeof FIRST_LINE] = "";
  FILE *file = g_file_test (path, G_FILE_TEST_IS_REGULAR) ? fopen (path, "re") : NULL;
  gsize n = file != NULL ? fread (head, 1, strlen (FIRST_LINE), file) : 0;

  if (file != NULL)
    fclose (file);
  return n == strlen (FIRST_LINE) && strcmp (head, FIRST_LINE) == 0;
}

static gboolean
refuse (GError **error, const char *path, const char *expected)
{
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: expected %s", path, expected);
  return FALSE;
}

/* Puts the parts of @text into files of @folder. */
static gboolean
unpack (const char *path, const char *text, gsize length, const char *folder, GError **error)
{
  const char *at = text + strlen (FIRST_LINE), *end = text + length;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *place = g_build_filename (folder, parts[i], NULL);
      const char *line_end = memchr (at, '\n', (gsize) (end - at));
      gsize name = strlen (parts[i]);
      g_autofree char *count = line_end != NULL ? g_strndup (at, (gsize) (line_end - at)) : g_strdup ("");
      guint64 bytes;

      if (strncmp (count, parts[i], name) != 0 || count[name] != ' '
          || !g_ascii_string_to_unsigned (count + name + 1, 10, 1, MOST_BYTES, &bytes, NULL) || bytes > (gsize) (end - line_end - 1))
        return refuse (error, path, "three parts, each behind its name and its bytes: the file is cut off, or was changed");
      if (!memlane_save_file (place, line_end + 1, bytes, error))
        return FALSE;
      at = line_end + 1 + bytes;
    }
  return at == end || refuse (error, path, "its end after the third part");
}

GPtrArray *
cli_contribution_read (const char *path, GError **error)
{
  g_autofree char *text = NULL, *folder = NULL, *table = NULL;
  GPtrArray *runs = NULL;
  gsize length;
  GStatBuf status;

  if (g_stat (path, &status) == 0 && status.st_size > MOST_BYTES)
    return refuse (error, path, "at most 256 MiB"), NULL;
  if (!g_file_get_contents (path, &text, &length, error) || (folder = g_dir_make_tmp (FOLDER, error)) == NULL)
    return NULL;
  table = g_build_filename (folder, parts[0], NULL);
  if (unpack (path, text, length, folder, error))
    runs = memlane_csv_read (table, NULL, NULL, NULL, error);
  if (runs == NULL)
    g_prefix_error (error, "%s: ", path);
  remove_folder (folder);
  return runs;
}

/* --- writing -------------------------------------------------------------------------------------------------------------------- */

/* Why a profile of @run would be worth nothing. (transfer full) (nullable) */
static char *
find_objection (const MemlaneRun *run)
{
  const char *throttle = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_STATE_THROTTLE);
  MemlaneControl control;
  CliCount count;

  cli_count_cells (run, &count);
  memlane_control_run (run, &control);
  if (run->environment == NULL)
    return g_strdup ("it has no environment beside it");
  if (memlane_device_kind_is_simulated (run->device_kind))
    return g_strdup ("it was simulated; expected a run of a real device");
  if (memlane_environment_get_flag (run->environment, MEMLANE_ENVIRONMENT_COLD_CACHE))
    return g_strdup ("it was recorded with --cold-cache, as no program finds the device");
  if (!(memlane_environment_get_number (run->environment, MEMLANE_ENVIRONMENT_ROUNDS) >= 6))
    return g_strdup ("it has fewer than 6 rounds: no interval can be told");
  if (count.failed + count.cancelled > 0)
    return g_strdup_printf ("%u of its cells failed or were cancelled", count.failed + count.cancelled);
  if (control.throttled > 0 || (throttle != NULL && strcmp (throttle, "none") != 0))
    return g_strdup_printf ("the device was throttled%s%s", throttle != NULL ? ": " : "", throttle != NULL ? throttle : "");
  if (control.verdict == MEMLANE_CONTROL_FAILED)
    return memlane_control_to_text (&control);
  return NULL;
}

/* A copy of @run that does not tell whose machine it was. NULL with @error. (transfer full) */
static MemlaneRun *
make_anonymous (const MemlaneRun *run, GError **error)
{
  g_autoptr (JsonNode) root = memlane_json_tree_read (memlane_environment_get_json (run->environment), -1, "environment", error);
  g_autoptr (MemlaneRun) copy = memlane_run_copy (run);
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *text = NULL, *device = NULL;

  if (root == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (private_members); i++)
    {
      JsonNode *group = json_object_get_member (json_node_get_object (root), private_members[i][0]);

      if (group != NULL && JSON_NODE_HOLDS_OBJECT (group))
        json_object_remove_member (json_node_get_object (group), private_members[i][1]);
    }
  json_generator_set_root (generator, root);
  text = json_generator_to_data (generator, NULL);
  memlane_environment_unref (copy->environment);
  copy->environment = memlane_environment_parse (text, -1, "environment", error);
  if (copy->environment == NULL)
    return NULL;
  device = copy->device;
  copy->device = g_strdup (memlane_host_split (device, NULL)); /* without the host's name */
  return g_steal_pointer (&copy);
}

static gboolean
pack (const MemlaneRun *run, const char *output, gsize *bytes, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp (FOLDER, error), *table = folder != NULL ? g_build_filename (folder, parts[0], NULL) : NULL;
  g_autoptr (GString) all = g_string_new (FIRST_LINE);
  gboolean done = folder != NULL && memlane_csv_write (run, table, error);

  for (guint i = 0; done && i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_build_filename (folder, parts[i], NULL), *text = NULL;
      gsize length;

      done = g_file_get_contents (path, &text, &length, error);
      if (done)
        {
          g_string_append_printf (all, "%s %" G_GSIZE_FORMAT "\n", parts[i], length);
          g_string_append_len (all, text, (gssize) length);
        }
    }
  if (folder != NULL)
    remove_folder (folder);
  *bytes = all->len;
  return done && memlane_save_file (output, all->str, all->len, error);
}

static char *output;
static const GOptionEntry options[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "The file (default: the run's name, .contribution; - is standard output)", "F" },
  { NULL },
};

static int
run (char **files)
{
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (MemlaneRun) anonymous = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *objection = NULL, *beside = NULL;
  gsize bytes;

  if (files[0] == NULL)
    return cli_fail (CLI_USAGE, "contribute: expected a run: memlane-cli contribute RUN.csv");
  runs = cli_read_runs (files[0], &error);
  if (runs == NULL)
    return cli_fail (CLI_USAGE, "%s", error->message);
  if (runs->len != 1)
    return cli_fail (CLI_USAGE, "%s holds %u runs; expected one", files[0], runs->len);
  objection = find_objection (runs->pdata[0]);
  if (objection != NULL)
    return cli_fail (CLI_USAGE, "%s is no use to others: %s", files[0], objection);
  beside = g_strdup_printf ("%.*s.contribution", (int) (strlen (files[0]) - (g_str_has_suffix (files[0], ".csv") ? 4 : 0)), files[0]);
  output = output != NULL ? output : beside;
  if (!cli_output_check (output, CLI_FILE_CONTRIBUTION, &error)
      || (anonymous = make_anonymous (runs->pdata[0], &error)) == NULL || !pack (anonymous, output, &bytes, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  g_printerr ("%s: %" G_GSIZE_FORMAT " bytes, without the names of host, boot, GPU and slot\n"
              "it tells device, driver, processor, kernel, date and times; memlane-cli calibrate %s -o F.device\n", output, bytes, output);
  return CLI_OK;
}

const CliCommand cli_contribute = {
  .name = "contribute",
  .arguments = "RUN.csv",
  .summary = "Pack a run of a GPU into one file without names, for others to calibrate from",
  .options = options,
  .most_arguments = 1,
  .run = run,
  .writes = TRUE,
};
