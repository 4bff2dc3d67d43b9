/* data-sheet.c: the profile of a GPU that nobody has measured, from its data sheet
 *
 * SPDX-License-Identifier: MIT
 */
#include "data-sheet.h"

#include <gio/gio.h>
#include <string.h>

#include "calibrate.h"
#include "device/simulated/profile.h"

#define GB 1e9
#define LEAST_MEMORY_BANDWIDTH (1 * GB)   /* bytes/s: a twentieth of the first GPU that CUDA ran on */
#define MOST_MEMORY_BANDWIDTH (100e3 * GB) /* ten times what there is */
#define MOST_L2_RATIO 50
#define MOST_MEMORY_BYTES (G_GUINT64_CONSTANT (10000) * 1000000000)
#define USUAL_MEMORY_BYTES (G_GUINT64_CONSTANT (8) * 1000000000)
#define LEAST_MEMORY_BYTES (G_GUINT64_CONSTANT (100) * 1000000)

static gboolean G_GNUC_PRINTF (3, 4)
refuse (GError **error, const char *what, const char *format, ...)
{
  va_list arguments;
  g_autofree char *expected = NULL;

  va_start (arguments, format);
  expected = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", what, expected);
  return FALSE;
}

static gboolean
check (const MemlaneDataSheet *sheet, GError **error)
{
  double link = memlane_profile_link_bandwidth (sheet->link_generation, sheet->link_width);

  if (sheet->link_generation == 0 || sheet->link_width == 0 || sheet->memory_bandwidth == 0)
    return refuse (error, "data sheet", "expected a link and a memory bandwidth, such as gen4x16 and 672GB/s");
  if (!(link > 0))
    return refuse (error, "link", "found generation %u with %u lanes, expected generation 1 to 6 with 1, 2, 4, 8, 12, 16 or 32 lanes",
                   sheet->link_generation, sheet->link_width);
  if (!(sheet->memory_bandwidth >= LEAST_MEMORY_BANDWIDTH && sheet->memory_bandwidth <= MOST_MEMORY_BANDWIDTH))
    return refuse (error, "memory bandwidth", "found %.4g GB/s, expected 1 to 100000 GB/s", sheet->memory_bandwidth / GB);
  if (sheet->memory_bandwidth < link)
    return refuse (error, "memory bandwidth", "found %.4g GB/s, less than the %.4g GB/s of a link of generation %u with %u lanes: "
                   "no GPU's memory is slower than its link; is one of them in bits?",
                   sheet->memory_bandwidth / GB, link / GB, sheet->link_generation, sheet->link_width);
  if (sheet->l2_bandwidth != 0 && !(sheet->l2_bandwidth >= sheet->memory_bandwidth))
    return refuse (error, "L2 bandwidth", "found %.4g GB/s, less than the memory's %.4g GB/s: a cache is no slower than what is behind it",
                   sheet->l2_bandwidth / GB, sheet->memory_bandwidth / GB);
  if (sheet->l2_bandwidth > MOST_L2_RATIO * sheet->memory_bandwidth)
    return refuse (error, "L2 bandwidth", "found %.4g GB/s, expected at most %d times the memory's %.4g GB/s", sheet->l2_bandwidth / GB,
                   MOST_L2_RATIO, sheet->memory_bandwidth / GB);
  if (sheet->memory_bytes != 0 && (sheet->memory_bytes < LEAST_MEMORY_BYTES || sheet->memory_bytes > MOST_MEMORY_BYTES))
    return refuse (error, "memory size", "found %.4g GB, expected 0.1 to 10000 GB", (double) sheet->memory_bytes / GB);
  if (sheet->l2_bytes > (sheet->memory_bytes != 0 ? sheet->memory_bytes : USUAL_MEMORY_BYTES) / 2)
    return refuse (error, "L2 size", "found %.4g MB, expected at most half of the memory, which is %.4g MB", (double) sheet->l2_bytes / 1e6,
                   (double) (sheet->memory_bytes != 0 ? sheet->memory_bytes : USUAL_MEMORY_BYTES) / 1e6);
  if (sheet->copy_engines > 3)
    return refuse (error, "copy engines", "found %u, expected 1 to 3", sheet->copy_engines);
  return TRUE;
}

static void
fill (MemlaneProfile *profile, const MemlaneDataSheet *sheet)
{
  MemlaneDeviceInfo *info = &profile->info;

  g_free (info->name);
  if (sheet->name != NULL)
    info->name = g_strdup_printf ("%s (simulated, estimated)", sheet->name);
  else
    info->name = g_strdup_printf ("GPU with %.4g GB/s on PCIe %u x%u (simulated, estimated)", sheet->memory_bandwidth / GB,
                                  sheet->link_generation, sheet->link_width);
  g_clear_pointer (&info->calibrated_from, g_free);
  info->estimated = TRUE;
  info->link_generation = (int) sheet->link_generation;
  info->link_width = (int) sheet->link_width;
  info->link_bandwidth = memlane_profile_link_bandwidth (sheet->link_generation, sheet->link_width);
  info->memory_bandwidth = sheet->memory_bandwidth;
  info->memory_bytes = sheet->memory_bytes != 0 ? sheet->memory_bytes : USUAL_MEMORY_BYTES;
  info->l2_bytes = sheet->l2_bytes != 0 ? sheet->l2_bytes : 4000000;
  info->multiprocessors = (int) sheet->multiprocessors;
  info->compute_major = info->compute_minor = 0;
  info->copy_engines = sheet->copy_engines != 0 ? (int) sheet->copy_engines : 2;
  profile->in_order_engines = info->copy_engines <= 1;
  profile->l2_bandwidth = sheet->l2_bandwidth != 0 ? sheet->l2_bandwidth : 2.5 * sheet->memory_bandwidth;
  profile->recorded_noise = (MemlaneNoise) { .seed = 1 };
  g_clear_pointer (&profile->recorded.workloads, g_free);
  g_clear_pointer (&profile->recorded.modes, g_free);
  profile->recorded = (MemlaneProfileRange) { 0 };
}

gboolean
memlane_data_sheet_write (const MemlaneDataSheet *sheet, const char *output, GError **error)
{
  g_autoptr (MemlaneProfile) known = NULL;
  g_autoptr (MemlaneProfile) profile = NULL;
  g_autoptr (MemlaneProfile) again = NULL;
  g_autofree char *text = NULL;

  if (!check (sheet, error) || (known = memlane_calibrate_load_base (NULL, error)) == NULL)
    return FALSE;
  profile = memlane_profile_copy (known);
  fill (profile, sheet);
  memlane_profile_scale (profile, known);
  /* What would be refused when it is used is refused now. */
  text = memlane_profile_to_text (profile);
  again = memlane_profile_parse (text, strlen (text), output, error);
  return again != NULL && memlane_profile_save (profile, output, error);
}
