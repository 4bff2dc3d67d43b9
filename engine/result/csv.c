/* csv.c: runs to CSV and back, reading as strict as writing
 *
 * SPDX-License-Identifier: MIT
 *
 * Writing: rows of a cell stand in the order of phases, within a phase in that of clocks. A cell
 * without figures has one row, of phase "elapsed" and clock "host". If the cell's own status or
 * detail differs from those of its figures, it has such a row without clock, after the figures of
 * that phase.
 *
 * Reading: the file is read in chunks and handed to libcsv line by line, so every message can name
 * its line, and a line without end is refused after MEMLANE_CSV_LONGEST_ROW bytes. A row's fields
 * are collected first and judged when the row ends: that a field is one too many (a decimal comma)
 * must be said before its neighbours are found strange.
 */
#include "csv.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csv.h>
#include <gio/gunixinputstream.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/owns.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "base/size.h"
#include "base/strict-text.h"
#include "columns.h"
#include "environment.h"
#include "run.h"

#define CHUNK (256 * 1024)

/* --- writing ---------------------------------------------------------------------------------- */

/* The structs of a row: the members of each part of its columns. */
typedef struct
{
  gconstpointer parts[MEMLANE_N_PARTS];
} Row;

/* Appends the columns of @table whose parts are from @first to @last, each with a comma after it;
 * with @old those of Memlane 0.2. */
static void
append_parts (GString *text, MemlaneTable table, const Row *row, MemlanePart first,
              MemlanePart last, gboolean old)
{
  MemlaneColumn columns[MEMLANE_MOST_COLUMNS];
  guint n = memlane_table_columns (table, columns);

  for (guint i = 0; i < n; i++)
    if (columns[i].part >= first && columns[i].part <= last && !(old && columns[i].member->is_new))
      {
        memlane_member_append (text, columns[i].member, row->parts[columns[i].part]);
        g_string_append_c (text, ',');
      }
}

/* Ends the row: its last comma goes. */
static void
end_row (GString *text)
{
  text->str[text->len - 1] = '\n';
}

/* The worst status of the figures of @cell, and the detail of the first that has it. */
static void
summarize (const MemlaneCell *cell, MemlaneStatus *status, const char **detail)
{
  *status = MEMLANE_STATUS_OK;
  *detail = NULL;
  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    if (figure == cell->figures->pdata[0] || figure->status > *status)
      {
        *status = figure->status;
        *detail = figure->detail;
      }
}

static gboolean
needs_cell_row (const MemlaneCell *cell)
{
  const char *detail;
  MemlaneStatus status;

  if (cell->figures->len == 0)
    return TRUE;
  summarize (cell, &status, &detail);
  return cell->status != status
         || (cell->detail != NULL && *cell->detail != '\0'
             && g_strcmp0 (cell->detail, detail) != 0);
}

void
memlane_csv_append_header (GString *text)
{
  memlane_table_append_header (text, MEMLANE_TABLE_RUNS, FALSE);
}

void
memlane_csv_visit_rows (const MemlaneCell *cell, gboolean old, MemlaneCsvVisit visit,
                        gpointer user_data)
{
  const MemlaneFigure own = {
    .phase = MEMLANE_PHASE_ELAPSED,
    .clock = cell->figures->len > 0 || old ? MEMLANE_N_CLOCKS : MEMLANE_CLOCK_HOST,
    .status = cell->status,
    .detail = cell->detail,
  };
  gboolean row_due = needs_cell_row (cell);

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      if (row_due && figure->phase > MEMLANE_PHASE_ELAPSED)
        {
          visit (&own, user_data);
          row_due = FALSE;
        }
      visit (figure, user_data);
    }
  if (row_due)
    visit (&own, user_data);
}

typedef struct
{
  GString *text, *independent;
  gboolean old;
} CellRows;

static void
append_figure (const MemlaneFigure *figure, gpointer user_data)
{
  CellRows *rows = user_data;
  const Row row = { { NULL, NULL, figure } };

  g_string_append_len (rows->text, rows->independent->str, (gssize) rows->independent->len);
  append_parts (rows->text, MEMLANE_TABLE_RUNS, &row, MEMLANE_PART_FIGURE, MEMLANE_PART_FIGURE,
                rows->old);
  end_row (rows->text);
}

static void
append_rounds (const MemlaneFigure *figure, gpointer user_data)
{
  CellRows *rows = user_data;

  for (guint i = 0; figure->rounds != NULL && i < figure->n_rounds; i++)
    {
      const Row row = { { NULL, NULL, figure, &figure->rounds[i] } };

      g_string_append (rows->text, rows->independent->str);
      append_parts (rows->text, MEMLANE_TABLE_ROUNDS, &row, MEMLANE_PART_FIGURE,
                    MEMLANE_PART_ROUND, rows->old);
      end_row (rows->text);
    }
}

/* Without rounds all samples are one's; the columns round and place are empty. */
static void
append_samples (const MemlaneFigure *figure, gpointer user_data)
{
  CellRows *rows = user_data;
  guint n = figure->samples != NULL ? figure->statistics.count : 0, round = 0, number = 0;
  const MemlaneRound none = { 0 };

  for (guint k = 0; k < n; k++)
    {
      const MemlaneRound *of
          = figure->rounds != NULL && round < figure->n_rounds ? &figure->rounds[round] : &none;
      const MemlaneSampleMark mark
          = figure->marks != NULL ? figure->marks[k] : (MemlaneSampleMark){ 0 };
      const MemlaneSampleRow sample = { mark, ++number, figure->samples[k] };
      const Row row = { { NULL, NULL, figure, of, &sample } };

      g_string_append (rows->text, rows->independent->str);
      append_parts (rows->text, MEMLANE_TABLE_SAMPLES, &row, MEMLANE_PART_FIGURE,
                    MEMLANE_PART_SAMPLE, rows->old);
      end_row (rows->text);
      if (number == of->samples)
        {
          round++;
          number = 0;
        }
    }
}

