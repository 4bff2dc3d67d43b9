/* peers.c: what other programs have measured, as runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "peers.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/json.h"
#include "base/reader-limits.h"
#include "base/data-file.h"
#include "base/strict-text.h"
#include "run.h"
#include "environment.h"

#define MOST_DEVICES 64
#define SMALLEST_LOG2 2
#define LARGEST_LOG2 34 /* as of a plan */

typedef struct
{
  const char *name; /* of the file, for messages */
  guint line;       /* that is read, for messages; 0: the file has none */
  char *base;       /* its name without folder and ending: the runs' ids */
  const char *program, *version, *method;
  GPtrArray *runs;  /* (element-type MemlaneRun), one for each device */
} Reader;

#define refuse(self, error, ...) refuse_with (self, error, g_strdup_printf (__VA_ARGS__))

/* Takes @text. FALSE, always. */
static gboolean
refuse_with (const Reader *self, GError **error, char *text)
{
  g_autofree char *said = text, *valid = g_utf8_make_valid (said, -1); /* what is quoted may be cut within a character */
  g_autofree char *line = self->line > 0 ? g_strdup_printf ("line %u: ", self->line) : g_strdup ("");

  return memlane_refuse (error, "%s: %s%s", self->name, line, valid);
}

gboolean
memlane_peers_is_one (const char *head, gsize length)
{
  while (length > 0 && strchr (" \t\r\n", *head) != NULL)
    {
      head++;
      length--;
    }
  return length > 0 && (*head == '{' || (length >= strlen ("Benchmark,") && strncmp (head, "Benchmark,", strlen ("Benchmark,")) == 0));
}

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

static MemlaneEnvironment *
describe (const Reader *self, const char *id, const char *device_name, const char *driver)
{
  JsonObject *root = json_object_new ();

  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_PEER_PROGRAM, self->program);
  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_PEER_VERSION, self->version);
  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_DEVICE_ID, id);
  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_DEVICE_KIND, "cuda");
  memlane_environment_put_flag (root, MEMLANE_ENVIRONMENT_SIMULATED, FALSE);
  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_DEVICE_NAME, device_name);
  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_DRIVER, driver);
  memlane_environment_put_text (root, MEMLANE_ENVIRONMENT_STATEMENT, self->method);
  return memlane_environment_new (root);
}

/* The run of device @index. */
static MemlaneRun *
get_run (Reader *self, guint index, const char *device_name, const char *driver)
{
  g_autofree char *device = g_strdup_printf ("cuda:%u", index), *id = g_strdup_printf ("%s-%s-%u", self->program, self->base, index);
  MemlaneRun *run;

  for (guint i = 0; i < self->runs->len; i++)
    if (strcmp (((MemlaneRun *) self->runs->pdata[i])->device, device) == 0)
      return self->runs->pdata[i];
  run = memlane_run_new (id, device, "cuda");
  run->environment = describe (self, device, device_name, driver);
  g_ptr_array_add (self->runs, run);
  return run;
}

static void
add_cell (MemlaneRun *run, const char *workload, const char *mode, guint log2_elements, MemlanePhase phase, MemlaneClock clock,
          const MemlaneStatistics *statistics, const char *detail)
{
  MemlaneCell *cell = (MemlaneCell *) memlane_run_find (run, workload, mode, log2_elements);
  guint64 bytes = (guint64) sizeof (float) << log2_elements;

  if (cell == NULL)
    {
      cell = memlane_cell_new (workload, mode, log2_elements);
      g_ptr_array_add (run->cells, cell);
    }
  else if (memlane_cell_find (cell, phase, clock) != NULL)
    return; /* the first one counts */
  memlane_cell_add_figure (cell, phase, clock, statistics, bytes, MEMLANE_STATUS_OK, detail);
}

/* --- members ---------------------------------------------------------------------------------------------------------------- */

static int
get_index (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  gint64 number = node != NULL && json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node) : -1;

  return number >= 0 && number < MOST_DEVICES ? (int) number : -1;
}

