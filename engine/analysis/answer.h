/* answer.h: a sentence with the figures it rests on
 *
 * SPDX-License-Identifier: MIT
 *
 * The engine speaks English and knows no catalogue. An answer is a format with names in braces,
 * marked for translation, and a value for each name: who shows it looks the format up, shows the
 * values in its own way, or takes the figures alone.
 */
#pragma once

#include <glib.h>

#include "result/statistics.h"

typedef enum
{
  MEMLANE_FACT_MODE,      /* text: a mode's id */
  MEMLANE_FACT_MODES,     /* text: ids, separated by ", " */
  MEMLANE_FACT_TEXT,      /* text: as it is (a run's id, a workload's) */
  MEMLANE_FACT_WORD,      /* text: marked for translation, to be looked up. May name facts, too */
  MEMLANE_FACT_SIZE,      /* number: elements of one vector */
  MEMLANE_FACT_BYTES,
  MEMLANE_FACT_NS,
  MEMLANE_FACT_BANDWIDTH, /* bytes per second */
  MEMLANE_FACT_COUNT,     /* of samples, copies, uses */
  MEMLANE_FACT_PERCENT,   /* number: 0.02 is 2 % */
  MEMLANE_FACT_FACTOR,    /* 1.5: one and a half times */
  MEMLANE_FACT_LIST,      /* list: what differs between two runs */
} MemlaneFactKind;

typedef struct
{
  const char *name;        /* as in the format; static */
  MemlaneFactKind kind;
  const char *text;        /* NULL for numbers; an answer owns it */
  MemlaneEstimate number;  /* low = high = value where it has no interval */
  /* (element-type GStrv): a label and two values: "driver", "580", "570"; an answer has a
   * reference */
  GPtrArray *list;
} MemlaneFact;

typedef enum
{
  MEMLANE_ANSWER_BEST,        /* the recommendation */
  MEMLANE_ANSWER_TIED,        /* what cannot be told apart from it */
  MEMLANE_ANSWER_NEXT,        /* the best of another kind, the usual way: comparisons */
  MEMLANE_ANSWER_BASIS,       /* what a predicted time rests on */
  MEMLANE_ANSWER_ADVICE,      /* what to measure, as a command */
  MEMLANE_ANSWER_BREAK_EVEN,
  MEMLANE_ANSWER_CROSSOVER,
  MEMLANE_ANSWER_TROUBLE,     /* "cannot be told": what is missing and what to do */
  MEMLANE_ANSWER_FINDING,     /* what a trace shows */
  MEMLANE_N_ANSWER_KINDS
} MemlaneAnswerKind;

typedef struct
{
  MemlaneAnswerKind kind;
  const char *format; /* static, marked for translation: "{mode} is fastest: {time}" */
  GArray *values;     /* (element-type MemlaneFact) */
} MemlaneAnswer;

/* How a front end shows an answer; each may be NULL: English, and units as memlane_fact_format()
 * has them. */
typedef const char *(*MemlaneTranslate) (const char *text);
/* (transfer full) */
typedef char *(*MemlaneShowFact) (const MemlaneFact *value, gpointer user_data);

/* (transfer full): the sentence. A name without a value stays in its braces. */
char *memlane_answer_format (const MemlaneAnswer *answer, MemlaneTranslate translate,
                             MemlaneShowFact show, gpointer user_data);
/* (transfer full): "12.5 us", "12.5 us (12.1 to 12.9)", "4 MiB", "2^20", "53.7 GB/s (at least
 * 50.1)"; a decimal point whatever the locale. */
char *memlane_fact_format (const MemlaneFact *value);
/* (transfer full): "driver: 580 and 570; boot: not recorded and b1". */
char *memlane_differences_format (const GPtrArray *list);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

void memlane_answer_free (MemlaneAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneAnswer, memlane_answer_free)

/* A whole answer: its kind, its format, and its facts, at most 16, whose names are static: { name,
 * kind, text },
 * { name, kind, MEMLANE_FACT_IS (number) } or { name, kind, .number = estimate }. It is added to
 * @answers, which may be NULL. */
#define memlane_answer_say(answers, kind, format, ...) \
  memlane_answer_say_facts ((answers), (kind), (format), (const MemlaneFact[17]) { __VA_ARGS__ })
#define MEMLANE_FACT_IS(x) .number = { (x), (x), (x) }
MemlaneAnswer *memlane_answer_say_facts (GPtrArray *answers, MemlaneAnswerKind kind,
                                         const char *format, const MemlaneFact *facts);
/* (transfer full) (element-type MemlaneAnswer): none yet. */
GPtrArray *memlane_answers_new (void);

#endif