/* Appends to @table what @visit makes of each figure of @cell. */
static void
append_cell (GString *text, MemlaneTable table, MemlaneCsvVisit visit, const MemlaneRun *run,
             const MemlaneCell *cell, gboolean old)
{
  g_autoptr (GString) independent = g_string_new (NULL);
  const Row row = { { run, cell } };

  append_parts (independent, table, &row, MEMLANE_PART_RUN, MEMLANE_PART_CELL, old);
  memlane_csv_visit_rows (cell, old, visit, &(CellRows){ text, independent, old });
}

void
memlane_csv_append_cell (GString *text, const MemlaneRun *run, const MemlaneCell *cell)
{
  append_cell (text, MEMLANE_TABLE_RUNS, append_figure, run, cell, FALSE);
}

/* (transfer full): @table of @n runs, with its header. */
static GString *
write_table (MemlaneTable table, MemlaneCsvVisit visit, const MemlaneRun *const *runs, guint n,
             gboolean old)
{
  GString *text = g_string_new (NULL);

  memlane_table_append_header (text, table, old);
  for (guint i = 0; i < n; i++)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, runs[i]->cells)
      append_cell (text, table, visit, runs[i], cell, old);
  return text;
}

/* Saves @text, and what is not NULL of the other two beside it. */
static gboolean
save (const char *path, const GString *text, const GString *rounds_text,
      const MemlaneEnvironment *told, GError **error)
{
  g_autofree char *environment_path = memlane_csv_environment_path (path);
  g_autofree char *rounds_path = memlane_csv_rounds_path (path);
  g_autoptr (MemlaneSave) table = NULL, environment = NULL, rounds = NULL;
  const char *json = memlane_save_is_stream (path) ? NULL : memlane_environment_get_json (told);
  gboolean has_rounds = rounds_text != NULL && !memlane_save_is_stream (path)
                        && strchr (rounds_text->str, '\n')[1] != '\0';

  if ((table = memlane_save_prepare (path, text->str, text->len, error)) == NULL
      || (json != NULL
          && (environment = memlane_save_prepare (environment_path, json, strlen (json), error))
                 == NULL)
      || (has_rounds
          && (rounds
              = memlane_save_prepare (rounds_path, rounds_text->str, rounds_text->len, error))
                 == NULL))
    return FALSE;
  /* The table last: who sees a new one finds its environment and its rounds beside it. */
  return (environment == NULL || memlane_save_commit (environment, error))
         && (rounds == NULL || memlane_save_commit (rounds, error))
         && memlane_save_commit (table, error);
}

gboolean
memlane_csv_write_as (const MemlaneRun *run, const char *path, gboolean old, GError **error)
{
  g_autoptr (GString) text = write_table (MEMLANE_TABLE_RUNS, append_figure, &run, 1, old);
  g_autoptr (GString) rounds = write_table (MEMLANE_TABLE_ROUNDS, append_rounds, &run, 1, old);

  return save (path, text, rounds, run->environment, error);
}

gboolean
memlane_csv_write_runs (GPtrArray *runs, const MemlaneEnvironment *environment, const char *path,
                        GError **error)
{
  g_autoptr (GString) text
      = write_table (MEMLANE_TABLE_RUNS, append_figure, (const MemlaneRun *const *) runs->pdata,
                     runs->len, FALSE);

  return save (path, text, NULL, environment, error);
}

gboolean
memlane_csv_write (const MemlaneRun *run, const char *path, GError **error)
{
  g_return_val_if_fail (run != NULL && path != NULL, FALSE);
  return memlane_csv_write_as (run, path, FALSE, error);
}

gboolean
memlane_csv_write_samples (const MemlaneRun *run, const char *path, GError **error)
{
  g_autoptr (GString) text
      = write_table (MEMLANE_TABLE_SAMPLES, append_samples, &run, 1, FALSE);

  return memlane_save_file (path, text->str, text->len, error);
}

static char *
make_path_beside (const char *csv_path, const char *end)
{
  gsize length = strlen (csv_path) - (g_str_has_suffix (csv_path, ".csv.gz") ? strlen (".gz") : 0);

  if (length > 4 && g_ascii_strncasecmp (csv_path + length - 4, ".csv", 4) == 0
      && csv_path[length - 5] != '/')
    length -= 4;
  return g_strdup_printf ("%.*s%s", (int) length, csv_path, end);
}

char *
memlane_csv_environment_path (const char *csv_path)
{
  return make_path_beside (csv_path, ".environment.json");
}