/* --- nvbandwidth -------------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *test, *workload, *mode;
  MemlanePhase phase;
} tests[] = {
  { "host_to_device_memcpy_ce", "copy-to-device", "pinned-async", MEMLANE_PHASE_UPLOAD },
  { "device_to_host_memcpy_ce", "copy-to-host", "pinned-async", MEMLANE_PHASE_DOWNLOAD },
  { "host_to_device_memcpy_sm", "copy-to-device", "mapped", MEMLANE_PHASE_KERNEL },
  { "device_to_host_memcpy_sm", "copy-to-host", "mapped", MEMLANE_PHASE_KERNEL },
};

/* "nvbandwidth-64MiB" -> 24. */
static gboolean
read_size (const Reader *self, guint *log2_elements, GError **error)
{
  g_autoptr (GRegex) pattern = g_regex_new ("(?:^|[^0-9])([0-9]{1,4})MiB", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *text = NULL;
  guint64 mib;

  if (!g_regex_match (pattern, self->base, 0, &match))
    return refuse (self, error, "nvbandwidth writes no buffer size: found the name '%.80s', expected one such as nvbandwidth-64MiB.json",
                   self->base);
  text = g_match_info_fetch (match, 1);
  mib = g_ascii_strtoull (text, NULL, 10);
  for (*log2_elements = SMALLEST_LOG2; *log2_elements <= LARGEST_LOG2; (*log2_elements)++)
    if (mib << 20 == (guint64) sizeof (float) << *log2_elements)
      return TRUE;
  return refuse (self, error, "found %" G_GUINT64_FORMAT " MiB in the name, expected a power of two up to %u MiB", mib,
                 1u << (LARGEST_LOG2 - 18));
}

static gboolean
read_bandwidth_row (Reader *self, JsonArray *row, guint test, guint log2_elements, JsonArray *devices, const char *driver, GError **error)
{
  for (guint i = 0; i < json_array_get_length (row); i++)
    {
      const char *text = memlane_json_element_text (row, i);
      const char *device_name = devices != NULL && i < json_array_get_length (devices) ? memlane_json_element_text (devices, i) : NULL;
      MemlaneStatistics statistics;
      double gb_per_s, ns;

      if (g_strcmp0 (text, "N/A") == 0)
        continue;
      if (text == NULL || !memlane_text_read_number (text, &gb_per_s) || !(gb_per_s > 0) || i >= MOST_DEVICES)
        return refuse (self, error, "%s: found '%.40s' in bandwidth_matrix, expected GB/s above 0 or N/A", tests[test].test,
                       text != NULL ? text : "no text");
      ns = (double) ((guint64) sizeof (float) << log2_elements) / gb_per_s;
      statistics = (MemlaneStatistics) { 1, ns, ns, ns, ns, ns, ns, ns };
      add_cell (get_run (self, i, device_name, driver),
                tests[test].workload, tests[test].mode, log2_elements, tests[test].phase, MEMLANE_CLOCK_DEVICE, &statistics,
                "nvbandwidth: one figure, no interval");
    }
  return TRUE;
}

static gboolean
read_nvbandwidth (Reader *self, JsonObject *root, GError **error)
{
  JsonArray *cases = memlane_json_get_array (root, "testcases"), *devices = memlane_json_get_array (root, "GPU Device list");
  const char *failure = memlane_json_get_text (root, "error");
  guint log2_elements = SMALLEST_LOG2;

  self->program = "nvbandwidth";
  self->version = memlane_json_get_text (root, "version");
  self->method = "nvbandwidth: 16 copies between two events behind a kernel that spins; the median of its samples (3 by default)";
  if (failure != NULL)
    return refuse (self, error, "nvbandwidth says that it failed: %.200s", failure);
  if (cases == NULL)
    return refuse (self, error, "nvbandwidth: found no array testcases");
  if (!read_size (self, &log2_elements, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject *one = memlane_json_element_object (cases, i);
      const char *name = memlane_json_get_text (one, "name");
      JsonArray *matrix = memlane_json_get_array (one, "bandwidth_matrix");
      guint test = 0;

      while (test < G_N_ELEMENTS (tests) && g_strcmp0 (tests[test].test, name) != 0)
        test++;
      if (test == G_N_ELEMENTS (tests) || g_strcmp0 (memlane_json_get_text (one, "status"), "Passed") != 0)
        continue;
      if (matrix == NULL || json_array_get_length (matrix) != 1 || !JSON_NODE_HOLDS_ARRAY (json_array_get_element (matrix, 0)))
        return refuse (self, error, "%s: expected a bandwidth_matrix of one row", name);
      if (!read_bandwidth_row (self, json_array_get_array_element (matrix, 0), test, log2_elements, devices,
                               memlane_json_get_text (root, "Driver Version"), error))
        return FALSE;
    }
  return TRUE;
}

/* --- nvbench ------------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *benchmark, *device_name;
  int device;
  double elements, samples, seconds, noise; /* noise: standard deviation over mean */
} State;

/* Other names are other benchmarks, and left out. */
static gboolean
add_state (Reader *self, const State *state, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (state->benchmark, ":", -1);
  MemlanePhase phase;
  MemlaneStatistics statistics = { 0 };
  guint log2_elements = SMALLEST_LOG2;
  double half;

  if (g_strv_length (parts) != 3 || !memlane_phase_parse (parts[2], &phase))
    return TRUE;
  while (log2_elements <= LARGEST_LOG2 && (double) ((guint64) 1 << log2_elements) != state->elements)
    log2_elements++;
  if (log2_elements > LARGEST_LOG2)
    return refuse (self, error, "%.80s: found %g in Elements, expected a power of two from 2^%d to 2^%d", state->benchmark, state->elements,
                   SMALLEST_LOG2, LARGEST_LOG2);
  if (!(state->seconds > 0) || state->seconds > 1e6 || !(state->samples >= 1) || state->samples > MEMLANE_CSV_MOST_SAMPLES
      || !(state->noise >= 0)
      || state->device < 0)
    return refuse (self, error, "%.80s, 2^%u: expected a GPU time above 0, 1 sample or more, a noise of 0 or more, and a device",
                   state->benchmark, log2_elements);
  half = state->samples < 2 ? 0 : fmin (1.96 * state->noise / sqrt (state->samples), 1) * state->seconds * 1e9;
  statistics.count = (guint) state->samples;
  statistics.median = state->seconds * 1e9;
  statistics.min = statistics.ci95_low = statistics.q1 = statistics.median - half;
  statistics.max = statistics.ci95_high = statistics.q3 = statistics.median + half;
  add_cell (get_run (self, (guint) state->device, state->device_name, NULL), parts[0], parts[1], log2_elements, phase, MEMLANE_CLOCK_DEVICE,
            &statistics, "nvbench: mean and its interval; it tells no quartiles");
  return TRUE;
}

/* The object of @list (nullable) whose member @key is @word; NULL: there is none. */
static JsonObject *
find_object (JsonArray *list, const char *key, const char *word)
{
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    if (g_strcmp0 (memlane_json_get_text (memlane_json_element_object (list, i), key), word) == 0)
      return memlane_json_element_object (list, i);
  return NULL;
}

/* The number in the text "value" of @object (nullable); -1: there is none. */
static double
get_value (JsonObject *object)
{
  const char *text = memlane_json_get_text (object, "value");
  double number;

  return text != NULL && memlane_text_read_number (text, &number) ? number : -1;
}

static double
get_summary (JsonArray *summaries, const char *tag)
{
  return get_value (find_object (memlane_json_get_array (find_object (summaries, "tag", tag), "data"), "name", "value"));
}

static const char *
find_device_name (JsonArray *devices, int id)
{
  for (guint i = 0; devices != NULL && i < json_array_get_length (devices); i++)
    if (get_index (memlane_json_element_object (devices, i), "id") == id)
      return memlane_json_get_text (memlane_json_element_object (devices, i), "name");
  return NULL;
}

#define NVBENCH_METHOD "nvbench: mean GPU time of isolated runs behind a blocking kernel, the second-level cache flushed before each"

static gboolean
read_nvbench (Reader *self, JsonObject *root, GError **error)
{
  JsonArray *benchmarks = memlane_json_get_array (root, "benchmarks");
  JsonObject *versions = memlane_json_get_object (memlane_json_get_object (root, "meta"), "version");

  self->program = "nvbench";
  self->method = NVBENCH_METHOD;
  self->line = 1;
  self->version = memlane_json_get_text (memlane_json_get_object (versions, "nvbench"), "string");
  for (guint i = 0; i < json_array_get_length (benchmarks); i++)
    {
      JsonObject *benchmark = memlane_json_element_object (benchmarks, i);
      JsonArray *states = memlane_json_get_array (benchmark, "states");

      if (memlane_json_get_text (benchmark, "name") == NULL || states == NULL)
        return refuse (self, error, "benchmark %u: expected a name and states", i);
      for (guint k = 0; k < json_array_get_length (states); k++)
        {
          JsonObject *one = memlane_json_element_object (states, k);
          JsonArray *summaries = memlane_json_get_array (one, "summaries");
          State state = {
            .benchmark = memlane_json_get_text (benchmark, "name"), .device = get_index (one, "device"),
            .elements = get_value (find_object (memlane_json_get_array (one, "axis_values"), "name", "Elements")),
            .samples = get_summary (summaries, "nv/cold/sample_size"), .seconds = get_summary (summaries, "nv/cold/time/gpu/mean"),
            .noise = fmax (get_summary (summaries, "nv/cold/time/gpu/stdev/relative"), 0),
          };

          state.device_name = find_device_name (memlane_json_get_array (root, "devices"), state.device);
          if (summaries != NULL && json_array_get_length (summaries) > 0 && !add_state (self, &state, error))
            return FALSE;
        }
    }
  return TRUE;
}

/* --- nvbench's table -------------------------------------------------------------------------------------------------------------- */

enum { BENCHMARK, DEVICE, DEVICE_NAME, ELEMENTS, SKIPPED, SAMPLES, GPU_TIME, N_FIELDS };

static gboolean
read_table (Reader *self, const char *text, GError **error)
{
  static const char *const names[N_FIELDS] = { "Benchmark", "Device", "Device Name", "Elements", "Skipped", "Samples", "GPU Time (sec)" };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1), header = NULL;
  int noise;
  guint at[N_FIELDS], n;

  self->program = "nvbench";
  self->method = NVBENCH_METHOD;
  self->line = 1;
  header = g_strsplit (g_strchomp (lines[0]), ",", -1);
  n = g_strv_length (header);
  for (guint i = 0; i < N_FIELDS; i++)
    {
      for (at[i] = 0; at[i] < n && strcmp (header[at[i]], names[i]) != 0; at[i]++)
        ;
      if (at[i] == n)
        return refuse (self, error, "found no column %s, expected a table of nvbench with an axis Elements", names[i]);
    }
  noise = at[GPU_TIME] + 1 < n && strcmp (header[at[GPU_TIME] + 1], "Noise") == 0 ? (int) at[GPU_TIME] + 1 : -1;
  for (guint i = 1; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (g_strchomp (lines[i]), ",", -1);
      State state = { 0 };
      guint64 device;

      if (*lines[i] == '\0' && lines[i + 1] == NULL)
        break;
      self->line = i + 1;
      if (g_strv_length (fields) != n)
        return refuse (self, error, "found %u fields, expected %u", g_strv_length (fields), n);
      if (strcmp (fields[at[SKIPPED]], "No") != 0)
        continue;
      if (!g_ascii_string_to_unsigned (fields[at[DEVICE]], 10, 0, MOST_DEVICES - 1, &device, NULL)
          || !memlane_text_read_number (fields[at[ELEMENTS]], &state.elements)
          || !memlane_text_read_number (fields[at[SAMPLES]], &state.samples)
          || !memlane_text_read_number (fields[at[GPU_TIME]], &state.seconds)
          || (noise >= 0 && !memlane_text_read_number (fields[noise], &state.noise)))
        return refuse (self, error, "expected numbers in Device, Elements, Samples, GPU Time (sec) and Noise");
      state.benchmark = fields[at[BENCHMARK]];
      state.device = (int) device;
      state.device_name = fields[at[DEVICE_NAME]];
      if (!add_state (self, &state, error))
        return FALSE;
    }
  self->line = 0;
  return TRUE;
}

