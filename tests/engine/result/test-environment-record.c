/* test-environment-record.c: the record of an environment keeps what it is given, and says what it knows
 *
 * SPDX-License-Identifier: MIT
 */
#include "result/environment.h"

#include <math.h>
#include <string.h>

/* As a newer Memlane may write it: with members that this one does not know. */
static const char newer[] =
  "{ \"memlane\": { \"version\": \"9\" }, \"device\": { \"name\": \"NVIDIA H200\", \"simulated\": false, \"color\": \"green\", "
  "\"capabilities\": [\"managedMemory\", 3] }, \"link\": { \"width\": 16, \"generation\": \"five\" }, \"method\": { \"precision\": 0.02 }, "
  "\"floors\": { \"launch_ns\": 2000 }, \"future\": { \"deep\": [1, 2] }, \"rounds\": [ { \"round\": 1, \"smell\": 3 } ] }";

static void
test_get (void)
{
  g_autoptr (MemlaneEnvironment) environment = memlane_environment_parse (newer, -1, "newer", NULL);
  g_autofree char *name = memlane_environment_format (environment, MEMLANE_ENVIRONMENT_DEVICE_NAME);
  g_autofree char *width = memlane_environment_format (environment, MEMLANE_ENVIRONMENT_LINK_WIDTH);
  g_autofree char *precision = memlane_environment_format (environment, MEMLANE_ENVIRONMENT_PRECISION);
  g_autofree char *flag = memlane_environment_format (environment, MEMLANE_ENVIRONMENT_SIMULATED);

  g_assert_cmpstr (name, ==, "NVIDIA H200");
  g_assert_cmpstr (width, ==, "16");
  g_assert_cmpstr (precision, ==, "0.02");
  g_assert_cmpstr (flag, ==, "false");
  g_assert_cmpstr (memlane_environment_get_text (environment, MEMLANE_ENVIRONMENT_DEVICE_NAME), ==, "NVIDIA H200");
  g_assert_null (memlane_environment_get_text (environment, MEMLANE_ENVIRONMENT_DRIVER));
  g_assert_cmpfloat (memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_LINK_WIDTH), ==, 16);
  g_assert_true (isnan (memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_LINK_GENERATION))); /* of another type */
  g_assert_true (isnan (memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_DEVICE_NAME)));
  g_assert_cmpfloat (memlane_environment_get_floors (environment)->launch_ns, ==, 2000);
  g_assert_cmpstr (memlane_environment_get_json (environment), ==, newer);
  g_assert_true (isnan (memlane_environment_get_number (NULL, MEMLANE_ENVIRONMENT_LINK_WIDTH)));
  g_assert_null (memlane_environment_get_floors (NULL));
}

/* A round and a control come to a copy, which keeps what it does not know; what others hold does not change. */
static void
test_copies (void)
{
  g_autoptr (MemlaneEnvironment) environment = memlane_environment_parse (newer, -1, "newer", NULL), with_round = NULL, again = NULL;
  g_autoptr (MemlaneEnvironment) read = NULL;
  const MemlaneEnvironmentRound round = { .round = 2, .begun = "2026-11-23T01:00:00Z", .took_ms = 5300, .first_pinned_ns = 700,
                                          .best = { { 30, 3500, 90 } }, .usual = { { 42, 4900, 126 } }, .throttled = "power cap" };
  const MemlaneFloors floors = { .host_pair_ns = 42, .launch_ns = 4900 };
  const MemlaneEnvironmentRound *rounds;
  const MemlaneEnvironmentValue values[] = { { MEMLANE_ENVIRONMENT_CONTROL_PAIRS, .number = 22 },
                                             { MEMLANE_ENVIRONMENT_DRIVER, "580" } };
  guint n;

  with_round = memlane_environment_with_round (environment, &round, &floors, NULL);
  again = memlane_environment_with (with_round, values, G_N_ELEMENTS (values));

  (void) memlane_environment_get_rounds (environment, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_null (memlane_environment_get_text (with_round, MEMLANE_ENVIRONMENT_DRIVER));
  g_assert_true (isnan (memlane_environment_get_number (with_round, MEMLANE_ENVIRONMENT_CONTROL_PAIRS)));

  read = memlane_environment_parse (memlane_environment_get_json (again), -1, "again", NULL);
  rounds = memlane_environment_get_rounds (read, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (rounds[0].round, ==, 1);
  g_assert_null (rounds[0].throttled);
  g_assert_cmpuint (rounds[1].round, ==, 2);
  g_assert_cmpstr (rounds[1].begun, ==, "2026-11-23T01:00:00Z");
  g_assert_cmpint (rounds[1].took_ms, ==, 5300);
  g_assert_cmpfloat (rounds[1].first_pinned_ns, ==, 700);
  g_assert_cmpstr (rounds[1].throttled, ==, "power cap");
  g_assert_cmpfloat (rounds[0].best.ns[MEMLANE_PROBE_PAIR], ==, 0); /* as of older runs */
  g_assert_cmpfloat (rounds[1].best.ns[MEMLANE_PROBE_LAUNCH], ==, 3500);
  g_assert_cmpfloat (rounds[1].usual.ns[MEMLANE_PROBE_COPY], ==, 126);
  g_assert_nonnull (strstr (memlane_environment_get_json (read), "\"launch_ns\" : 4900"));
  g_assert_cmpfloat (memlane_environment_get_number (read, MEMLANE_ENVIRONMENT_CONTROL_PAIRS), ==, 22);
  g_assert_cmpstr (memlane_environment_get_text (read, MEMLANE_ENVIRONMENT_DRIVER), ==, "580");
  g_assert_cmpstr (memlane_environment_get_text (read, MEMLANE_ENVIRONMENT_DEVICE_NAME), ==, "NVIDIA H200");
  g_assert_nonnull (strstr (memlane_environment_get_json (read), "\"color\" : \"green\""));
  g_assert_nonnull (strstr (memlane_environment_get_json (read), "\"deep\""));
  g_assert_nonnull (strstr (memlane_environment_get_json (read), "\"smell\" : 3"));
}

/* No two members have one path, or one would hide the other. */
static void
test_list (void)
{
#define PATH(name, path, type, meaning, label) path,
  static const char *const paths[] = { MEMLANE_ENVIRONMENT_MEMBERS (PATH) };
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    if (!g_hash_table_add (seen, (gpointer) paths[i]))
      g_error ("%s stands twice in the list of members", paths[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/environment/get", test_get);
  g_test_add_func ("/result/environment/copies", test_copies);
  g_test_add_func ("/result/environment/list", test_list);
  return g_test_run ();
}
