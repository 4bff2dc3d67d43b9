/* message.c: the messages between a worker and whoever asked it, as a table, and its one reader and
 * writer
 *
 * SPDX-License-Identifier: MIT
 */
#include "message.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/reader-limits.h"
#include "base/size.h"
#include "base/strict-text.h"
#include "experiment/result.h"
#include "result/run.h"

#define MOST_INTEGER 9007199254740992.0 /* 2^53: up to there a double holds every whole number */
#define LONGEST_TIME 1e18               /* ns */
#define SHORT MEMLANE_WORKER_LONGEST_NAME
#define SENTENCE MEMLANE_WORKER_LONGEST_SENTENCE

/* --- the table: structs in messages ----------------------------------------------------------- */

#define MEMBER(type, member, a_kind, ...)                                                          \
  { .key = #member,                                                                                \
    .kind = MEMLANE_MEMBER_##a_kind,                                                               \
    .offset = G_STRUCT_OFFSET (type, member),                                                      \
    .size = sizeof (((type *) NULL)->member),                                                      \
    __VA_ARGS__ }
#define RANGE(from, to) .least = from, .most = to
#define MEMBERS(list) .members = list, .n_members = G_N_ELEMENTS (list)
/* The elements of an array of plain values. */
#define VALUES(record, a_key, Type, a_kind, from, to) \
  static const MemlaneMember record##_members[] = { \
    { .key = a_key, .kind = MEMLANE_MEMBER_##a_kind, .size = sizeof (Type), RANGE (from, to) }, \
  }; \
  static const MemlaneRecord record = { sizeof (Type), MEMBERS (record##_members) };

VALUES (size_record, "size", double, NUMBER, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2)
VALUES (place_record, "cell", guint, INTEGER, 0, G_MAXINT)

#define INFO(...) MEMBER (MemlaneDeviceInfo, __VA_ARGS__)
static const MemlaneMember info_members[] = {
  INFO (id, TEXT, RANGE (1, SENTENCE)),
  INFO (simulated, FLAG),
  INFO (kind, TEXT, RANGE (1, SHORT)),
  INFO (name, TEXT, RANGE (1, SHORT)),
  INFO (driver, TEXT, RANGE (0, SHORT)),
  INFO (runtime, TEXT, RANGE (0, SHORT)),
  INFO (pci_bus_id, TEXT, RANGE (0, SHORT)),
  INFO (uuid, TEXT, RANGE (0, SHORT)),
  INFO (launch_shape, TEXT, RANGE (0, SENTENCE)),
  INFO (profile, TEXT, RANGE (0, SENTENCE)),
  INFO (calibrated_from, TEXT, RANGE (0, SENTENCE)),
  INFO (noise, TEXT, RANGE (0, SENTENCE)),
  INFO (capabilities, INTEGER, RANGE (0, G_MAXINT)),
  INFO (compute_major, INTEGER, RANGE (0, 1000)),
  INFO (compute_minor, INTEGER, RANGE (0, 1000)),
  INFO (multiprocessors, INTEGER, RANGE (0, 1e6)),
  INFO (copy_engines, INTEGER, RANGE (0, 1000)),
  INFO (numa_node, INTEGER, RANGE (-1, 1e6)),
  INFO (integrated, FLAG),
  INFO (memory_bytes, INTEGER, RANGE (0, MOST_INTEGER)),
  INFO (l2_bytes, INTEGER, RANGE (0, MOST_INTEGER)),
  INFO (processor_clock, NUMBER, RANGE (0, 1e12)),
  INFO (memory_clock, NUMBER, RANGE (0, 1e12)),
  INFO (memory_bandwidth, NUMBER, RANGE (0, 1e15)),
  INFO (link_generation, INTEGER, RANGE (0, 100)),
  INFO (link_width, INTEGER, RANGE (0, 1000)),
  INFO (link_bandwidth, NUMBER, RANGE (0, 1e15)),
  INFO (static_managed_bytes, INTEGER, RANGE (0, MOST_INTEGER)),
  INFO (priority_least, INTEGER, RANGE (-1e6, 1e6)),
  INFO (priority_greatest, INTEGER, RANGE (-1e6, 1e6)),
  INFO (exact, FLAG),
};
static const MemlaneRecord info_record = { sizeof (MemlaneDeviceInfo), NULL,
                                           (GDestroyNotify) memlane_device_info_free, NULL,
                                           MEMBERS (info_members) };

#define LISTING(...) MEMBER (MemlaneDeviceListing, __VA_ARGS__)
static const MemlaneMember listing_members[] = {
  LISTING (id, TEXT, RANGE (1, SENTENCE)),
  LISTING (kind, TEXT, RANGE (1, SHORT)),
  LISTING (name, TEXT, RANGE (1, SHORT)),
  LISTING (reason, TEXT, RANGE (0, SENTENCE)),
};
static const MemlaneRecord listing_record = { sizeof (MemlaneDeviceListing),
                                              MEMBERS (listing_members) };

#define LINK(...) MEMBER (MemlaneLink, __VA_ARGS__)
static const MemlaneMember link_members[] = {
  LINK (device, INTEGER, RANGE (0, MEMLANE_LINKS_MOST_DEVICES - 1)),
  LINK (peer, INTEGER, RANGE (0, MEMLANE_LINKS_MOST_DEVICES - 1)),
  LINK (way, INTEGER, RANGE (0, MEMLANE_N_LINK_WAYS - 1)),
  LINK (alone, NUMBER, RANGE (0, 1e15)),
  LINK (at_once, NUMBER, RANGE (0, 1e15)),
};
static const MemlaneRecord link_record = { sizeof (MemlaneLink), MEMBERS (link_members) };

static gpointer
make_plan (void)
{
  return memlane_plan_new ();
}

static const char *
check_plan (gpointer data, char **expected)
{
  const MemlanePlan *plan = data;
  gboolean rises = plan->last_log2 >= plan->first_log2;

  for (guint i = 1; i < plan->n_sizes; i++)
    rises = rises && plan->sizes[i] > plan->sizes[i - 1];
  if (rises
      && (plan->n_sizes == 0
          || (plan->sizes[0] == plan->first_log2
              && plan->sizes[plan->n_sizes - 1] == plan->last_log2)))
    return NULL;
  *expected = g_strdup (rises ? "those from first_log2 to last_log2"
                              : "at least first_log2, and sizes that rise");
  return rises ? "sizes" : "last_log2";
}

#define METHOD(...) MEMBER (MemlaneMethod, __VA_ARGS__)
static const MemlaneMember method_members[] = {
  METHOD (workload, WORKLOAD),
  METHOD (reuse, INTEGER, RANGE (0, MEMLANE_MOST_REUSE)),
  METHOD (streams, INTEGER, RANGE (0, MEMLANE_MOST_STREAMS)),
  METHOD (chunks, INTEGER, RANGE (0, MEMLANE_MOST_PIECES)),
  METHOD (seed, INTEGER, RANGE (G_MININT64, G_MAXINT64)),
  METHOD (rounds, INTEGER, RANGE (0, MEMLANE_MOST_ROUNDS)),
  METHOD (precision, NUMBER, RANGE (0, 1)),
  METHOD (cell_seconds, NUMBER, RANGE (0, 3600)),
  METHOD (keep_samples, FLAG),
  METHOD (cold_cache, FLAG),
  METHOD (noise, FLAG),
  METHOD (beside, WORD, .most = MEMLANE_N_BESIDES - 1, .get_word = memlane_beside_name),
  METHOD (busy, INTEGER, RANGE (0, 100)),
};
static const MemlaneRecord method_record = { sizeof (MemlaneMethod), MEMBERS (method_members) };

#define PLAN(...) MEMBER (MemlanePlan, __VA_ARGS__)
static const MemlaneMember plan_members[] = {
  PLAN (modes, MODES),
  PLAN (first_log2, NUMBER, RANGE (MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2)),
  PLAN (last_log2, NUMBER, RANGE (MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2)),
  PLAN (sizes, ARRAY, .most = MEMLANE_MOST_SIZES, .record = &size_record,
        .count = G_STRUCT_OFFSET (MemlanePlan, n_sizes)),
  PLAN (method, RECORD, .record = &method_record),
};
static const MemlaneRecord plan_record = { sizeof (MemlanePlan), make_plan,
                                           (GDestroyNotify) memlane_plan_free, check_plan,
                                           MEMBERS (plan_members) };

#define LAB(...) MEMBER (MemlaneLabPlan, __VA_ARGS__)
static const MemlaneMember lab_members[] = {
  LAB (order, INTEGER, RANGE (0, MEMLANE_LAB_N_ORDERS - 1)),
  LAB (between, INTEGER, RANGE (0, MEMLANE_LAB_N_BETWEENS - 1)),
  LAB (log2_elements, INTEGER, RANGE (0, MEMLANE_LARGEST_LOG2)),
  LAB (streams, INTEGER, RANGE (0, MEMLANE_MOST_STREAMS)),
  LAB (chunks, INTEGER, RANGE (0, MEMLANE_MOST_CHUNKS)),
  LAB (reuse, INTEGER, RANGE (0, MEMLANE_LAB_MOST_REUSE)),
  LAB (pageable, FLAG),
  LAB (non_blocking, FLAG),
  LAB (priorities, FLAG),
  LAB (host_functions, FLAG),
};
static const MemlaneRecord lab_record = { sizeof (MemlaneLabPlan), MEMBERS (lab_members) };

static const char *
check_value (gpointer data, char **expected)
{
  const MemlaneValue *value = data;
  /* A word goes into reports as it is, so it has no markup. */
  gboolean lacks_word = value->kind == MEMLANE_VALUE_WORD
                        && (value->word == NULL || strpbrk (value->word, "<>&|`*[]") != NULL);
  gboolean lacks_doubt = value->kind == MEMLANE_VALUE_NONE && value->doubt == MEMLANE_DOUBT_NONE;

  if (!lacks_word && !lacks_doubt && value->low <= value->median && value->median <= value->high)
    return NULL;
  *expected = g_strdup (lacks_word    ? "one without markup"
                        : lacks_doubt ? "a reason for no value"
                                      : "one from low to high");
  return lacks_word ? "word" : lacks_doubt ? "doubt" : "median";
}

#define VALUE(...) MEMBER (MemlaneValue, __VA_ARGS__)
static const MemlaneMember value_members[] = {
  VALUE (kind, INTEGER, RANGE (0, MEMLANE_VALUE_WORD)),
  VALUE (count, INTEGER, RANGE (0, 1e9)),
  VALUE (median, NUMBER, RANGE (-1e300, 1e300)),
  VALUE (low, NUMBER, RANGE (-1e300, 1e300)),
  VALUE (high, NUMBER, RANGE (-1e300, 1e300)),
  VALUE (loose, FLAG),
  VALUE (word, TEXT, RANGE (0, SENTENCE)),
  VALUE (doubt, INTEGER, RANGE (0, MEMLANE_N_DOUBTS - 1)),
  VALUE (why, TEXT, RANGE (0, SENTENCE)),
};
static const MemlaneRecord value_record = { sizeof (MemlaneValue), .check = check_value,
                                            MEMBERS (value_members) };

/* --- the table: messages ---------------------------------------------------------------------- */

static const char *const codes[] = {
  [MEMLANE_DEVICE_ERROR_FAILED] = "failed",
  [MEMLANE_DEVICE_ERROR_UNSUPPORTED] = "unsupported",
  [MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY] = "out-of-memory",
  [MEMLANE_DEVICE_ERROR_INVALID] = "invalid",
  [MEMLANE_DEVICE_ERROR_UNAVAILABLE] = "unavailable",
  [MEMLANE_DEVICE_ERROR_LOST] = "lost",
  [MEMLANE_DEVICE_ERROR_TIMEOUT] = "timeout",
  "cancelled",
  "other",
};
#define CANCELLED (G_N_ELEMENTS (codes) - 2)
#define OTHER (G_N_ELEMENTS (codes) - 1)

static const char *
get_code (guint value)
{
  return codes[value];
}

static const char *
check_begin (gpointer data, char **expected)
{
  const MemlaneMessage *message = data;

  return memlane_check_device (message->device, message->device_kind, expected);
}

static const char *
check_experiment (gpointer data, char **expected)
{
  const MemlaneMessage *message = data;

  if (message->end >= message->first)
    return NULL;
  *expected = g_strdup ("at least first");
  return "end";
}

#define M(...) MEMBER (MemlaneMessage, __VA_ARGS__)
#define DEVICE_ID M (device, TEXT, RANGE (0, SENTENCE))
#define STEP_ID M (step, TEXT, RANGE (1, SHORT))
#define ROW(a_name, a_check, ...)                                                                  \
  .name = a_name, .record = { sizeof (MemlaneMessage), .check = a_check,                           \
                              .members = (const MemlaneMember[]) { __VA_ARGS__ },                  \
                              .n_members = sizeof ((const MemlaneMember[]) { __VA_ARGS__ })        \
                                           / sizeof (MemlaneMember) }
#define BARE(a_name) .name = a_name, .record = { sizeof (MemlaneMessage) }
#define TO(request) (1u << MEMLANE_MESSAGE_##request)
#define ASKS .after = MEMLANE_N_MESSAGES, .most = 1
#define SAYS(requests, what, times)                                                                \
  .is_answer = TRUE, .to = requests, .after = MEMLANE_##what, .most = times
#define ANY G_MAXUINT32

const MemlaneMessageRow memlane_messages[MEMLANE_N_MESSAGES] = {
  [MEMLANE_MESSAGE_DEVICES] = { BARE ("devices"), ASKS, .meaning = "Lists the devices." },
  [MEMLANE_MESSAGE_DESCRIBE] = { ROW ("describe", NULL, DEVICE_ID), ASKS,
                                 .meaning = "Asks what a device can do." },
  [MEMLANE_MESSAGE_COPY] = { ROW ("copy", NULL, M (device, TEXT, RANGE (1, SENTENCE))), ASKS,
                             .meaning =
                                 "Copies over the links of several devices, their ids by comma." },
  [MEMLANE_MESSAGE_MEASURE] = { ROW ("measure", NULL, DEVICE_ID,
                                     M (plan, POINTER, .record = &plan_record),
                                     M (round, INTEGER, RANGE (1, MEMLANE_MOST_ROUNDS)),
                                     M (order, ARRAY, RANGE (1, MEMLANE_WORKER_MOST_CELLS),
                                        .record = &place_record,
                                        .count = G_STRUCT_OFFSET (MemlaneMessage, n_order))),
                                ASKS, .meaning = "Measures cells of a plan, in this order." },
  [MEMLANE_MESSAGE_SAMPLE] = { ROW ("sample", NULL, DEVICE_ID,
                                    M (plan, POINTER, .record = &plan_record)),
                               ASKS, .meaning = "Records one sample of the plan's first cell." },
  [MEMLANE_MESSAGE_LABORATORY] = { ROW ("laboratory", NULL, DEVICE_ID,
                                        M (lab, RECORD, .record = &lab_record)),
                                   ASKS,
                                   .meaning = "Records one sample of the stream laboratory." },
  [MEMLANE_MESSAGE_EXPERIMENT] = { ROW ("experiment", check_experiment, DEVICE_ID,
                                        M (name, TEXT, RANGE (1, SENTENCE)),
                                        M (text, DOCUMENT, RANGE (0, MEMLANE_KEYS_MOST_BYTES)),
                                        M (first, INTEGER, RANGE (0, G_MAXINT)),
                                        M (end, INTEGER, RANGE (0, G_MAXINT)),
                                        M (round, INTEGER, RANGE (1, MEMLANE_MOST_ROUNDS))),
                                   ASKS,
                                   .meaning =
                                       "Runs steps of an experiment (the text of its file) from "
                                       "first to before end. round processes share the samples." },
  [MEMLANE_MESSAGE_CANCEL] = { BARE ("cancel"), ASKS,
                               .meaning = "Ends the request in work within one sample." },
  [MEMLANE_MESSAGE_BYE] = { BARE ("bye"), ASKS, .meaning = "Ends the worker." },

  [MEMLANE_MESSAGE_HELLO] = { ROW ("hello", NULL, M (protocol, INTEGER, RANGE (0, G_MAXINT)),
                                   M (version, TEXT, RANGE (1, SHORT)),
                                   M (commit, TEXT, RANGE (0, SHORT)),
                                   M (host, TEXT, RANGE (0, SHORT)),
                                   M (boot, TEXT, RANGE (0, SHORT))),
                              SAYS (ANY, N_MESSAGES, 1),
                              .meaning = "Comes first. Another protocol is refused." },
  [MEMLANE_MESSAGE_ALIVE] = { ROW ("alive", NULL, M (call, TEXT, RANGE (0, SHORT)),
                                   M (count, INTEGER, RANGE (0, MOST_INTEGER))),
                              SAYS (ANY, MESSAGE_HELLO, G_MAXUINT),
                              .meaning = "Comes once a second: the driver's call in work, and how "
                                         "many there were." },
  [MEMLANE_MESSAGE_DEVICE] = { ROW ("device", NULL, M (listing, RECORD, .record = &listing_record)),
                               SAYS (TO (DEVICES), MESSAGE_HELLO, MEMLANE_WORKER_MOST_DEVICES),
                               .meaning = "Names a device; reason: why it cannot be used." },
  [MEMLANE_MESSAGE_CAPABILITIES] = { ROW ("capabilities", NULL,
                                          M (info, POINTER, .record = &info_record)),
                                     SAYS (TO (DESCRIBE), MESSAGE_HELLO, 1),
                                     .meaning = "Tells what a device can do." },
  [MEMLANE_MESSAGE_LINKS] = { ROW ("links", NULL,
                                   M (links, ARRAY,
                                      RANGE (1, MEMLANE_LINKS_MOST_DEVICES *(
                                                    MEMLANE_LINK_PEER + MEMLANE_LINKS_MOST_DEVICES
                                                    - 1)),
                                      .record = &link_record,
                                      .count = G_STRUCT_OFFSET (MemlaneMessage, n_links))),
                              SAYS (TO (COPY), MESSAGE_HELLO, 1),
                              .meaning =
                                  "Tells what each device copied each way, in bytes per second." },
  [MEMLANE_MESSAGE_RUN] = { ROW ("run", NULL, M (run, POINTER, .record = &memlane_run_record)),
                            SAYS (TO (MEASURE), MESSAGE_HELLO, 1),
                            .meaning = "Names the run and where it is measured." },
  [MEMLANE_MESSAGE_STATE] = { ROW ("state", NULL, M (sm_mhz, INTEGER, RANGE (0, 1e6)),
                                   M (memory_mhz, INTEGER, RANGE (0, 1e6)),
                                   M (temperature_c, INTEGER, RANGE (0, 1e6)),
                                   M (throttled, TEXT, RANGE (0, SENTENCE))),
                              SAYS (TO (MEASURE), MESSAGE_RUN, MEMLANE_WORKER_MOST_STATES),
                              .meaning = "Tells the device's clocks before and after the cells; "
                                         "throttled: why it was slowed." },
  [MEMLANE_MESSAGE_PROGRESS] = { ROW ("progress", NULL, M (mode, MODE),
                                      M (log2_elements, NUMBER, RANGE (0, MEMLANE_LARGEST_LOG2))),
                                 SAYS (TO (MEASURE), MESSAGE_RUN, MEMLANE_WORKER_MOST_CELLS),
                                 .meaning = "A cell begins." },
  [MEMLANE_MESSAGE_CELL] = { ROW ("cell", NULL, M (cell, POINTER, .record = &memlane_cell_record)),
                             SAYS (TO (MEASURE), MESSAGE_PROGRESS, MEMLANE_WORKER_MOST_CELLS),
                             .meaning = "What this process measured; samples and marks only if the "
                                        "plan keeps samples." },
  [MEMLANE_MESSAGE_TRACE] = { ROW ("trace", NULL, M (step, TEXT, RANGE (0, SHORT)),
                                   M (text, DOCUMENT, RANGE (0, MEMLANE_WORKER_LONGEST_PIECE)),
                                   M (more, FLAG)),
                              SAYS (TO (SAMPLE) | TO (LABORATORY) | TO (EXPERIMENT), MESSAGE_HELLO,
                                    MEMLANE_WORKER_MOST_PIECES),
                              .meaning = "A piece of a trace as a file holds it; more: another "
                                         "follows. step: of an experiment." },
  [MEMLANE_MESSAGE_BEGIN] = { ROW ("begin", check_begin, M (device, TITLE),
                                   M (device_name, TEXT, RANGE (1, SHORT)),
                                   M (device_kind, TEXT, RANGE (1, SHORT)),
                                   M (machine, TEXT, RANGE (1, SENTENCE))),
                              SAYS (TO (EXPERIMENT), MESSAGE_HELLO, 1),
                              .meaning = "Names the device of an experiment." },
  [MEMLANE_MESSAGE_FINDING] = { ROW ("finding", NULL, STEP_ID, M (name, TEXT, RANGE (1, SHORT)),
                                     M (value, RECORD, .record = &value_record)),
                                SAYS (TO (EXPERIMENT), MESSAGE_BEGIN, MEMLANE_WORKER_MOST_FINDINGS),
                                .meaning = "A step has found this." },
  [MEMLANE_MESSAGE_NOTE] = { ROW ("note", NULL, M (text, TEXT, RANGE (1, SENTENCE))),
                             SAYS (TO (EXPERIMENT), MESSAGE_BEGIN, MEMLANE_WORKER_MOST_NOTES),
                             .meaning = "Says what could not be done." },
  [MEMLANE_MESSAGE_STEP] = { ROW ("step", NULL, M (done, INTEGER, RANGE (0, G_MAXINT)),
                                  M (fraction, NUMBER, RANGE (0, 1))),
                             SAYS (TO (EXPERIMENT), MESSAGE_BEGIN, MEMLANE_WORKER_MOST_PROGRESS),
                             .meaning = "So many steps are done, and a fraction of the next; the "
                                        "last says how far this process goes." },
  [MEMLANE_MESSAGE_ERROR] = { ROW ("error", NULL,
                                   M (code, WORD, .most = OTHER, .get_word = get_code),
                                   M (text, TEXT, RANGE (1, SENTENCE))),
                              SAYS (ANY, MESSAGE_HELLO, 1), .meaning = "Ends the answer." },
  [MEMLANE_MESSAGE_DONE] = { BARE ("done"), SAYS (ANY, MESSAGE_HELLO, 1),
                             .meaning = "Ends the answer." },
};

/* --- reading ---------------------------------------------------------------------------------- */

static gboolean read_record (const MemlaneRecord *record, JsonNode *node, gpointer to,
                             const char *key, GError **error);
static gboolean read_member (const MemlaneMember *member, JsonNode *node, gpointer structure,
                             GError **error);

#define refuse(error, key, expected, ...) \
  memlane_refuse (error, "%s: expected " expected, key, ##__VA_ARGS__)

static gboolean
read_text (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  const char *text = memlane_json_as_text (node), *expected;
  char **place = to;

  if (node == NULL && member->kind == MEMLANE_MEMBER_TEXT && member->least < 1)
    return TRUE;
  if (text == NULL)
    return refuse (error, member->key, "a text");
  expected = member->kind == MEMLANE_MEMBER_NAME    ? memlane_check_name (text)
             : member->kind == MEMLANE_MEMBER_TITLE ? memlane_check_title (text) : NULL;
  if (expected != NULL)
    return refuse (error, member->key, "%s", expected);
  if (member->kind == MEMLANE_MEMBER_DOCUMENT && strlen (text) > member->most)
    return refuse (error, member->key, "at most %.0f bytes", member->most);
  if (member->kind == MEMLANE_MEMBER_TEXT)
    {
      glong length = g_utf8_strlen (text, -1);

      if (length < member->least || length > member->most)
        return refuse (error, member->key, "a text of %g to %g characters", member->least,
                       member->most);
      if (!memlane_text_is_printable (text))
        return refuse (error, member->key, "a text without control characters");
    }
  g_free (*place);
  *place = *text != '\0' || member->kind != MEMLANE_MEMBER_TEXT ? g_strdup (text) : NULL;
  return TRUE;
}

static gboolean
read_integer (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  gint64 value;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node)
      || json_node_get_value_type (node) != G_TYPE_INT64)
    return refuse (error, member->key, "a whole number");
  value = json_node_get_int (node);
  if ((double) value < member->least || (double) value > member->most)
    return refuse (error, member->key, "a whole number from %.0f to %.0f", member->least,
                   member->most);
  if (member->size == 1)
    *(guint8 *) to = (guint8) value;
  else if (member->size == 4)
    *(guint32 *) to = (guint32) value;
  else
    *(gint64 *) to = value;
  return TRUE;
}

static gboolean
read_number (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  GType type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                            : G_TYPE_INVALID;
  double value;

  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return refuse (error, member->key, "a number");
  *(double *) to = value = json_node_get_double (node);
  return (value >= member->least && value <= member->most)
         || refuse (error, member->key, "a number from %g to %g", member->least, member->most);
}

static gboolean
read_flag (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  if (node != NULL
      && (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_BOOLEAN))
    return refuse (error, member->key, "true or false");
  *(gboolean *) to = node != NULL && json_node_get_boolean (node);
  return TRUE;
}

static gboolean
read_word (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  const char *text = memlane_json_as_text (node);
  guint value = 0;

  while (text != NULL && value <= member->most && strcmp (member->get_word (value), text) != 0)
    value++;
  if (text == NULL || value > member->most)
    return refuse (error, member->key, "a word that is known, such as %s", member->get_word (0));
  *(guint *) to = value;
  return TRUE;
}

static gboolean
read_id (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  gboolean is_mode = member->kind == MEMLANE_MEMBER_MODE;
  const char *text = memlane_json_as_text (node);
  gconstpointer found = text == NULL ? NULL
                        : is_mode    ? (gconstpointer) memlane_mode_find (text)
                                     : memlane_workload_find (text);

  *(gconstpointer *) to = found;
  return found != NULL
         || refuse (error, member->key, "the id of a %s that this version has",
                    is_mode ? "mode" : "workload");
}

/* NULL: it is no list, or has not from @member's least to its most elements; a missing list is
 * empty where that may be. */
static JsonArray *
get_list (const MemlaneMember *member, JsonNode *node, GError **error)
{
  JsonArray *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node)
                                                                 : NULL;

  if (list != NULL && json_array_get_length (list) >= member->least
      && json_array_get_length (list) <= member->most)
    return list;
  refuse (error, member->key, "a list of %g to %g", member->least, member->most);
  return NULL;
}