char *
memlane_csv_rounds_path (const char *csv_path)
{
  return make_path_beside (csv_path, ".rounds.csv");
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Names the columns of a table of runs; up to CLOCK that of rounds is alike. A test compares these
 * with columns.c. */
enum
{
  RUN, DEVICE, DEVICE_KIND, WORKLOAD, MODE, LOG2_ELEMENTS, ELEMENTS, BYTES, REUSE, STREAMS, CHUNKS,
  BESIDE, BUSY, PHASE, CLOCK, SAMPLES,
  BANDWIDTH = SAMPLES + 9, STATUS, DETAIL, ROUNDS, INTERVAL
};
enum { ROUND = CLOCK + 1, ROUND_ESTIMATE = ROUND + 3, ROUND_HOST };

typedef struct
{
  struct csv_parser parser;
  const char *name; /* of the file, for messages */
  GError *error;    /* the first thing that is wrong */
  MemlaneTable table; /* ROUNDS: for the runs that are there */
  const char *only;   /* reads the rows that continue with this text after the independent columns;
                         NULL: all */
  MemlaneColumn columns[MEMLANE_MOST_COLUMNS];
  guint n_columns;
  gboolean is_old;    /* the header has the names of Memlane 0.2 */
  gboolean is_idle;   /* it has no beside and no busy: their fields are added to each row */

  guint64 line;      /* the physical line in work, from 1 */
  guint64 row_line;  /* where the row in work began */
  gsize row_bytes;
  gboolean in_row;   /* the last line did not end its row */
  gboolean ends_in_newline; /* the last line did */
  guint rows_ended;
  gboolean has_header, finishing;

  GPtrArray *fields; /* const char *: of the row, in @text or in the line itself */
  GStringChunk *text;
  GString *independent; /* the row's text from "run" to "busy"; empty where a part is quoted */
  gboolean is_known;    /* the row before had the same independent columns, and was taken */

  GPtrArray *runs;
  GHashTable *run_by_id; /* borrows from @runs */
  GHashTable *cells;     /* make_key(): every MemlaneCell so far */
  const char *key;       /* of the row before, or NULL */
  MemlaneRun *run;       /* of the row before, or NULL */
  MemlaneCell *cell;     /* of the row before; NULL: there is none, or rounds of another run */
  gboolean has_cell_row; /* @cell has had its row without figures */
} Reader;

/* (transfer full): tells the cells of a file apart. */
static char *
make_key (const MemlaneRun *run, const MemlaneCell *cell)
{
  return g_strdup_printf ("%p %s %s %" G_GUINT64_FORMAT " %u %u %u %u %u", (const void *) run,
                          cell->workload, cell->mode, cell->elements, cell->reuse, cell->streams,
                          cell->chunks, cell->beside, cell->busy);
}

/* --- reading: saying what is wrong ------------------------------------------------------------ */

/* The first @n columns, as the file counts them. */
static guint
count_there (const Reader *self, guint n)
{
  return self->is_idle && n > BUSY ? n - (PHASE - BESIDE) : n;
}

/* The name of @column in this file. */
static const char *
get_name (const Reader *self, guint column)
{
  const MemlaneMember *member = self->columns[column].member;

  return self->is_old && member->old_column != NULL ? member->old_column : member->column;
}

/* Refuses the file with what a format says. The first refusal counts. */
#define refuse(self, line, column, ...)                                                            \
  refuse_with (self, line, column, g_strdup_printf (__VA_ARGS__))

/* Takes @text. */
static void
refuse_with (Reader *self, guint64 line, guint column, char *text)
{
  g_autofree char *said = text;
  g_autofree char *where = column < self->n_columns
                               ? g_strdup (get_name (self, column))
                               : g_strdup_printf ("%u", count_there (self, column) + 1);

  if (self->error == NULL)
    memlane_refuse (&self->error, "%s:%" G_GUINT64_FORMAT ": column %s: %s", self->name, line,
                    where, said);
}

/* @text as a message can show it: short, in quotes, printable. */
static char *
show (const char *text)
{
  GString *shown = g_string_new ("'");
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) MIN (strlen (text), 200));
  gboolean is_long = g_utf8_strlen (valid, -1) > 40;

  memlane_text_append_printable (
      shown, valid,
      is_long ? (gsize) (g_utf8_offset_to_pointer (valid, 40) - valid) : strlen (valid), FALSE);
  g_string_append (shown, is_long ? "...'" : "'");
  return g_string_free (shown, FALSE);
}

static const char *
field (const Reader *self, guint column)
{
  return self->fields->pdata[column];
}

static gboolean
is_empty (const Reader *self, guint column)
{
  return *field (self, column) == '\0';
}

/* FALSE, always: "return found (...)". The format says what is expected. */
#define found(self, column, ...) found_other (self, column, g_strdup_printf (__VA_ARGS__))

/* Takes @text. */
static gboolean
found_other (Reader *self, guint column, char *text)
{
  g_autofree char *expected = text;
  g_autofree char *shown
      = is_empty (self, column) ? g_strdup ("nothing") : show (field (self, column));

  refuse (self, self->row_line, column, "found %s, expected %s", shown, expected);
  return FALSE;
}

static gboolean
found_no_number (Reader *self, guint column, const char *expected)
{
  const char *text = field (self, column);
  gsize digits = strspn (text, "0123456789");

  if (digits > 0 && text[digits] == ','
      && strspn (text + digits + 1, "0123456789eE+-") == strlen (text + digits + 1))
    {
      g_autofree char *shown = show (text);

      refuse (self, self->row_line, column,
              "found %s with a decimal comma, expected %s, with '.' as in 3.14", shown, expected);
      return FALSE;
    }
  return found (self, column, "%s", expected);
}

/* --- reading: fields -------------------------------------------------------------------------- */

/* A whole number from @least to @most. An absent one is 0 where that is allowed. */
static gboolean
take_count (Reader *self, guint column, gboolean may_be_absent, guint64 least, guint64 most,
            guint64 *value)
{
  const char *text = field (self, column);

  *value = 0;
  if (is_empty (self, column))
    return may_be_absent || found (self, column, "a whole number");
  if (text[strspn (text, "0123456789")] != '\0')
    return found_no_number (self, column, "a whole number");
  if (g_ascii_string_to_unsigned (text, 10, least, most, value, NULL))
    return TRUE;
  if (g_ascii_strtoull (text, NULL, 10) < least)
    return found (self, column, "at least %" G_GUINT64_FORMAT "%s", least,
                  may_be_absent ? ", or nothing where there is no value" : "");
  return found (self, column, "at most %" G_GUINT64_FORMAT, most);
}

static gboolean
take_number (Reader *self, guint column, double *value)
{
  const char *text = field (self, column);

  if (text[0] == '-')
    return found (self, column, "a number that is not negative");
  if (!g_ascii_isdigit (text[0]))
    return found_no_number (self, column, "a number");
  if (memlane_text_read_number (text, value))
    return TRUE;
  if (isinf (*value))
    return found (self, column, "a number that a double can hold");
  return found_no_number (self, column, "a number");
}

/* @known: what the row before had there; most rows repeat it. */
static gboolean
take_text (Reader *self, guint column, gboolean is_line, const char *known)
{
  const char *text = field (self, column), *right;

  if (known != NULL && strcmp (text, known) == 0)
    return TRUE;
  if (!g_utf8_validate (text, -1, NULL))
    return found (self, column, "UTF-8 text");
  right = is_line ? memlane_check_title (text) : NULL;
  return right == NULL || found (self, column, "%s", right);
}

/* "a, b or c". (transfer full) */
static char *
list_words (const MemlaneMember *member)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i <= (guint) member->most; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0                     ? ""
                            : i < (guint) member->most ? ", "
                                                       : " or ",
                            member->get_word (i));
  return g_string_free (text, FALSE);
}

