/* cli-code.c: memlane-cli code, a memory mode as a program that compiles
 *
 * SPDX-License-Identifier: MIT
 *
 * The programs are data/programs/MODE.cu. All include program.cuh, which is written next to them.
 */
#include "cli.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/data-file.h"
#include "base/save.h"

#define HEADER "program.cuh"

static struct
{
  char *output, *all;
} asked;

/* Copies the file @name of data/programs to @path. */
static gboolean
write_file (const char *name, const char *path, GError **error)
{
  g_autofree char *relative = g_build_filename ("programs", name, NULL);
  g_autofree char *text = memlane_data_read (relative, error);

  return text != NULL && cli_output_check (path, CLI_FILE_PROGRAM, error)
         && memlane_save_file (path, text, strlen (text), error);
}

/* Writes the program of @mode to @path ("-": standard output), and the header next to a file. */
static gboolean
write_program (const MemlaneMode *mode, const char *path, GError **error)
{
  g_autofree char *name = g_strconcat (mode->id, ".cu", NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *header = g_build_filename (folder, HEADER, NULL);

  return write_file (name, path, error)
         && (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || write_file (HEADER, header, error));
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
      g_autofree char *name = g_strconcat (modes[i].id, ".cu", NULL);
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (!write_program (&modes[i], path, &error))
        return cli_fail (CLI_NOTHING, "code: %s", error->message);
    }
  g_printerr ("written: %u programs and %s in %s\n", n, HEADER, folder);
  return CLI_OK;
}

static const GOptionEntry options[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.output,
    "The file to write (default: standard output)", "F.cu" },
  { "all", 'a', 0, G_OPTION_ARG_FILENAME, &asked.all,
    "Write the programs of all modes into a folder", "DIR" },
  { NULL },
};

static int
run (char **positional)
{
  g_autoptr (GError) error = NULL;
  const MemlaneMode *mode = NULL;

  if ((positional[0] == NULL) == (asked.all == NULL) || (asked.all != NULL && asked.output != NULL))
    return cli_fail (CLI_USAGE, "code: expected a mode, or --all DIR: memlane-cli code pinned -o "
                     "pinned.cu");
  if (asked.all != NULL)
    return write_all (asked.all);
  mode = memlane_mode_find (positional[0]);
  if (mode == NULL)
    return cli_fail (CLI_USAGE, "code: unknown mode \"%s\": memlane-cli modes lists them",
                     positional[0]);
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
