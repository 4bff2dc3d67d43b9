/* replay.c: a harness without libFuzzer: each file of folders, and each file cut short at 64 places; or rows of choices
 *
 * SPDX-License-Identifier: MIT
 *
 *   PROGRAM [--typed N] FOLDER...
 *   PROGRAM --choices N
 *
 * Then come typed mutations, at most N of all files together: every value of a JSON file, of a key file and of a table is replaced by 26
 * kinds of values, removed, and doubled; every object, list and pair of lines is turned around. Byte mutations hardly ever hit these.
 * At last every list, group and table grows to thousands of entries whose names share one g_str_hash().
 *
 * Typed inputs and choices must cost memory and work in proportion to their size (cost.h).
 */
#include <json-glib/json-glib.h>

#include "base/json.h"
#include "cost.h"
#include "fuzz.h"

#define CUTS 64

static const char *const kinds[] = {
  "null", "true", "false", "0", "-1", "1", "7", "0.5", "-0.0", "1e300", "-1e300", "1e-300", "2147483648", "4294967295", "4294966298",
  "9223372036854775807", "-9223372036854775808", "18446744073709551616", "\"\"", "\"x\"", "\"=1+1\"", "\"../..\"", "\"\\u202e\\u009b\"",
  "[]", "{}", "[[1,{\"a\":2}]]",
};
enum { REMOVED = G_N_ELEMENTS (kinds), DOUBLED, TURNED, N_MUTATIONS };
#define GROWN 2000 /* entries */

static guint n_inputs, n_mutated, n_grown;
static gboolean is_costed;

static void
give (const char *text, gsize size)
{
  g_autofree guint8 *exact = g_malloc (MAX (size, 1)); /* a reader that goes one byte too far is seen by sanitizers */

  memcpy (exact, text, size);
  fuzz_begin_cost ();
  LLVMFuzzerTestOneInput (exact, size);
  if (is_costed)
    fuzz_check_cost (size);
  n_inputs++;
}

/* Writes the @nth of 4,096 words that are one for g_str_hash(). */
static const char *
collide (guint nth)
{
  static char word[25];

  for (guint k = 0; k < 12; k++)
    memcpy (word + 2 * k, (nth >> k & 1) != 0 ? "Az" : "BY", 2);
  return word;
}

/* --- JSON ---------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  GString *text;
  guint next;     /* number of the value that comes */
  guint target, mutation;
  guint grown;    /* which member of the elements of a list that is the target collides, from 1; 0: the list stays as it is */
  gboolean has_grown;
} Printer;

static void print_value (Printer *self, JsonNode *node);

static void
print_element (Printer *self, const char *key, JsonNode *node)
{
  guint number = self->next, times = number == self->target && self->mutation == DOUBLED ? 2 : 1;

  if (number == self->target && self->mutation == REMOVED)
    times = 0;
  for (guint i = 0; i < MAX (times, 1); i++)
    {
      gsize length = self->text->len;

      if (key != NULL)
        {
          g_autofree char *escaped = g_strescape (key, NULL);

          g_string_append_printf (self->text, "\"%s\":", escaped);
        }
      self->next = number;
      print_value (self, node);
      g_string_append_c (self->text, ',');
      if (times == 0)
        g_string_truncate (self->text, length);
    }
}

static void
print_object (Printer *self, JsonObject *object, gboolean is_turned)
{
  g_autoptr (GList) members = json_object_get_members (object);

  if (is_turned)
    members = g_list_reverse (g_steal_pointer (&members));
  for (GList *member = members; member != NULL; member = member->next)
    print_element (self, member->data, json_object_get_member (object, member->data));
}

static void
print_list (Printer *self, JsonArray *list, gboolean is_turned)
{
  guint n = json_array_get_length (list);

  for (guint i = 0; i < n; i++)
    print_element (self, NULL, json_array_get_element (list, is_turned ? n - 1 - i : i));
}