static gboolean
take_word (Reader *self, guint column, guint *value)
{
  const MemlaneMember *member = self->columns[column].member;
  g_autofree char *words = NULL;

  for (*value = 0; *value <= member->most; (*value)++)
    if (strcmp (field (self, column), member->get_word (*value)) == 0)
      return TRUE;
  return found (self, column, "%s", (words = list_words (member)));
}

static gboolean
take_integer (Reader *self, guint column, gpointer to)
{
  const MemlaneMember *member = self->columns[column].member;
  /* A message has the samples of one round. */
  guint64 most = column == SAMPLES && self->table == MEMLANE_TABLE_RUNS ? MEMLANE_MOST_ROUNDS : 1,
          value;

  most = member->most > 0                 ? (guint64) member->most * most
         : member->size == sizeof (guint) ? G_MAXUINT
                                          : G_MAXUINT64;
  if (!take_count (self, column, member->least < 1, MAX ((guint64) member->least, 1), most, &value))
    return FALSE;
  if (member->size == sizeof (guint))
    *(guint *) to = (guint) value;
  else
    *(guint64 *) to = value;
  return TRUE;
}

/* Takes the field of @column into @structure, which borrows a text. */
static gboolean
take_value (Reader *self, guint column, gpointer structure)
{
  const MemlaneMember *member = self->columns[column].member;
  gpointer at = G_STRUCT_MEMBER_P (structure, member->offset);
  guint64 format;

  if (member->count != 0
      && *(const guint *) G_STRUCT_MEMBER_P (structure, ABS (member->count)) == 0)
    return is_empty (self, column) || found (self, column, "nothing, as samples is empty");
  switch ((guint) member->kind)
    {
    case MEMLANE_MEMBER_INTEGER:
      return take_integer (self, column, at);
    case MEMLANE_MEMBER_NUMBER:
      return take_number (self, column, at);
    case MEMLANE_MEMBER_PROBE:
      return is_empty (self, column) || take_number (self, column, at);
    case MEMLANE_MEMBER_WORD:
      return take_word (self, column, at);
    case MEMLANE_MEMBER_BANDWIDTH:
      return TRUE; /* check_bandwidth() */
    case MEMLANE_MEMBER_FORMAT:
      return take_count (self, column, FALSE, MEMLANE_FORMAT, MEMLANE_FORMAT, &format);
    case MEMLANE_MEMBER_NAME:
      *(const char **) at = field (self, column);
      return column == RUN || memlane_check_id (field (self, column))
             || found (self, column, MEMLANE_CHECK_ID);
    default:
      *(const char **) at = field (self, column);
      return TRUE;
    }
}

/* Takes the fields of @part. */
static gboolean
take_part (Reader *self, MemlanePart part, gpointer structure)
{
  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i].part == part && !take_value (self, i, structure))
      return FALSE;
  return TRUE;
}

/* Whether @name, of result/run.h, is NULL; else the column of that name is refused. */
static gboolean
is_right (Reader *self, const char *name, char **expected)
{
  guint column = 0;

  while (name != NULL && strcmp (self->columns[column].member->column, name) != 0)
    column++;
  return name == NULL || found (self, column, "%s", *expected);
}

static gboolean
take_run (Reader *self)
{
  const char *id = field (self, RUN), *device = field (self, DEVICE),
             *kind = field (self, DEVICE_KIND);
  MemlaneRun *run = self->run;
  g_autofree char *expected = NULL;

  if (!take_text (self, RUN, TRUE, run != NULL ? run->id : NULL)
      || !take_text (self, DEVICE, TRUE, run != NULL ? run->device : NULL))
    return FALSE;
  if (strcmp (id, "run") == 0 && strcmp (kind, "device_kind") == 0)
    return found (self, RUN, "a run's row, not the header again");
  if (!is_right (self, memlane_check_device (device, kind, &expected), &expected))
    return FALSE;

  if (run == NULL || strcmp (run->id, id) != 0)
    run = g_hash_table_lookup (self->run_by_id, id);
  if (run == NULL && self->runs->len == MEMLANE_CSV_MOST_RUNS)
    return found (self, RUN, "at most " G_STRINGIFY (MEMLANE_CSV_MOST_RUNS) " runs in one file");
  if (run == NULL)
    {
      run = memlane_run_new (id, device, kind);
      g_ptr_array_add (self->runs, run);
      g_hash_table_insert (self->run_by_id, run->id, run);
    }
  if (strcmp (run->device, device) != 0 || strcmp (run->device_kind, kind) != 0)
    {
      gboolean is_other = strcmp (run->device, device) != 0;
      const char *known = is_other ? run->device : run->device_kind;
      g_autofree char *first = show (known);

      return found (self, is_other ? DEVICE : DEVICE_KIND, "%s, as in the first row of this run",
                    first);
    }
  self->run = run;
  return TRUE;
}

/* Takes what the rows of a cell have in common; the texts of @cell are the row's. */
static gboolean
take_key (Reader *self, MemlaneCell *cell)
{
  *cell = (MemlaneCell) { 0 };
  if (!take_part (self, MEMLANE_PART_CELL, cell))
    return FALSE;
  if (!(cell->log2_elements <= 60))
    return found (self, LOG2_ELEMENTS, "a number from 0 to 60");
  if (fabs (memlane_size_of (cell->elements) - cell->log2_elements)
      > 1e-11) /* the size stands in both columns */
    return found (self, ELEMENTS, "%" G_GUINT64_FORMAT ", 2 to the log2_elements",
                  memlane_size_elements (cell->log2_elements));
  cell->log2_elements = memlane_size_of (cell->elements);
  return TRUE;
}

