/* cli-profile-from.c: memlane-cli profile-from, the profile of a GPU that nobody has measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

#include "base/strict-text.h"

/* What the command line said, as text. */
typedef struct
{
  char *link, *memory, *memory_size, *l2, *l2_size, *multiprocessors, *copy_engines, *name, *output;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->link);
  g_free (asked->memory);
  g_free (asked->memory_size);
  g_free (asked->l2);
  g_free (asked->l2_size);
  g_free (asked->multiprocessors);
  g_free (asked->copy_engines);
  g_free (asked->name);
  g_free (asked->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
set_wrong (GError **error, const char *option, const char *found, const char *expected)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s: found \"%s\", expected %s", option, found, expected);
  return FALSE;
}

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
  return set_wrong (error, option, text, expected);
}

/* "gen4x16" */
static gboolean
parse_link (const char *text, MemlaneDataSheet *sheet, GError **error)
{
  g_auto (GStrv) parts = text != NULL && g_str_has_prefix (text, "gen") ? g_strsplit (text + strlen ("gen"), "x", 0) : NULL;
  guint64 generation, width;

  if (text == NULL)
    return TRUE;
  if (parts == NULL || g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, 1, 99, &generation, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, 999, &width, NULL))
    return set_wrong (error, "--link", text, "a PCI Express generation and its lanes, such as gen4x16");
  sheet->link_generation = (guint) generation;
  sheet->link_width = (guint) width;
  return TRUE;
}

static gboolean
make_sheet (const Asked *asked, MemlaneDataSheet *sheet, GError **error)
{
  double memory_size = 0, l2_size = 0;

  if (!parse_link (asked->link, sheet, error)
      || !parse_amount ("--memory", asked->memory, "/s", "a bandwidth above 0, such as 672GB/s", &sheet->memory_bandwidth, error)
      || !parse_amount ("--l2", asked->l2, "/s", "a bandwidth above 0, such as 2.5TB/s", &sheet->l2_bandwidth, error)
      || !parse_amount ("--memory-size", asked->memory_size, "", "a size above 0, such as 16GB", &memory_size, error)
      || !parse_amount ("--l2-size", asked->l2_size, "", "a size above 0, such as 48MB", &l2_size, error)
      || !cli_options_count ("--multiprocessors", asked->multiprocessors, 1, 100000, &sheet->multiprocessors, error)
      || !cli_options_count ("--copy-engines", asked->copy_engines, 1, 3, &sheet->copy_engines, error))
    return FALSE;
  if (memory_size > 1e18 || l2_size > 1e18)
    return set_wrong (error, memory_size > 1e18 ? "--memory-size" : "--l2-size", memory_size > 1e18 ? asked->memory_size : asked->l2_size,
                      "a size that a machine has");
  sheet->memory_bytes = (guint64) memory_size;
  sheet->l2_bytes = (guint64) l2_size;
  sheet->name = asked->name;
  return TRUE;
}

static int
run (int argc, char **argv)
{
  g_auto (Asked) asked = { 0 };
  const GOptionEntry entries[] = {
    { "link", 'l', 0, G_OPTION_ARG_FILENAME, &asked.link, "PCI Express generation and lanes; required", "gen4x16" },
    { "memory", 'm', 0, G_OPTION_ARG_FILENAME, &asked.memory, "Bandwidth of the GPU's memory; required", "672GB/s" },
    { "memory-size", 0, 0, G_OPTION_ARG_FILENAME, &asked.memory_size, "Size of the GPU's memory (default: 8GB)", "16GB" },
    { "l2", 0, 0, G_OPTION_ARG_FILENAME, &asked.l2, "Bandwidth of the second-level cache (default: 2.5 x the memory's)", "2.5TB/s" },
    { "l2-size", 0, 0, G_OPTION_ARG_FILENAME, &asked.l2_size, "Its size (default: 4MB)", "48MB" },
    { "multiprocessors", 0, 0, G_OPTION_ARG_FILENAME, &asked.multiprocessors, "Streaming multiprocessors", "N" },
    { "copy-engines", 0, 0, G_OPTION_ARG_FILENAME, &asked.copy_engines, "1 to 3 (default: 2)", "N" },
    { "name", 'n', 0, G_OPTION_ARG_FILENAME, &asked.name, "What the GPU is called", "TEXT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output, "The profile to write; its name ends in .device; required", "F.device" },
    { NULL },
  };
  g_auto (GStrv) positional = NULL;
  g_autoptr (GError) error = NULL;
  MemlaneDataSheet sheet = { 0 };
  int status;

  if (!cli_options_parse (&cli_profile_from, entries, argc, argv, 0, &positional, &status))
    return status;
  if (asked.output == NULL || !g_str_has_suffix (asked.output, ".device"))
    return cli_fail (CLI_USAGE, "profile-from: expected -o F.device, the profile to write");
  if (!make_sheet (&asked, &sheet, &error))
    return cli_fail (CLI_USAGE, "profile-from: %s", error->message);
  if (!cli_output_check (asked.output, CLI_FILE_PROFILE, &error))
    return cli_fail (CLI_NOTHING, "%s", error->message);
  if (!memlane_data_sheet_write (&sheet, asked.output, &error))
    return cli_fail (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT) ? CLI_USAGE : CLI_NOTHING, "profile-from: %s",
                     error->message);
  g_printerr ("written: %s, estimated from a data sheet; use it with --device simulated:%s%s\n", asked.output,
              strchr (asked.output, '/') == NULL ? "./" : "", asked.output);
  return CLI_OK;
}

const CliCommand cli_profile_from = {
  .name = "profile-from",
  .summary = "Estimate a simulated device from a GPU's data sheet",
  .description =
    "Writes the profile of a simulated device for a GPU that nobody has measured. What\n"
    "takes time by the byte is the recorded H200's share of the link, of the memory and\n"
    "of the second-level cache; calls, latencies and the host are the H200's. So curves\n"
    "have their shape, and their size where bytes rule. The device's name, each run's\n"
    "environment and each elapsed time say that it is estimated. memlane-cli calibrate\n"
    "--record makes a profile of a GPU that is there.\n"
    "\n"
    "Example:\n"
    "  memlane-cli profile-from --link gen4x8 --memory 256GB/s --memory-size 8GB \\\n"
    "              --l2-size 32MB --name \"My laptop\" -o laptop.device\n"
    "  memlane-cli sweep --device simulated:./laptop.device --csv laptop.csv\n",
  .run = run,
  .writes = TRUE,
};