/* The list with 2,000 elements, whose member number @self->grown is another word each time. */
static void
print_grown (Printer *self, JsonArray *list)
{
  guint n = json_array_get_length (list);

  for (guint i = 0; n > 0 && i < GROWN; i++)
    {
      JsonNode *element = json_array_get_element (list, i % n);
      g_autoptr (JsonNode) copy = json_node_copy (element);
      g_autoptr (GList) keys = JSON_NODE_HOLDS_OBJECT (copy) ? json_object_get_members (json_node_get_object (copy)) : NULL;
      const char *key = g_list_nth_data (keys, self->grown - 1);
      g_autoptr (JsonObject) object = NULL;
      g_autofree char *text = NULL;

      if (key == NULL && (keys != NULL || self->grown > 1))
        continue;
      if (key != NULL)
        {
          object = json_object_new ();
          for (GList *other = keys; other != NULL; other = other->next)
            json_object_set_member (object, other->data,
                                    json_node_copy (json_object_get_member (json_node_get_object (element), other->data)));
          json_object_set_string_member (object, key, collide (i));
          json_node_set_object (copy, object);
        }
      text = json_to_string (copy, FALSE);
      g_string_append_printf (self->text, "%s,", text);
      self->has_grown = TRUE;
    }
}

static void
print_value (Printer *self, JsonNode *node)
{
  guint number = self->next++;
  gboolean is_target = number == self->target, is_object = JSON_NODE_HOLDS_OBJECT (node);

  if (!is_object && !JSON_NODE_HOLDS_ARRAY (node))
    {
      g_autofree char *text = json_to_string (node, FALSE);

      g_string_append (self->text, is_target && self->mutation < REMOVED ? kinds[self->mutation] : text);
      return;
    }
  if (is_target && self->mutation < REMOVED && self->grown == 0)
    {
      gsize length = self->text->len;

      self->mutation += N_MUTATIONS; /* count what is inside, and print it not */
      self->next = number;
      print_value (self, node);
      self->mutation -= N_MUTATIONS;
      g_string_truncate (self->text, length);
      g_string_append (self->text, kinds[self->mutation]);
      return;
    }
  g_string_append_c (self->text, is_object ? '{' : '[');
  if (is_object)
    print_object (self, json_node_get_object (node), is_target && self->mutation == TURNED);
  else if (is_target && self->grown > 0)
    print_grown (self, json_node_get_array (node));
  else
    print_list (self, json_node_get_array (node), is_target && self->mutation == TURNED);
  if (self->text->str[self->text->len - 1] == ',')
    g_string_truncate (self->text, self->text->len - 1);
  g_string_append_c (self->text, is_object ? '}' : ']');
}

/* @step: only every @step-th mutation, from @first on. Returns their number, which is that of all for a @step of 0. */
static guint
mutate_json (JsonNode *root, guint first, guint step)
{
  Printer counting = { .text = g_string_new (NULL), .target = G_MAXUINT };
  guint n;

  print_value (&counting, root);
  g_string_free (counting.text, TRUE);
  n = counting.next * N_MUTATIONS;
  for (guint i = first; step > 0 && i < n; i += step)
    {
      Printer printer = { .text = g_string_new (NULL), .target = i / N_MUTATIONS, .mutation = i % N_MUTATIONS };

      print_value (&printer, root);
      give (printer.text->str, printer.text->len);
      g_string_free (printer.text, TRUE);
      n_mutated++;
    }
  return n;
}

static void
grow_json (JsonNode *root)
{
  Printer counting = { .text = g_string_new (NULL), .target = G_MAXUINT };
  gboolean has_grown = TRUE;

  print_value (&counting, root);
  g_string_free (counting.text, TRUE);
  for (guint target = 0; target < counting.next; target++, has_grown = TRUE)
    for (guint member = 1; has_grown; member++)
      {
        Printer printer = { .text = g_string_new (NULL), .target = target, .mutation = N_MUTATIONS, .grown = member };

        print_value (&printer, root);
        has_grown = printer.has_grown;
        if (has_grown)
          give (printer.text->str, printer.text->len);
        n_grown += has_grown;
        g_string_free (printer.text, TRUE);
      }
}

/* --- key files ------------------------------------------------------------------------------------------------------------ */

static void
print_line (GString *text, const char *line, guint mutation)
{
  const char *equals = strchr (line, '=');

  if (mutation < REMOVED && equals != NULL)
    g_string_append_printf (text, "%.*s=%s\n", (int) (equals - line), line, kinds[mutation]);
  else if (mutation != REMOVED)
    g_string_append_printf (text, "%s\n%s%s", line, mutation == DOUBLED ? line : "", mutation == DOUBLED ? "\n" : "");
}