static gboolean
take_cell (Reader *self)
{
  MemlaneCell like;
  g_autofree char *key = NULL, *expected = NULL;

  if (!take_key (self, &like)
      || !is_right (self,
                    memlane_check_parts (like.workload, like.mode, like.streams > 0,
                                         like.chunks > 0, &expected),
                    &expected)
      || !is_right (self, memlane_check_beside (like.beside, like.busy, &expected), &expected))
    return FALSE;
  if (like.bytes != like.elements * sizeof (float))
    return found (self, BYTES, "%" G_GUINT64_FORMAT ", 4 for each element",
                  like.elements * sizeof (float));
  key = make_key (self->run, &like);
  if (g_strcmp0 (key, self->key) == 0)
    return TRUE;
  if (g_hash_table_contains (self->cells, key))
    return found (self, MODE,
                  "rows of one run, workload, mode, size, reuse, streams, chunks, beside and busy "
                  "side by side, not a second time");
  self->cell = memlane_cell_new_like (&like);
  self->key = key;
  g_hash_table_insert (self->cells, g_steal_pointer (&key), self->cell);
  self->has_cell_row = FALSE;
  g_ptr_array_add (self->run->cells, self->cell);
  return TRUE;
}

/* The bandwidth follows from two other columns, so it is only checked. Older versions wrote one for
 * the issue clock, too. */
static gboolean
check_bandwidth (Reader *self, const MemlaneFigure *figure)
{
  const MemlaneFigure timed = { .clock = MEMLANE_CLOCK_HOST,
                                .bytes_moved = figure->bytes_moved,
                                .statistics = figure->statistics };
  double right = memlane_figure_get_bandwidth (&timed), value;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_empty (self, BANDWIDTH) && (right <= 0 || figure->clock == MEMLANE_CLOCK_ISSUE))
    return TRUE;
  if (right <= 0)
    return found (self, BANDWIDTH, "nothing, as bytes_moved or %s says nothing",
                  get_name (self, SAMPLES + 1));
  if (!take_number (self, BANDWIDTH, &value))
    return FALSE;
  return fabs (value - right) <= 1e-6 * right + 0.5
         || found (self, BANDWIDTH, "%s, bytes_moved by %s",
                   g_ascii_dtostr (digits, sizeof digits, right), get_name (self, SAMPLES + 1));
}

/* Whether the row describes the cell itself: it has no clock, or the cell has no figures and the
 * row has none. */
static gboolean
is_cell_row (Reader *self)
{
  return strcmp (field (self, PHASE), memlane_phase_name (MEMLANE_PHASE_ELAPSED)) == 0
         && (is_empty (self, CLOCK)
             || (strcmp (field (self, CLOCK), memlane_clock_name (MEMLANE_CLOCK_HOST)) == 0
                 && self->cell->figures->len == 0 && is_empty (self, SAMPLES)
                 && is_empty (self, BANDWIDTH - 1)));
}

static gboolean
take_cell_row (Reader *self)
{
  for (guint column = SAMPLES; column < self->n_columns; column++)
    if (column != STATUS && column != DETAIL && !is_empty (self, column))
      return found (self, column,
                    is_empty (self, CLOCK) ? "nothing, as clock is empty"
                                           : "nothing, as samples is empty");
  if (self->has_cell_row)
    return found (self, PHASE, "one row without samples for each cell, not a second");
  if (!take_word (self, STATUS, &self->cell->status))
    return FALSE;
  self->has_cell_row = TRUE;
  memlane_text_set (&self->cell->detail,
                        is_empty (self, DETAIL) ? NULL : field (self, DETAIL));
  return TRUE;
}

static gboolean
take_figure (Reader *self)
{
  MemlaneStatus cell_status = self->cell->status;
  MemlaneFigure *figure, like = { .n_rounds = 0 };
  g_autofree char *expected = NULL;
  guint most;

  if (!take_text (self, DETAIL, FALSE, NULL))
    return FALSE;
  if (is_cell_row (self))
    return take_cell_row (self);
  if (!take_part (self, MEMLANE_PART_FIGURE, &like))
    return FALSE;
  if (memlane_cell_find (self->cell, like.phase, like.clock) != NULL)
    return found (self, CLOCK, "one row for each phase and clock of a cell, not a second");
  most = MAX (like.n_rounds, 1) * MEMLANE_CSV_MOST_SAMPLES;
  if (like.statistics.count > most)
    return found (self, SAMPLES, "at most %u", most);
  if (self->is_old && like.n_rounds > 1)
    like.statistics.interval = MEMLANE_INTERVAL_OTHER_SWEEPS;
  if (!is_right (self, memlane_check_figure (self->cell, &like, &expected), &expected)
      || !check_bandwidth (self, &like))
    return FALSE;
  figure = memlane_cell_add_figure (self->cell, like.phase, like.clock, &like.statistics,
                                    like.bytes_moved, like.status, field (self, DETAIL));
  figure->n_rounds = like.n_rounds;
  if (self->has_cell_row)
    self->cell->status = cell_status;
  else if (!is_empty (self, DETAIL) || like.status > cell_status)
    {
      /* A cell without a row of its own says what the worst of its figures says. */
      const char *detail;

      summarize (self->cell, &self->cell->status, &detail);
      memlane_text_set (&self->cell->detail, detail);
    }
  return TRUE;
}

/* --- reading: a row of NAME.rounds.csv -------------------------------------------------------- */

/* Finds the cell of the row in the runs that were read before. */
static gboolean
find_cell (Reader *self)
{
  MemlaneRun *run = g_hash_table_lookup (self->run_by_id, field (self, RUN));
  MemlaneCell like;
  g_autofree char *key = NULL;

  self->cell = NULL;
  if (run == NULL) /* a table that was once called the same */
    return TRUE;
  if (!take_key (self, &like))
    return FALSE;
  key = make_key (run, &like);
  self->cell = g_hash_table_lookup (self->cells, key);
  return self->cell != NULL || found (self, MODE, "a cell of the table beside it");
}

