/* cli-profile-from.c: memlane-cli profile-from, the profile of a GPU that nobody has measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/save.h"
#include "base/strict-text.h"

/* The options of the command line, as text. */
static struct
{
  char *link, *memory, *memory_size, *l2, *l2_size, *multiprocessors, *copy_engines, *name, *source, *output;
} asked;

/* "672GB/s": a number above 0, a unit of bytes, and @per ("/s" or nothing). NULL keeps *@value. */
static gboolean
parse_amount (const char *option, const char *text, const char *per, const char *expected, double *value, GError **error)
{
  static const struct { const char *unit; double bytes; } units[] = {
    { "MB", 1e6 }, { "GB", 1e9 }, { "TB", 1e12 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 }, { "TiB", 0x1p40 },
  };
  gsize digits;
  g_autofree char *number = NULL;

  if (text == NULL)
    return TRUE;
  digits = strspn (text, "0123456789.-");
  number = g_strndup (text, digits);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      gsize length = strlen (units[i].unit);

      if (strncmp (text + digits, units[i].unit, length) != 0 || strcmp (text + digits + length, per) != 0)
        continue;
      if (!memlane_text_read_number (number, value) || !(*value > 0))
        break;
      *value *= units[i].bytes;
      return TRUE;
    }
  return cli_options_wrong (error, option, text, expected);
}

static void
append_number (GString *text, const char *key, double value)
{
  g_string_append_printf (text, "%s=", key);
  memlane_text_append_number (text, value);
  g_string_append_c (text, '\n');
}

/* "gen4x16" or "c2c:450GB/s": the keys of the link. */
static gboolean
append_link (GString *text, const char *link, GError **error)
{
  g_auto (GStrv) parts = g_str_has_prefix (link, "gen") ? g_strsplit (link + strlen ("gen"), "x", 0) : NULL;
  guint64 generation, width;
  double bandwidth = 0;

  if (g_str_has_prefix (link, "c2c:"))
    {
      if (!parse_amount ("--link", link + strlen ("c2c:"), "/s", "a bandwidth one way behind c2c:, such as c2c:450GB/s", &bandwidth, error))
        return FALSE;
      g_string_append (text, "link_generation=0\nlink_width=0\n");
      append_number (text, "link_bandwidth", bandwidth);
      return TRUE;
    }
  if (parts == NULL || g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, 1, 99, &generation, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, 999, &width, NULL))
    return cli_options_wrong (error, "--link", link, "a PCI Express generation and its lanes, such as gen4x16, or c2c:450GB/s");
  append_number (text, "link_generation", (double) generation);
  append_number (text, "link_width", (double) width);
  return TRUE;
}

/* The profile's text. NULL with @error: an option is wrong. */
static GString *
make_profile (GError **error)
{
  g_autoptr (GString) text = g_string_new ("# A device profile of Memlane. ESTIMATED: nothing of it was measured.\n"
                                           "# SPDX-License-Identifier: MIT\n\n[device]\nbased_on=h200\nestimated=true\n");
  double memory = 0, l2 = 0, memory_size = 8e9, l2_size = 4e6;
  guint multiprocessors = 0, copy_engines = 2;
  g_autofree char *name = NULL;

  if (asked.link == NULL || asked.memory == NULL)
    return cli_refuse (error, "%s", "expected a link and a memory bandwidth, such as --link gen4x16 --memory 672GB/s"), NULL;
  if (!append_link (text, asked.link, error)
      || !parse_amount ("--memory", asked.memory, "/s", "a bandwidth above 0, such as 672GB/s", &memory, error)
      || !parse_amount ("--l2", asked.l2, "/s", "a bandwidth above 0, such as 2.5TB/s", &l2, error)
      || !parse_amount ("--memory-size", asked.memory_size, "", "a size above 0, such as 16GB", &memory_size, error)
      || !parse_amount ("--l2-size", asked.l2_size, "", "a size above 0, such as 48MB", &l2_size, error)
      || !cli_options_count ("--multiprocessors", asked.multiprocessors, 1, 100000, &multiprocessors, error)
      || !cli_options_count ("--copy-engines", asked.copy_engines, 1, 3, &copy_engines, error))
    return NULL;
  name = asked.name != NULL ? g_strdup (asked.name) : g_strdup_printf ("GPU with %s on %s", asked.memory, asked.link);
  g_strdelimit (name, "\n\r\t\\", ' ');
  g_string_append_printf (text, "name=%s (simulated, ESTIMATED)\nsource=%s\n", name,
                          asked.source != NULL ? g_strdelimit (asked.source, "\n\r\t\\", ' ') : "a data sheet");
  append_number (text, "memory_bandwidth", memory);
  if (l2 > 0)
    append_number (text, "l2_bandwidth", l2);
  append_number (text, "memory_bytes", floor (memory_size));
  append_number (text, "l2_bytes", floor (l2_size));
  append_number (text, "multiprocessors", multiprocessors);
  append_number (text, "compute_major", 0);
  append_number (text, "compute_minor", 0);
  append_number (text, "asyncEngineCount", copy_engines);
  return g_steal_pointer (&text);
}

