/* columns.h: the members of a measurement, described once for tables and for messages
 *
 * SPDX-License-Identifier: MIT
 *
 * Each struct of run.h has one list of members. NAME.csv, NAME.rounds.csv and the table of samples
 * write those that have a column, in the order of the lists. The messages of a worker
 * (job/message.c) write those that have a key.
 */
#pragma once

#include <glib.h>

#include "run.h"

/* Counts up when a column or a key changes its meaning. Files of Memlane 0.2 have no number. */
#define MEMLANE_FORMAT 3

typedef enum
{
  MEMLANE_MEMBER_TEXT, /* char *: one line without control characters, least to most characters;
                          without least: optional */
  MEMLANE_MEMBER_NAME,        /* char *: memlane_check_name() */
  MEMLANE_MEMBER_TITLE,       /* char *: what a table calls a run or a device (run.h) */
  MEMLANE_MEMBER_DOCUMENT,    /* char *: a text with lines, at most so many bytes */
  MEMLANE_MEMBER_INTEGER, /* of the member's size; in a table without a least: 0 is an empty field
                           */
  MEMLANE_MEMBER_NUMBER,      /* double */
  MEMLANE_MEMBER_FLAG,        /* gboolean; missing: FALSE */
  MEMLANE_MEMBER_WORD,        /* an enumeration, by its names */
  MEMLANE_MEMBER_MODE,        /* const MemlaneMode *, by its id */
  MEMLANE_MEMBER_MODES,       /* const MemlaneMode **, NULL at the end, by their ids */
  MEMLANE_MEMBER_WORKLOAD,    /* const MemlaneWorkload *, by its id */
  MEMLANE_MEMBER_ENVIRONMENT, /* MemlaneEnvironment *, an object */
  MEMLANE_MEMBER_RECORD,      /* a struct inside */
  MEMLANE_MEMBER_POINTER,     /* a struct of its own */
  MEMLANE_MEMBER_RECORDS,     /* GPtrArray * of structs of their own */
  MEMLANE_MEMBER_ARRAY, /* a C array of structs, each a list in the order of its members; with one
                           member its value */
  MEMLANE_MEMBER_PROBE,       /* in a table alone: double, whole ns; empty: unknown */
  MEMLANE_MEMBER_BANDWIDTH,   /* in a table alone: bytes per second, which follow from the figure */
  MEMLANE_MEMBER_FORMAT,      /* in a table alone: MEMLANE_FORMAT */
} MemlaneMemberKind;

typedef struct _MemlaneRecord MemlaneRecord;

typedef struct
{
  const char *key;            /* in a message; NULL: it is not sent */
  MemlaneMemberKind kind;
  gsize offset, size;
  double least, most;         /* of a text: characters; of a list: elements */
  const MemlaneRecord *record;
  const char *(*get_word) (guint value); /* WORD: most is the last value */
  gssize count; /* ARRAY: offset of its guint count; negative: one that is read before, which a list
                   has to match */

  const char *column;         /* in a table; NULL: in none */
  const char *old_column;     /* its name in Memlane 0.2; NULL: the same */
  gboolean is_new;            /* Memlane 0.2 had no such column */
  guint tables;               /* bits: 1 << MemlaneTable */
  const char *unit;           /* of the column: "ns", "B", "B/s"; NULL: none */
} MemlaneMember;

/* A struct that members describe. */
struct _MemlaneRecord
{
  gsize size;
  gpointer (*make) (void);    /* NULL: zeroes */
  void (*free) (gpointer data);
  const char *(*check) (
      gpointer data, char **expected); /* (nullable): what members alone cannot tell, as of run.h */
  const MemlaneMember *members;
  guint n_members;
};

/* As messages send them. */
extern const MemlaneRecord memlane_run_record, memlane_cell_record;

/* --- tables ----------------------------------------------------------------------------------- */

typedef enum
{
  MEMLANE_TABLE_RUNS,    /* NAME.csv: a row for each figure */
  MEMLANE_TABLE_ROUNDS,  /* NAME.rounds.csv: a row for each round of each figure */
  MEMLANE_TABLE_SAMPLES,
  MEMLANE_N_TABLES
} MemlaneTable;

/* The struct that has the member of a column. */
typedef enum
{
  MEMLANE_PART_RUN,
  MEMLANE_PART_CELL,
  MEMLANE_PART_FIGURE,
  MEMLANE_PART_ROUND,
  MEMLANE_PART_SAMPLE,
  MEMLANE_N_PARTS
} MemlanePart;

/* One row of the table of samples. */
typedef struct
{
  MemlaneSampleMark mark;
  guint number;          /* within its round, from 1 */
  double ns;
} MemlaneSampleRow;

typedef struct
{
  const MemlaneMember *member;
  MemlanePart part;
} MemlaneColumn;

#define MEMLANE_MOST_COLUMNS 32

/* Writes the columns of @table to @columns, in order, and returns their number. */
guint memlane_table_columns (MemlaneTable table, MemlaneColumn columns[MEMLANE_MOST_COLUMNS]);
/* Appends the member of @structure as a table has it: nothing where it is absent. */
void memlane_member_append (GString *text, const MemlaneMember *member, gconstpointer structure);
/* The header line of @table; @old: of Memlane 0.2. */
void memlane_table_append_header (GString *text, MemlaneTable table, gboolean old);