/* The next round of its figure. While they come, those behind it have round 0. */
static gboolean
take_round (Reader *self)
{
  MemlaneFigure like, *figure;
  MemlaneRound round = { 0 };
  guint n = 0, least;

  if (self->cell == NULL)
    return TRUE;
  if (!take_part (self, MEMLANE_PART_FIGURE, &like))
    return FALSE;
  figure = (MemlaneFigure *) memlane_cell_find (self->cell, like.phase, like.clock);
  if (figure == NULL || figure->n_rounds == 0)
    return found (self, PHASE, "a row with rounds in the table beside it");
  if (figure->rounds == NULL)
    figure->rounds = g_new0 (MemlaneRound, figure->n_rounds);
  while (n < figure->n_rounds && figure->rounds[n].round > 0)
    n++;
  least = n > 0 ? figure->rounds[n - 1].round + 1 : 1;
  if (n == figure->n_rounds)
    return found (self, ROUND, "no more rounds than the table beside it says");
  if (!take_part (self, MEMLANE_PART_ROUND, &round))
    return FALSE;
  if (round.round < least)
    return found (self, ROUND, "at least %u", least);
  if (round.samples > figure->statistics.count)
    return found (self, ROUND + 2, "at most %u", figure->statistics.count);
  round.median = memlane_tenths (round.median);
  if (round.median < figure->statistics.min || round.median > figure->statistics.max)
    return found (self, ROUND_ESTIMATE, "a time from min_ns to max_ns of the table beside it");
  figure->rounds[n] = round;
  return TRUE;
}

/* Whether each figure has all of its rounds, or none: they may be those of a part of the runs. */
static void
check_rounds (Reader *self)
{
  MEMLANE_FOR_EACH_ENTRY (self->cells, key, value)
    {
      const MemlaneCell *cell = value;

      MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
        if (figure->rounds != NULL && figure->rounds[figure->n_rounds - 1].round == 0)
          refuse (
              self, self->line, ROUND,
              "found the end of the file, expected %u rounds of %s, %s, 2^%g, %s, %s, as the table "
              "beside it says",
              figure->n_rounds, cell->workload, cell->mode, cell->log2_elements,
              memlane_phase_name (figure->phase), memlane_clock_name (figure->clock));
    }
}

/* --- reading: rows ---------------------------------------------------------------------------- */

/* Whether the header may have @text here. The first column that has another name tells tables of
 * Memlane 0.2, which lack the last. */
static gboolean
is_column (Reader *self, guint column, const char *text)
{
  const char *old = self->columns[column].member->old_column;
  guint first = self->table == MEMLANE_TABLE_RUNS ? SAMPLES + 1 : ROUND_ESTIMATE;

  if (!self->is_old && column == first && strcmp (text, old) == 0)
    {
      self->is_old = TRUE;
      self->n_columns--;
    }
  return strcmp (text, get_name (self, column)) == 0;
}

/* Takes the next field of the row, @text, which stays where it is until the row ends. */
static void
add_field (Reader *self, char *text, gsize length)
{
  guint column = self->fields->len;
  g_autofree char *shown = NULL;

  if (self->error != NULL || self->finishing)
    return;
  if (column == BESIDE && (self->has_header ? self->is_idle : strcmp (text, "phase") == 0))
    {
      self->is_idle = TRUE;
      g_ptr_array_add (self->fields, (char *) memlane_beside_name (MEMLANE_BESIDE_NONE));
      g_ptr_array_add (self->fields, (char *) "");
      column = PHASE;
    }
  if (column == self->n_columns)
    refuse (self, self->row_line, column,
            self->has_header ? "found one more field, %s, expected %u (a decimal comma? numbers "
                               "are written with '.', as in 3.14)"
                             : "found one more column, %s, expected %u",
            (shown = show (text)), count_there (self, self->n_columns));
  else if (length > MEMLANE_CSV_LONGEST_FIELD)
    refuse (self, self->row_line, column,
            "found a field of %" G_GSIZE_FORMAT
            " bytes, expected at most %d (a quote that is not closed?)",
            length, MEMLANE_CSV_LONGEST_FIELD);
  else if (!self->has_header && !is_column (self, column, text))
    refuse (self, self->row_line, column, "found %s, expected '%s'%s", (shown = show (text)),
            get_name (self, column),
            column == 0 && strchr (text, ';') != NULL
                ? " (columns are separated by ',', not by ';')"
                : "");
  else
    g_ptr_array_add (self->fields, text);
}

static void
take_field (void *data, gsize length, void *user_data)
{
  Reader *self = user_data;

  add_field (self, g_string_chunk_insert_len (self->text, length > 0 ? data : "", (gssize) length),
             length);
}

static void
take_row (int end, void *user_data)
{
  Reader *self = user_data;
  guint n = self->fields->len;

  if (self->error != NULL || self->finishing)
    return;
  self->rows_ended++;
  if (!self->has_header && self->is_old
      && n == (self->table == MEMLANE_TABLE_ROUNDS ? ROUND_HOST : ROUNDS)) /* older ones */
    self->n_columns = n;
  if (n < self->n_columns)
    refuse (self, self->row_line, n, "found the end of the line after %u fields, expected %u",
            count_there (self, n), count_there (self, self->n_columns));
  else if (!self->has_header)
    self->has_header = TRUE;
  else if (self->table == MEMLANE_TABLE_ROUNDS)
    self->is_known = (self->is_known || find_cell (self)) && take_round (self);
  else
    self->is_known
        = (self->is_known || (take_run (self) && take_cell (self))) && take_figure (self);
  g_ptr_array_set_size (self->fields, 0);
  g_string_chunk_clear (self->text);
}

/* --- reading: the file ------------------------------------------------------------------------ */

/* libcsv trims what this calls space around a field; a strict reader keeps it, and refuses it. */
static int
is_no_space (unsigned char c)
{
  return 0;
}

static gboolean
is_blank (const char *line, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != '\n')
      return FALSE;
  return TRUE;
}

/* Finds the independent columns of a row, which are those of the row before in most rows. Returns
 * their length; 0: a part is quoted. */
static gsize
take_independent (Reader *self, const char *line, gsize length)
{
  const char *end = line;

  if (self->independent->len > 0 && length > self->independent->len
      && memcmp (line, self->independent->str, self->independent->len) == 0)
    return self->independent->len;
  self->is_known = FALSE;
  g_string_truncate (self->independent, 0);
  for (guint i = 0; i < count_there (self, PHASE); i++)
    if ((end = memchr (end, ',', (gsize) (line + length - end))) == NULL)
      return 0;
    else
      end++;
  if (memchr (line, '"', (gsize) (end - line)) == NULL)
    g_string_append_len (self->independent, line, end - line);
  return self->independent->len;
}