/* Whether the device takes @text; asked of a file of its own, so that nothing is written over by what is refused. */
static gboolean
check_profile (const GString *text, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-profile-XXXXXX", error), *path = NULL, *device = NULL;
  g_autoptr (MemlaneDeviceInfo) info = NULL;
  g_autoptr (GError) problem = NULL;

  if (folder == NULL)
    return FALSE;
  path = g_build_filename (folder, "profile.device", NULL);
  device = g_strconcat ("simulated:", path, NULL);
  if (memlane_save_file (path, text->str, text->len, error) && (info = memlane_device_describe (device, &problem)) == NULL)
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                         g_str_has_prefix (problem->message, path) ? problem->message + strlen (path) + strlen (": ") : problem->message);
  g_unlink (path);
  g_rmdir (folder);
  return info != NULL;
}

static const GOptionEntry options[] = {
  { "link", 'l', 0, G_OPTION_ARG_FILENAME, &asked.link, "PCI Express generation and lanes, or c2c:450GB/s; required", "gen4x16" },
  { "memory", 'm', 0, G_OPTION_ARG_FILENAME, &asked.memory, "Bandwidth of the GPU's memory; required", "672GB/s" },
  { "memory-size", 0, 0, G_OPTION_ARG_FILENAME, &asked.memory_size, "Size of the GPU's memory (default: 8GB)", "16GB" },
  { "l2", 0, 0, G_OPTION_ARG_FILENAME, &asked.l2, "Bandwidth of the second-level cache (default: 2.5 x the memory's)", "2.5TB/s" },
  { "l2-size", 0, 0, G_OPTION_ARG_FILENAME, &asked.l2_size, "Its size (default: 4MB)", "48MB" },
  { "multiprocessors", 0, 0, G_OPTION_ARG_FILENAME, &asked.multiprocessors, "Streaming multiprocessors", "N" },
  { "copy-engines", 0, 0, G_OPTION_ARG_FILENAME, &asked.copy_engines, "1 to 3 (default: 2)", "N" },
  { "name", 'n', 0, G_OPTION_ARG_FILENAME, &asked.name, "What the GPU is called", "TEXT" },
  { "source", 's', 0, G_OPTION_ARG_FILENAME, &asked.source, "Where the numbers are from (default: a data sheet)", "TEXT" },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output, "The profile to write; its name ends in .device; required", "F.device" },
  { NULL },
};

static int
run (char **positional)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = NULL;

  if (asked.output == NULL || (strcmp (asked.output, "-") != 0 && !g_str_has_suffix (asked.output, ".device")))
    return cli_fail (CLI_USAGE, "profile-from: expected -o F.device, the profile to write");
  text = make_profile (&error);
  if (text == NULL || !check_profile (text, &error))
    return cli_fail (CLI_USAGE, "profile-from: %s", error->message);
  if (!cli_output_check (asked.output, CLI_FILE_PROFILE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (!memlane_save_file (asked.output, text->str, text->len, &error))
    return cli_fail (CLI_NOTHING, "profile-from: %s", error->message);
  if (strcmp (asked.output, "-") == 0)
    return CLI_OK;
  g_printerr ("written: %s, ESTIMATED from %s; use it with --device simulated:%s%s\n", asked.output,
              asked.source != NULL ? asked.source : "a data sheet",
              strchr (asked.output, '/') == NULL ? "./" : "", asked.output);
  return CLI_OK;
}

const CliCommand cli_profile_from = {
  .name = "profile-from",
  .summary = "Estimate a simulated device from a GPU's data sheet",
  .options = options,
  .run = run,
  .writes = TRUE,
};
