/* cli-code.c: memlane-cli code, a memory mode as a program that compiles
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* The options of the command line, as text. */
static struct
{
  char *size, *streams, *chunks, *output, *all;
  gboolean of_pieces;
} asked;

static double size;           /* 0: the default, as the others */
static guint streams, chunks;

/* "-" is standard output. */
static gboolean
write_program (const MemlaneMode *mode, const char *path, GError **error)
{
  g_autofree char *text = memlane_program_for_mode (mode, asked.of_pieces, size, streams, chunks);

  if (!cli_output_check (path, CLI_FILE_PROGRAM, error))
    return FALSE;
  if (strcmp (path, "-") != 0)
    return memlane_program_write (text, path, error);
  g_print ("%s", text);
  return TRUE;
}

static int
write_all (const char *folder)
{
  g_autoptr (GError) error = NULL;
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (g_mkdir_with_parents (folder, 0777) != 0)
    return cli_fail (CLI_NOTHING, "code: cannot make folder %s: %s", folder, g_strerror (errno));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = memlane_program_file_name (&modes[i]), *path = g_build_filename (folder, name, NULL);

      if (!write_program (&modes[i], path, &error))
        return cli_fail (CLI_NOTHING, "code: %s", error->message);
    }
  g_printerr ("written: %u programs in %s\n", n, folder);
  return CLI_OK;
}

static const GOptionEntry options[] = {
  { "size", 's', 0, G_OPTION_ARG_FILENAME, &asked.size, "A vector: 20 or 2^20 (floats), 100000, 1M, 4MiB (default: 20)", "N" },
  { "streams", 0, 0, G_OPTION_ARG_FILENAME, &asked.streams, "Of the stream modes (default: 8)", "S" },
  { "chunks", 0, 0, G_OPTION_ARG_FILENAME, &asked.chunks, "Of the stream modes (default: 8), and the number of pieces", "K" },
  { "pieces", 0, 0, G_OPTION_ARG_NONE, &asked.of_pieces, "Scattered pieces to the device, not the vector addition", NULL },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output, "The file to write (default: standard output)", "F.cu" },
  { "all", 'a', 0, G_OPTION_ARG_FILENAME, &asked.all, "Write the programs of all modes into a folder", "DIR" },
  { NULL },
};

static int
run (char **positional)
{
  g_autoptr (GError) error = NULL;
  const MemlaneMode *mode = NULL;

  if ((positional[0] == NULL) == (asked.all == NULL) || (asked.all != NULL && asked.output != NULL))
    return cli_fail (CLI_USAGE, "code: expected a mode, or --all DIR: memlane-cli code pinned -o pinned.cu");
  if (positional[0] != NULL && (mode = memlane_mode_find (positional[0])) == NULL)
    return cli_fail (CLI_USAGE, "code: unknown mode \"%s\": memlane-cli modes lists them", positional[0]);
  if (!cli_options_size (asked.size, &size, &error)
      || !cli_options_count ("--streams", asked.streams, 1, MEMLANE_MOST_STREAMS, &streams, &error)
      || !cli_options_count ("--chunks", asked.chunks, 1, MEMLANE_MOST_PIECES, &chunks, &error))
    return cli_fail (CLI_USAGE, "code: %s", error->message);
  if (asked.all != NULL)
    return write_all (asked.all);
  if (!write_program (mode, asked.output != NULL ? asked.output : "-", &error))
    return cli_fail (CLI_NOTHING, "code: %s", error->message);
  return CLI_OK;
}

const CliCommand cli_code = {
  .name = "code",
  .arguments = "MODE",
  .summary = "Write a memory mode as a CUDA program that compiles and runs",
  .options = options,
  .most_arguments = 1,
  .run = run,
  .writes = TRUE,
};