/* Whether the row that begins with @line is passed over. */
static gboolean
is_unwanted (Reader *self, const char *line, gsize length)
{
  gsize n = take_independent (self, line, length),
        wanted = self->only != NULL ? strlen (self->only) : 0;

  if (self->only == NULL || !self->has_header)
    return FALSE;
  return n > 0 ? length < n + wanted || memcmp (line + n, self->only, wanted) != 0
               : memmem (line, length, self->only, wanted) == NULL;
}

/* A whole row without a quote is cut at its commas, which takes a third of the parser's time.
 * Returns FALSE if @line is none. */
static gboolean
cut_row (Reader *self, char *line, gsize length)
{
  char *comma;

  if (length < 2 || line[length - 1] != '\n' || memchr (line, '"', length) != NULL)
    return FALSE;
  length -= line[length - 2] == '\r' ? 2 : 1;
  if (memchr (line, '\r', length) != NULL)
    return FALSE;
  line[length] = '\0';
  while ((comma = memchr (line, ',', length)) != NULL)
    {
      *comma = '\0';
      add_field (self, line, (gsize) (comma - line));
      length -= (gsize) (comma + 1 - line);
      line = comma + 1;
    }
  add_field (self, line, length);
  take_row ('\n', self);
  return TRUE;
}

/* One physical line with its newline, or all that there is of it. */
static void
take_line (Reader *self, char *line, gsize length)
{
  const char *nul = memchr (line, '\0', length);
  gsize good = nul != NULL ? (gsize) (nul - line) : length;

  self->line++;
  if (!self->in_row && is_unwanted (self, line, length))
    return;
  if (!self->in_row)
    {
      self->row_line = self->line;
      self->row_bytes = 0;
      if (is_blank (line, length))
        {
          refuse (self, self->line, 0, "found an empty line, expected %u fields",
                  count_there (self, self->n_columns));
          return;
        }
    }
  self->rows_ended = 0;
  self->ends_in_newline = line[length - 1] == '\n';
  if ((self->in_row || nul != NULL || !cut_row (self, line, length))
      && csv_parse (&self->parser, line, good, take_field, take_row, self) != good)
    {
      if (csv_error (&self->parser) == CSV_EPARSE)
        refuse (self, self->line, self->fields->len, "%s",
                self->line == 1 && *line == '{'
                    ? "found JSON, as a trace is, expected a table of runs"
                    : "found a quote inside a field or text behind a closing quote, "
                      "expected a field in quotes with the quotes inside doubled");
      else
        refuse (self, self->line, self->fields->len, "libcsv: %s",
                csv_strerror (csv_error (&self->parser)));
    }
  if (nul != NULL)
    refuse (self, self->line, self->fields->len,
            "found a NUL byte, expected text (a binary file, or UTF-16?)");
  if (self->rows_ended > 1 || (!self->in_row && line[0] == '\r'))
    refuse (self, self->line, 0,
            "found a carriage return inside the line, expected lines that end in LF or CR LF");
  self->in_row = self->rows_ended == 0;
  self->row_bytes += length;
  if (self->row_bytes >= MEMLANE_CSV_LONGEST_ROW)
    refuse (
        self, self->row_line, self->fields->len,
        "found a row of %d bytes or more, expected %u short fields (a quote that is not closed?)",
        MEMLANE_CSV_LONGEST_ROW, count_there (self, self->n_columns));
}

static void
take_end (Reader *self)
{
  self->finishing = TRUE;
  if (self->in_row && csv_fini (&self->parser, take_field, take_row, self) != 0)
    refuse (self, self->row_line, self->fields->len,
            "found the end of the file inside a quoted field, expected the closing quote");
  if (self->in_row || (self->line > 0 && !self->ends_in_newline))
    refuse (self, self->row_line, MIN (self->fields->len, self->n_columns - 1),
            "found the end of the file inside the line, expected %u fields and a newline (a file "
            "that was cut off?)",
            count_there (self, self->n_columns));
  if (!self->has_header)
    refuse (
        self, 1, 0,
        "found an empty file, expected the header line run,device,device_kind,workload,mode...");
  if (self->table == MEMLANE_TABLE_ROUNDS)
    check_rounds (self);
  else if (self->runs->len == 0)
    refuse (self, self->line + 1, 0,
            "found the end of the file, expected at least one row behind the header");
}