static guint
mutate_lines (char **lines, guint first, guint step)
{
  guint n = g_strv_length (lines) * N_MUTATIONS;

  for (guint i = first; step > 0 && i < n; i += step)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      guint target = i / N_MUTATIONS, mutation = i % N_MUTATIONS;

      for (guint k = 0; lines[k] != NULL; k++)
        if (mutation == TURNED && k == target && lines[k + 1] != NULL)
          {
            g_string_append_printf (text, "%s\n%s\n", lines[k + 1], lines[k]);
            k++;
          }
        else
          print_line (text, lines[k], k == target ? mutation : N_MUTATIONS);
      give (text->str, text->len);
      n_mutated++;
    }
  return n;
}

/* 2,000 keys, and 2,000 groups, behind the file. */
static void
grow_lines (const char *file, const char *format)
{
  g_autoptr (GString) text = g_string_new (file);

  for (guint i = 0; i < GROWN; i++)
    g_string_append_printf (text, "%s%s%s", format, collide (i), *format == '[' ? "]\n" : "=1\n");
  give (text->str, text->len);
  n_grown++;
}

/* --- tables ---------------------------------------------------------------------------------------------------------------- */

/* Words of tables: numbers beyond each limit, and names that mean ill. */
static const char *const fields[] = {
  "", "0", "1", "-1", "0.5", "7", "1e300", "1e-300", "18446744073709551615", "nan", "x", "=1+1", "\"a\"\"b\"", "\"a\nb\"", "../x",
  "ok", "noisy", "error", "elapsed", "host", "cuda", "simulated", "\xe2\x80\xae", "\xff", "1,1", " 1",
};
G_STATIC_ASSERT (G_N_ELEMENTS (fields) == G_N_ELEMENTS (kinds));

/* An input of fuzz-rounds begins with the length of its table, before that of the rounds. */
static void
add_length (GString *text)
{
  const char *second = strstr (text->str, "\nrun,");
  gsize length = second != NULL ? (gsize) (second + 1 - text->str) : text->len;

  g_string_prepend_c (text, (char) (length & 255));
  g_string_prepend_c (text, (char) (length >> 8));
}

/* Every field of every line but the first, which has the columns. */
static guint
mutate_table (char **lines, guint first, guint step, gboolean has_length)
{
  guint n_lines = g_strv_length (lines), n_columns = 1, n;

  for (const char *c = lines[0]; *c != '\0'; c++)
    n_columns += *c == ',';
  n = (n_lines - 1) * n_columns * N_MUTATIONS;
  for (guint i = first; step > 0 && i < n; i += step)
    {
      g_autoptr (GString) text = g_string_new (lines[0]);
      guint line = 1 + i / N_MUTATIONS / n_columns, column = i / N_MUTATIONS % n_columns, mutation = i % N_MUTATIONS;

      for (guint k = 1; k < n_lines; k++)
        {
          g_auto (GStrv) row = g_strsplit (lines[k], ",", -1);

          if (k != line || mutation >= REMOVED)
            g_string_append_printf (text, k == line && mutation == REMOVED ? "" : "\n%s", lines[k]);
          for (guint c = 0; k == line && mutation < REMOVED && row[c] != NULL; c++)
            g_string_append_printf (text, "%s%s", c > 0 ? "," : "\n", c == column ? fields[mutation] : row[c]);
          if (k == line && mutation >= DOUBLED && (mutation == DOUBLED || k > 1))
            g_string_append_printf (text, "\n%s", lines[mutation == DOUBLED ? k : k - 1]);
        }
      if (has_length)
        add_length (text);
      give (text->str, text->len);
      n_mutated++;
    }
  return n;
}

/* 2,000 times each line but the first, with another word in each of its columns in turn. */
static void
grow_table (char **lines, gboolean has_length)
{
  for (guint k = 1; lines[0] != NULL && lines[k] != NULL; k++)
    {
      g_auto (GStrv) row = g_strsplit (lines[k], ",", -1);

      for (guint column = 0; row[column] != NULL && row[1] != NULL; column++)
        {
          g_autoptr (GString) text = g_string_new (lines[0]);

          for (guint i = 0; i < GROWN; i++)
            for (guint c = 0; row[c] != NULL; c++)
              g_string_append_printf (text, "%s%s", c > 0 ? "," : "\n", c == column ? collide (i) : row[c]);
          if (has_length)
            add_length (text);
          give (text->str, text->len);
          n_grown++;
        }
    }
}