/* --- files --------------------------------------------------------------------------------------------------------------------------- */

static gboolean
read_json (Reader *self, const char *text, gsize length, GError **error)
{
  g_autoptr (JsonNode) node = memlane_json_tree_read (text, (gssize) length, self->name, error);
  JsonObject *root;

  if (node == NULL)
    return FALSE;
  root = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  if (memlane_json_get_object (root, "nvbandwidth") != NULL)
    return read_nvbandwidth (self, memlane_json_get_object (root, "nvbandwidth"), error);
  if (memlane_json_get_array (root, "benchmarks") != NULL)
    return read_nvbench (self, root, error);
  return refuse (self, error, "found JSON of another kind, expected that of nvbandwidth --json or of nvbench --json");
}

static char *
get_base (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (dot != NULL && dot != base)
    *dot = '\0';
  return g_strndup (base, 120);
}

/* Whether a table of @run would be read again: its names are names, and its cells keep the rules. */
static gboolean
check_run (const Reader *self, const MemlaneRun *run, GError **error)
{
  const char *right = memlane_check_title (run->id);

  if (right != NULL)
    return refuse (self, error, "found the name %.80s, expected %s", run->id, right);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      g_autofree char *expected = NULL;
      const char *key;

      if (!memlane_check_id (cell->workload) || !memlane_check_id (cell->mode))
        return refuse (self, error, "found the benchmark %.80s:%.80s, expected " MEMLANE_CHECK_ID, cell->workload, cell->mode);
      if ((key = memlane_check_cell (cell, &expected)) != NULL)
        return refuse (self, error, "%.80s:%.80s, 2^%g: %s: expected %s", cell->workload, cell->mode, cell->log2_elements, key, expected);
    }
  return TRUE;
}