static gboolean
read_all (Reader *self, int fd, GCancellable *cancellable, GError **error)
{
  g_autoptr (GInputStream) stream
      = g_unix_input_stream_new (fd, FALSE); /* it waits for a pipe until it is cancelled */
  guint8 magic[2] = { 0 };
  g_autofree char *buffer = g_malloc (MEMLANE_CSV_LONGEST_ROW + CHUNK);
  gsize held = 0; /* bytes of a line that is not whole yet */
  guint64 total = 0, size = 0;
  g_autoptr (GError) why = NULL;
  gssize n = 1;
  struct stat info;

  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode))
    size = (guint64) info.st_size;
  if (pread (fd, magic, sizeof magic, 0) == sizeof magic && magic[0] == 0x1f && magic[1] == 0x8b)
    {
      g_autoptr (GZlibDecompressor) unpack
          = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
      g_autoptr (GInputStream) packed = g_steal_pointer (&stream);

      stream = g_converter_input_stream_new (packed, G_CONVERTER (unpack));
    }
  while (self->error == NULL && n > 0)
    {
      const char *newline;
      gsize start = 0;

      if (MAX (size, total)
          > MEMLANE_CSV_MOST_BYTES) /* only a pipe or a packed file has to be read to know */
        return memlane_refuse (error, "%s: found more than %d MiB, expected a smaller table",
                               self->name, MEMLANE_CSV_MOST_BYTES >> 20);
      n = g_input_stream_read (stream, buffer + held, CHUNK, cancellable, &why);
      if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return g_propagate_error (error, g_steal_pointer (&why)), FALSE;
      if (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_INVALID_DATA)
          || g_error_matches (why, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
        return memlane_refuse (error, "%s: found damaged gzip data, expected a whole packed table",
                               self->name);
      if (n < 0)
        return memlane_fail_io (error, "cannot read %s: %s", self->name, why->message);
      total += (guint64) n;
      held += (gsize) n;
      if (self->line == 0 && held >= 3 && memcmp (buffer, "\xef\xbb\xbf", 3) == 0)
        start = 3; /* the byte order mark that spreadsheets write */
      while (self->error == NULL && (newline = memchr (buffer + start, '\n', held - start)) != NULL)
        {
          gsize end = (gsize) (newline + 1 - buffer);

          take_line (self, buffer + start, end - start);
          start = end;
        }
      held -= start;
      memmove (buffer, buffer + start, held);
      if (held > 0 && (n == 0 || held >= MEMLANE_CSV_LONGEST_ROW) && self->error == NULL)
        {
          take_line (self, buffer, held); /* refused, if it is too long and not the last */
          held = 0;
        }
    }
  if (self->error == NULL)
    take_end (self);
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

/* Reads either table. */
static gboolean
run_reader (Reader *self, int fd, GCancellable *cancellable, GError **error)
{
  gboolean done;

  if (csv_init (&self->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0)
    return memlane_fail_io (error, "cannot read %s: libcsv cannot start", self->name);
  csv_set_space_func (&self->parser, is_no_space);
  csv_set_blk_size (&self->parser, 4096);
  self->n_columns = memlane_table_columns (self->table, self->columns);
  self->fields = g_ptr_array_new ();
  self->text = g_string_chunk_new (4096);
  self->independent = g_string_new (NULL);
  done = read_all (self, fd, cancellable, error);
  g_ptr_array_unref (self->fields);
  g_string_chunk_free (self->text);
  g_string_free (self->independent, TRUE);
  csv_free (&self->parser);
  return done;
}

/* Opens @path, or @path.gz if only that exists. Returns -1 and sets errno on failure. */
static int
open_table (const char *path)
{
  int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK; /* non-blocking: it might be a pipe */
  g_autofree char *packed = g_strconcat (path, ".gz", NULL);
  int fd = open (path, flags);

  return fd < 0 && errno == ENOENT ? open (packed, flags) : fd;
}

/* Reads NAME.rounds.csv next to @path, if it exists, into the runs of @table. */
static gboolean
read_rounds_beside (const Reader *table, const char *path, gboolean elapsed,
                    GCancellable *cancellable, GError **error)
{
  g_autofree char *rounds_path = memlane_csv_rounds_path (path),
                  *shown = g_filename_display_name (rounds_path);
  Reader reader = {
    .name = shown,
    .table = MEMLANE_TABLE_ROUNDS,
    .only = elapsed ? "elapsed,host," : NULL,
    .runs = table->runs,
    .run_by_id = table->run_by_id,
    .cells = table->cells,
  };
  int fd = open_table (rounds_path);
  struct stat info;
  gboolean done;

  if (fd < 0 && errno == ENOENT)
    return TRUE;
  if (fd < 0)
    return memlane_fail_io (error, "cannot read %s: %s", shown, g_strerror (errno));
  if (fstat (fd, &info) == 0 && !S_ISREG (info.st_mode))
    done = memlane_refuse (error, "%s: found no ordinary file, expected a table of rounds", shown);
  else
    done = run_reader (&reader, fd, cancellable, error);
  close (fd);
  return done;
}

/* @elapsed: the rows of other phases are passed over, and the rounds of the device's clock. */
static GPtrArray *
read_table (const char *name, const char *path, gboolean elapsed, int fd, GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GHashTable) run_by_id = g_hash_table_new (memlane_hash_text, g_str_equal);
  g_autoptr (GHashTable) cells
      = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  Reader reader = {
    .name = name,
    .only = elapsed ? "elapsed," : NULL,
    .runs = runs,
    .run_by_id = run_by_id,
    .cells = cells,
  };

  if (!run_reader (&reader, fd, cancellable, error)
      || !read_rounds_beside (&reader, path, elapsed, cancellable, error))
    return NULL;
  return g_steal_pointer (&runs);
}

/* --- a whole run ------------------------------------------------------------------------------ */

/* Gives @run the environment at @path, if there is one that can be read and tells of the run's own
 * device. */
static void
find_environment (MemlaneRun *run, const char *path)
{
  g_autoptr (MemlaneEnvironment) environment = memlane_environment_read (path, NULL);
  const char *device = memlane_environment_get_text (environment, MEMLANE_ENVIRONMENT_DEVICE_ID);
  const char *kind = memlane_environment_get_device_kind (environment);
  const char *slash
      = strchr (run->device, '/'); /* "gpu1/cuda:0": the worker there knows it as cuda:0 */

  g_clear_pointer (&run->environment, memlane_environment_unref);
  if ((device == NULL || strcmp (device, run->device) == 0
       || (slash != NULL && strcmp (device, slash + 1) == 0))
      && (kind == NULL || strcmp (kind, run->device_kind) == 0))
    run->environment = g_steal_pointer (&environment);
  if (memlane_environment_get_flag (
          run->environment, MEMLANE_ENVIRONMENT_EXACT)) /* tables of Memlane 0.2 do not say so */
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
        figure->statistics.interval = MEMLANE_INTERVAL_EXACT;
}

static GPtrArray *
read_run (const char *path, gboolean elapsed, GCancellable *cancellable, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  int fd = open_table (path);
  GPtrArray *runs;

  if (fd < 0)
    return memlane_fail_io (error, "cannot read %s: %s", shown, g_strerror (errno)), NULL;
  runs = read_table (shown, path, elapsed, fd, cancellable, error);
  close (fd);

  /* One environment tells of one run; and not of a run of another device, whose table was once
   * called the same. */
  if (runs != NULL && runs->len == 1)
    {
      MemlaneRun *run = g_ptr_array_index (runs, 0);
      g_autofree char *environment_path = memlane_csv_environment_path (path);

      find_environment (run, environment_path);
    }
  return runs;
}

GPtrArray *
memlane_csv_read (const char *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return read_run (path, FALSE, cancellable, error);
}

GPtrArray *
memlane_csv_read_elapsed (const char *path, GError **error)
{
  return read_run (path, TRUE, NULL, error);
}