/* memlane_plan_set_modes() takes a list with commas, and knows what is wrong. */
static gboolean
read_modes (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  MemlanePlan *plan = (gpointer) ((char *) to - member->offset);
  MemlaneMember limits = { .key = member->key, .least = 1 };
  g_autoptr (GString) text = g_string_new (NULL);
  JsonArray *list;
  guint most;

  memlane_mode_list (&most);
  limits.most = most;
  list = get_list (&limits, node, error);
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      const char *id = memlane_json_as_text (json_array_get_element (list, i));

      if (id == NULL || strchr (id, ',') != NULL)
        return refuse (error, member->key, "ids of modes");
      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", id);
    }
  return list != NULL && memlane_plan_set_modes (plan, text->str, error);
}

static gboolean
read_records (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  JsonArray *list = get_list (member, node, error);

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      gpointer element = g_malloc0 (member->record->size);

      g_ptr_array_add (*(GPtrArray **) to, element);
      if (!read_record (member->record, json_array_get_element (list, i), element, member->key,
                        error))
        return FALSE;
    }
  return list != NULL;
}

/* json-glib writes some numbers, such as 1e300, as what is no JSON: they are refused. */
static gboolean
read_environment (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  MemlaneEnvironment **environment = to;
  g_autofree char *text = NULL;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return refuse (error, member->key, "an object");
  text = json_to_string (node, TRUE);
  *environment = memlane_environment_parse (text, -1, member->key, error);
  return *environment != NULL;
}