GPtrArray *
memlane_peers_read (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path), *given = get_base (path), *base = g_utf8_make_valid (given, -1), *text = NULL;
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autoptr (GError) problem = NULL;
  Reader reader = { .name = shown, .base = base, .runs = runs };
  gsize length;

  if (!memlane_small_file_read (path, MEMLANE_JSON_TREE_MOST_BYTES, &text, &length, &problem))
    return memlane_fail_io (error, "cannot read %s: %s", shown, problem->message), NULL;
  if (memchr (text, '\0', length) != NULL || !g_utf8_validate (text, (gssize) length, NULL))
    return refuse (&reader, error, "found bytes that are no UTF-8 text, expected text"), NULL;
  if (!(g_str_has_prefix (text, "Benchmark,") ? read_table (&reader, text, error) : read_json (&reader, text, length, error)))
    return NULL;
  if (runs->len == 0)
    {
      refuse (&reader, error,
              "%s has nothing that stands beside Memlane's: expected host_to_device_memcpy_ce or its kin that passed, or benchmarks named "
              "WORKLOAD:MODE:PHASE", reader.program);
      return NULL;
    }
  for (guint i = 0; i < runs->len; i++)
    if (!check_run (&reader, runs->pdata[i], error))
      return NULL;
  return g_steal_pointer (&runs);
}