/* --- choices ---------------------------------------------------------------------------------------------------------------- */

/* Inputs that are rows of choices need no file: @n of them, of 0 to 1,000 bytes, the same each time, and a large one. */
static void
give_choices (guint n)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20180501);
  static char many[50000];
  char bytes[1000];

  for (guint i = 0; i < n; i++)
    {
      gsize size = (gsize) g_rand_int_range (rand, 0, sizeof bytes);

      for (gsize k = 0; k < size; k++)
        bytes[k] = (char) g_rand_int_range (rand, 0, 256);
      give (bytes, size);
    }
  for (gsize k = 0; k < sizeof many; k++)
    many[k] = (char) g_rand_int_range (rand, 0, 256);
  give (many, sizeof many);
}

/* --- files ---------------------------------------------------------------------------------------------------------------- */

/* Mutates the file, which is cut short at places if @step is 0; returns how many mutations there are. @grows: its lists grow instead. */
static guint
replay (const char *path, guint first, guint step, gboolean grows)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  const char *body;
  gboolean has_length;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &error))
    g_error ("%s", error->message);
  for (guint i = 0; step == 0 && !grows && i <= CUTS; i++)
    give (text, length * i / CUTS);
  root = memlane_json_tree_read (text, (gssize) length, path, NULL);
  if (root != NULL && grows)
    return grow_json (root), 0;
  if (root != NULL)
    return mutate_json (root, first, step);
  has_length = length > 2 && g_str_has_prefix (text + 2, "run,");
  body = text + (has_length ? 2 : 0);
  if (strlen (body) != length - (gsize) (body - text))
    return 0;
  lines = g_strsplit (body, "\n", -1);
  if (g_str_has_prefix (body, "run,") && grows)
    return grow_table (lines, has_length), 0;
  if (g_str_has_prefix (body, "run,"))
    return mutate_table (lines, first, step, has_length);
  if (strstr (text, "]\n") == NULL) /* no key file */
    return 0;
  if (!grows)
    return mutate_lines (lines, first, step);
  grow_lines (body, "");
  grow_lines (body, "[");
  return 0;
}

int
main (int argc, char **argv)
{
  guint most = argc > 2 && strcmp (argv[1], "--typed") == 0 ? (guint) g_ascii_strtoull (argv[2], NULL, 10) : 0, n_files = 0, n = 0;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  is_costed = argc > 2 && g_str_has_prefix (argv[1], "--");
  if (argc == 3 && strcmp (argv[1], "--choices") == 0)
    {
      give_choices ((guint) g_ascii_strtoull (argv[2], NULL, 10));
      g_print ("%u inputs\n", n_inputs);
      return 0;
    }
  for (int i = most > 0 ? 3 : 1; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GDir) dir = g_dir_open (argv[i], 0, &error);
      const char *name;

      if (dir == NULL)
        g_error ("%s", error->message);
      while ((name = g_dir_read_name (dir)) != NULL)
        g_ptr_array_add (paths, g_build_filename (argv[i], name, NULL));
    }
  for (; n_files < paths->len; n_files++)
    n += replay (paths->pdata[n_files], 0, 0, FALSE);
  /* A prime step meets every kind of mutation. */
  for (guint i = 0, step = n > most ? n / MAX (most, 1) + 1 : 1; most > 0 && i < paths->len; i++)
    replay (paths->pdata[i], i % N_MUTATIONS, step + (step > 1 && step % N_MUTATIONS == 0), FALSE);
  for (guint i = 0; most > 0 && i < paths->len; i++)
    replay (paths->pdata[i], 0, 0, TRUE);
  g_print ("%u files, %u inputs, %u of them of %u typed mutations, %u grown; costs are %s\n", n_files, n_inputs, n_mutated, n, n_grown,
           is_costed && fuzz_is_counted ? "judged" : "not judged");
  return n_files > 0 ? 0 : 1;
}