static gboolean
read_array (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  const MemlaneRecord *record = member->record;
  guint *count = G_STRUCT_MEMBER_P ((char *) to - member->offset, ABS (member->count));
  MemlaneMember limits = *member;
  JsonArray *list;
  char *elements;

  if (member->count < 0 && node == NULL)
    return TRUE;
  if (member->count < 0)
    limits.least = limits.most = *count;
  list = get_list (&limits, node, error);
  if (list == NULL)
    return FALSE;
  *count = json_array_get_length (list);
  *(gpointer *) to = elements = g_malloc0_n (*count, record->size);
  for (guint i = 0; i < *count; i++)
    {
      JsonNode *element = json_array_get_element (list, i);
      gpointer at = elements + i * record->size;

      if (record->n_members == 1 ? !read_member (record->members, element, at, error)
                                 : !read_record (record, element, at, member->key, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_inner (const MemlaneMember *member, JsonNode *node, gpointer to, GError **error)
{
  if (member->kind == MEMLANE_MEMBER_POINTER)
    to = *(gpointer *) to = member->record->make != NULL ? member->record->make ()
                                                         : g_malloc0 (member->record->size);
  return read_record (member->record, node, to, member->key, error);
}

static gboolean
read_member (const MemlaneMember *member, JsonNode *node, gpointer structure, GError **error)
{
  static gboolean (*const readers[]) (const MemlaneMember *member, JsonNode *node, gpointer to,
                                      GError **error) = {
    [MEMLANE_MEMBER_TEXT] = read_text,       [MEMLANE_MEMBER_NAME] = read_text,
    [MEMLANE_MEMBER_TITLE] = read_text,      [MEMLANE_MEMBER_DOCUMENT] = read_text,
    [MEMLANE_MEMBER_INTEGER] = read_integer, [MEMLANE_MEMBER_NUMBER] = read_number,
    [MEMLANE_MEMBER_FLAG] = read_flag,       [MEMLANE_MEMBER_WORD] = read_word,
    [MEMLANE_MEMBER_MODE] = read_id,         [MEMLANE_MEMBER_MODES] = read_modes,
    [MEMLANE_MEMBER_WORKLOAD] = read_id,     [MEMLANE_MEMBER_ENVIRONMENT] = read_environment,
    [MEMLANE_MEMBER_RECORD] = read_inner,    [MEMLANE_MEMBER_POINTER] = read_inner,
    [MEMLANE_MEMBER_RECORDS] = read_records, [MEMLANE_MEMBER_ARRAY] = read_array,
  };

  if (node == NULL && member->is_new) /* a journal that an earlier version wrote */
    return TRUE;
  return readers[member->kind](member, node, G_STRUCT_MEMBER_P (structure, member->offset), error);
}

/* An object; or a list with a value for each member. */
static gboolean
read_record (const MemlaneRecord *record, JsonNode *node, gpointer to, const char *key,
             GError **error)
{
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                                     : NULL;
  JsonArray *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node)
                                                                 : NULL;
  g_autofree char *expected = NULL;
  const char *wrong;

  if (object == NULL && (list == NULL || json_array_get_length (list) != record->n_members))
    return refuse (error, key, "an object, or a list of %u", record->n_members);
  for (guint i = 0; i < record->n_members; i++)
    {
      const char *member = record->members[i].key;
      JsonNode *value = list != NULL     ? json_array_get_element (list, i)
                        : member != NULL ? json_object_get_member (object, member)
                                         : NULL;

      if (member != NULL
          && !read_member (&record->members[i],
                           value != NULL && JSON_NODE_HOLDS_NULL (value) ? NULL : value, to, error))
        return FALSE;
    }
  wrong = record->check != NULL ? record->check (to, &expected) : NULL;
  return wrong == NULL || refuse (error, wrong, "%s", expected);
}

/* --- freeing ---------------------------------------------------------------------------------- */

/* Modes belong to their plan, and records to their cell. */
static void
clear_record (const MemlaneRecord *record, gpointer structure)
{
  for (guint i = 0; i < record->n_members; i++)
    {
      const MemlaneMember *member = &record->members[i];
      gpointer *at = G_STRUCT_MEMBER_P (structure, member->offset);

      if (member->kind <= MEMLANE_MEMBER_DOCUMENT || member->kind == MEMLANE_MEMBER_ARRAY)
        g_clear_pointer (at, g_free);
      else if (member->kind == MEMLANE_MEMBER_ENVIRONMENT)
        g_clear_pointer ((MemlaneEnvironment **) at, memlane_environment_unref);
      else if (member->kind == MEMLANE_MEMBER_RECORD)
        clear_record (member->record, at);
      else if (member->kind == MEMLANE_MEMBER_POINTER)
        {
          if (*at != NULL && member->record->free == NULL)
            clear_record (member->record, *at);
          g_clear_pointer (at, member->record->free != NULL ? member->record->free : g_free);
        }
    }
}

void
memlane_message_clear (MemlaneMessage *message)
{
  clear_record (&memlane_messages[message->type].record, message);
}

gboolean
memlane_message_read (MemlaneMessage *message, const char *line, gsize length, gboolean is_answer,
                      const char *name, GError **error)
{
  g_autoptr (JsonNode) node = memlane_json_tree_read (line, (gssize) length, name, error);
  g_autoptr (GError) problem = NULL;
  const char *type;

  memset (message, 0, sizeof *message);
  if (node == NULL)
    return FALSE;
  type = JSON_NODE_HOLDS_OBJECT (node)
             ? memlane_json_as_text (json_object_get_member (json_node_get_object (node), "type"))
             : NULL;
  if (type == NULL)
    return memlane_refuse (error, "%s: expected an object with a type on each line", name);
  while (message->type < MEMLANE_N_MESSAGES
         && (memlane_messages[message->type].is_answer != is_answer
             || strcmp (memlane_messages[message->type].name, type) != 0))
    message->type++;
  if (message->type == MEMLANE_N_MESSAGES)
    {
      g_autofree char *shown = g_utf8_substring (type, 0, MIN (g_utf8_strlen (type, -1), 40));
      g_autoptr (GString) printable = g_string_new (NULL);

      memlane_text_append_printable (printable, shown, strlen (shown), FALSE);
      return memlane_refuse (error, "%s: found the type \"%s\", which this version does not know",
                             name, printable->str);
    }
  if (read_record (&memlane_messages[message->type].record, node, message, type, &problem))
    return TRUE;
  memlane_message_clear (message);
  return memlane_refuse (error, "%s: %s: %s", name, type, problem->message);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_record (GString *text, const MemlaneRecord *record, gconstpointer structure,
                          gboolean is_list);
static gboolean write_member (GString *text, const MemlaneMember *member, gconstpointer structure);

/* One line that can be shown, whatever a driver says. */
static void
write_text (GString *text, const char *value, double most)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree char *copy = g_strdelimit (g_strdup (value), "\n\r\t", ' '), *cut = NULL;

  memlane_text_append_printable (line, copy, strlen (copy), FALSE);
  cut = g_utf8_substring (line->str, 0, MIN (g_utf8_strlen (line->str, -1), (glong) most));
  memlane_text_append_json (text, cut);
}

/* Replaces the last comma. */
static void
close_list (GString *text, char end)
{
  if (text->str[text->len - 1] == ',')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, end);
}

static gint64
get_integer (gconstpointer at, gsize size, gboolean is_signed)
{
  if (size == 1)
    return *(const guint8 *) at;
  if (size == 4)
    return is_signed ? *(const gint32 *) at : (gint64) *(const guint32 *) at;
  return *(const gint64 *) at;
}

static gboolean
write_array (GString *text, const MemlaneMember *member, gconstpointer structure)
{
  const char *from = *(const char *const *) G_STRUCT_MEMBER_P (structure, member->offset);
  guint count = *(const guint *) G_STRUCT_MEMBER_P (structure, ABS (member->count));

  if (member->count < 0 && from == NULL)
    return FALSE;
  g_string_append_c (text, '[');
  for (guint i = 0; i < count; i++)
    {
      const char *at = from + i * member->record->size;

      if (member->record->n_members == 1)
        (void) write_member (text, member->record->members, at);
      else
        write_record (text, member->record, at, TRUE);
      g_string_append_c (text, ',');
    }
  close_list (text, ']');
  return TRUE;
}

static void
write_elements (GString *text, const MemlaneMember *member, const GPtrArray *from)
{
  g_string_append_c (text, '[');
  for (guint i = 0; from != NULL && i < from->len; i++)
    {
      write_record (text, member->record, from->pdata[i], FALSE);
      g_string_append_c (text, ',');
    }
  close_list (text, ']');
}

/* FALSE: it is left out. */
static gboolean
write_member (GString *text, const MemlaneMember *member, gconstpointer structure)
{
  const MemlaneMemberKind kind = member->kind;
  gconstpointer at = G_STRUCT_MEMBER_P (structure, member->offset), pointer;
  gsize begin = text->len;

  if (kind == MEMLANE_MEMBER_INTEGER)
    g_string_append_printf (text, "%" G_GINT64_FORMAT,
                            get_integer (at, member->size, member->least < 0));
  else if (kind == MEMLANE_MEMBER_NUMBER)
    memlane_text_append_number (text, isfinite (*(const double *) at) ? *(const double *) at : 0);
  else if (kind == MEMLANE_MEMBER_FLAG)
    g_string_append (text, *(const gboolean *) at ? "true" : "false");
  else if (kind == MEMLANE_MEMBER_WORD)
    memlane_text_append_json (text, member->get_word (*(const guint *) at));
  else if (kind == MEMLANE_MEMBER_RECORD)
    write_record (text, member->record, at, FALSE);
  else if (kind == MEMLANE_MEMBER_ARRAY)
    return write_array (text, member, structure);
  else if (kind == MEMLANE_MEMBER_RECORDS)
    write_elements (text, member, *(GPtrArray *const *) at);
  else if ((pointer = *(gconstpointer const *) at) == NULL)
    return FALSE;
  else if (kind == MEMLANE_MEMBER_TEXT)
    write_text (text, pointer, member->most);
  else if (kind == MEMLANE_MEMBER_MODE)
    memlane_text_append_json (text, ((const MemlaneMode *) pointer)->id);
  else if (kind == MEMLANE_MEMBER_WORKLOAD)
    memlane_text_append_json (text, ((const MemlaneWorkload *) pointer)->id);
  else if (kind == MEMLANE_MEMBER_MODES)
    {
      g_string_append_c (text, '[');
      for (const MemlaneMode *const *mode = pointer; *mode != NULL; mode++)
        {
          memlane_text_append_json (text, (*mode)->id);
          g_string_append_c (text, ',');
        }
      close_list (text, ']');
    }
  else if (kind == MEMLANE_MEMBER_POINTER)
    write_record (text, member->record, pointer, FALSE);
  else if (kind == MEMLANE_MEMBER_ENVIRONMENT)
    {
      g_string_append (text, memlane_environment_get_json (pointer));
      /* lines of a JSON text end between its values alone */
      g_strdelimit (text->str + begin, "\n\r", ' ');
    }
  else
    memlane_text_append_json (text, pointer);
  return TRUE;
}

static void
write_members (GString *text, const MemlaneRecord *record, gconstpointer structure,
               gboolean is_list)
{
  for (guint i = 0; i < record->n_members; i++)
    {
      gsize length = text->len;

      if (record->members[i].key == NULL)
        continue;
      if (!is_list)
        g_string_append_printf (text, "\"%s\":", record->members[i].key);
      if (write_member (text, &record->members[i], structure))
        g_string_append_c (text, ',');
      else
        g_string_truncate (text, length);
    }
}

/* An object; or, in an array, a list of its values. */
static void
write_record (GString *text, const MemlaneRecord *record, gconstpointer structure, gboolean is_list)
{
  g_string_append_c (text, is_list ? '[' : '{');
  write_members (text, record, structure, is_list);
  close_list (text, is_list ? ']' : '}');
}

char *
memlane_message_write (const MemlaneMessage *message)
{
  const MemlaneMessageRow *row = &memlane_messages[message->type];
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "{\"type\":\"%s\",", row->name);
  write_members (text, &row->record, message, FALSE);
  close_list (text, '}');
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

gboolean
memlane_lines_take (GString *held, const char *bytes, gsize length,
                    void (*take) (gpointer self, const char *line, gsize length), gpointer self)
{
  while (length > 0)
    {
      const char *newline = memchr (bytes, '\n', length);
      gsize n = newline != NULL ? (gsize) (newline - bytes) : length;

      if (held->len + n >= MEMLANE_WORKER_LONGEST_LINE)
        return FALSE;
      g_string_append_len (held, bytes, (gssize) n);
      if (newline == NULL)
        break;
      take (self, held->str, held->len);
      g_string_truncate (held, 0);
      bytes += n + 1;
      length -= n + 1;
    }
  return TRUE;
}

/* --- a talk ----------------------------------------------------------------------------------- */

gboolean
memlane_talk_hear (MemlaneTalk *talk, const MemlaneMessage *message, GError **error)
{
  const MemlaneMessageRow *row = &memlane_messages[message->type];

  if ((row->to & (1u << talk->request)) == 0)
    return memlane_refuse (error, "\"%s\" is no answer to %s", row->name,
                           memlane_messages[talk->request].name);
  if (row->after != MEMLANE_N_MESSAGES && talk->said[row->after] == 0)
    return memlane_refuse (error, "found \"%s\", expected \"%s\"", row->name,
                           memlane_messages[row->after].name);
  if (talk->said[message->type] >= row->most)
    return memlane_refuse (error, "found \"%s\" once more, expected at most %u of them", row->name,
                           row->most);
  talk->said[message->type]++;
  return TRUE;
}

/* --- errors ----------------------------------------------------------------------------------- */

void
memlane_message_set_error (MemlaneMessage *message, const GError *error)
{
  *message =
      (MemlaneMessage) { .type = MEMLANE_MESSAGE_ERROR, .code = OTHER, .text = error->message };
  if (error->domain == MEMLANE_DEVICE_ERROR && (guint) error->code < CANCELLED)
    message->code = (guint) error->code;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    message->code = CANCELLED;
}

GError *
memlane_message_get_error (const MemlaneMessage *message)
{
  if (message->code < CANCELLED)
    return g_error_new_literal (MEMLANE_DEVICE_ERROR, (int) message->code, message->text);
  return g_error_new_literal (G_IO_ERROR,
                              message->code == CANCELLED ? G_IO_ERROR_CANCELLED : G_IO_ERROR_FAILED,
                              message->text);
}
