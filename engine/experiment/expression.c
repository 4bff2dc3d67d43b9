/* expression.c: the little language of checks and figures
 *
 * SPDX-License-Identifier: MIT
 *
 *   TEST       = EXPRESSION < EXPRESSION | EXPRESSION > EXPRESSION | EXPRESSION within NUMBER
 *              NUMBER | REFERENCE is WORD
 *                | REFERENCE is-not WORD
 *   EXPRESSION = SUM | SUM / SUM
 *   SUM        = TERM | SUM + TERM | SUM - TERM
 *   TERM       = REFERENCE | NUMBER
 *
 * Blanks stand between all of them; there are no parentheses. data/experiments/README.md says what
 * a reference is.
 */
#include "expression.h"

#include <string.h>

#include "base/each.h"
#include "base/strict-text.h"
#include "base/owns.h"
#include "measure/plan.h"
#include "procedure/procedure.h"

typedef struct
{
  char **tokens;
  guint at, n;
  GPtrArray *steps;
  guint first_log2, last_log2; /* of the references with ranges, which must agree; 0: of none */
  char *reason;                /* the first thing that is wrong */
} Parser;

static gboolean wrong (Parser *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
wrong (Parser *self, const char *format, ...)
{
  va_list arguments;

  if (self->reason != NULL)
    return FALSE;
  va_start (arguments, format);
  self->reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return FALSE;
}

/* --- quantities ------------------------------------------------------------------------------- */

gboolean
memlane_parse_quantity (const char *text, MemlaneValueKind *kind, double *value)
{
  static const struct { const char *unit; double ns; } units[] = {
    { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
  };
  gsize digits = strspn (text, "0123456789.");
  g_autofree char *number = g_strndup (text, digits);
  const char *unit = text + digits;

  if (digits > 20 || !g_ascii_isdigit (*text) || !memlane_text_read_number (number, value))
    return FALSE;
  if (*unit == ' ')
    unit++;
  *kind = MEMLANE_VALUE_NUMBER;
  if (*unit == '\0')
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (unit, units[i].unit) == 0)
      {
        *kind = MEMLANE_VALUE_TIME;
        *value *= units[i].ns;
        return TRUE;
      }
  return FALSE;
}

/* --- references ------------------------------------------------------------------------------- */

gboolean
memlane_parse_sizes (const char *text, guint *first_log2, guint *last_log2, GError **error)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();

  if (!memlane_plan_set_sizes (plan, text, error))
    return FALSE;
  *first_log2 = (guint) plan->first_log2;
  *last_log2 = (guint) plan->last_log2;
  return TRUE;
}

static gboolean
has_mode (const MemlanePlan *plan, const MemlaneMode *mode)
{
  for (guint i = 0; plan->modes[i] != NULL; i++)
    if (plan->modes[i] == mode)
      return TRUE;
  return FALSE;
}

/* MODE/PHASE or MODE/PHASE/CLOCK. */
static gboolean
parse_cell (Parser *self, const char *token, const char *path, MemlaneTerm *term)
{
  const MemlanePlan *plan = term->step->plan->sweep;
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  guint n = g_strv_length (parts);
  MemlaneClock clock;

  if (n < 2 || n > 3)
    return wrong (self, "found '%.80s', expected MODE/PHASE or MODE/PHASE/CLOCK of [Sweep %s]",
                  token, term->step->id);
  term->mode = memlane_mode_find (parts[0]);
  if (term->mode == NULL || !has_mode (plan, term->mode))
    return wrong (self, "found '%.80s': [Sweep %s] has no mode '%.40s'", token, term->step->id,
                  parts[0]);
  if (!memlane_phase_parse (parts[1], &term->phase))
    return wrong (self, "found '%.80s': unknown phase '%.40s'", token, parts[1]);
  if (n == 3)
    {
      if (!memlane_clock_parse (parts[2], &clock))
        return wrong (self, "found '%.80s': unknown clock '%.40s', expected issue, device or host",
                      token, parts[2]);
      term->clock = (int) clock;
    }
  term->kind = MEMLANE_VALUE_TIME;
  if (term->first_log2 == 0)
    {
      if (plan->first_log2 != plan->last_log2)
        return wrong (self,
                      "found '%.80s', expected @SIZE behind it, for [Sweep %s] has several sizes",
                      token, term->step->id);
      term->first_log2 = term->last_log2 = (guint) plan->first_log2;
    }
  if (term->first_log2 < plan->first_log2 || term->last_log2 > plan->last_log2)
    return wrong (self, "found '%.80s': [Sweep %s] has sizes %g to %g alone", token, term->step->id,
                  plan->first_log2, plan->last_log2);
  return TRUE;
}

/* A step that ran at several sizes has figures of each. */
static gboolean
parse_output (Parser *self, const char *token, const char *name, MemlaneTerm *term)
{
  const char *id = term->step->id;
  const MemlaneProcedure *procedure = term->step->plan->procedure;
  const MemlaneProcedureOptions *options = &term->step->plan->options;
  const gboolean sized = term->step->kind == MEMLANE_STEP_PROCEDURE && options->last_log2 > 0;

  if (!sized && term->first_log2 > 0)
    return wrong (
        self,
        "found '%.80s': only a sweep's figures, or those of a procedure with sizes, have sizes",
        token);
  if (sized && term->first_log2 == 0)
    return wrong (self, "found '%.80s', expected @SIZE behind it, for [Procedure %s] has sizes",
                  token, id);
  if (sized && (term->first_log2 < options->log2_elements || term->last_log2 > options->last_log2))
    return wrong (self, "found '%.80s': [Procedure %s] has sizes %u to %u alone", token, id,
                  options->log2_elements, options->last_log2);
  term->name = g_strdup (name);
  return memlane_step_outputs_find (&procedure->outputs, name, &term->kind)
         || wrong (self, "found '%.80s': procedure %s finds no '%.40s'", token, procedure->id,
                   name);
}

/* The step that a reference without one means: the only sweep. */
static const MemlaneExperimentStep *
only_sweep (GPtrArray *steps)
{
  const MemlaneExperimentStep *found = NULL;

  MEMLANE_FOR_EACH (const MemlaneExperimentStep, step, steps)
    {
      if (step->kind != MEMLANE_STEP_SWEEP)
        continue;
      if (found != NULL)
        return NULL;
      found = step;
    }
  return found;
}

static gboolean
is_called (gconstpointer part, gconstpointer id)
{
  return strcmp (*(const char *const *) part, id) == 0;
}

gpointer
memlane_find_by_id (GPtrArray *parts, const char *id)
{
  guint index;

  return g_ptr_array_find_with_equal_func (parts, id, is_called, &index) ? parts->pdata[index]
                                                                         : NULL;
}

static gboolean
parse_reference (Parser *self, const char *token, MemlaneTerm *term)
{
  const char *at = strchr (token, '@'), *colon = strchr (token, ':');
  g_autofree char *front = at != NULL ? g_strndup (token, (gsize) (at - token)) : g_strdup (token);
  const char *path = front;

  if (at != NULL && !memlane_parse_sizes (at + 1, &term->first_log2, &term->last_log2, NULL))
    return wrong (self, "found '%.80s', expected a size or FIRST:LAST behind the @, from %d to %d",
                  token, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
  if (colon != NULL && (at == NULL || colon < at))
    {
      g_autofree char *id = g_strndup (token, (gsize) (colon - token));

      path = front + (colon - token) + 1;
      term->step = memlane_find_by_id (self->steps, id);
      if (term->step == NULL)
        return wrong (self, "found '%.80s': there is no step '%.40s'", token, id);
    }
  else
    {
      term->step = only_sweep (self->steps);
      if (term->step == NULL)
        return wrong (
            self,
            "found '%.80s', expected STEP:FIGURE, a number, or with one sweep alone MODE/PHASE",
            token);
    }
  return term->step->kind == MEMLANE_STEP_SWEEP ? parse_cell (self, token, path, term)
                                                : parse_output (self, token, path, term);
}

/* All ranges of a test are the same one; single sizes stand beside any. */
static gboolean
agree_on_sizes (Parser *self, const char *token, const MemlaneTerm *term)
{
  if (term->first_log2 == term->last_log2)
    return TRUE;
  if (self->first_log2 > 0
      && (self->first_log2 != term->first_log2 || self->last_log2 != term->last_log2))
    return wrong (self, "found '%.80s', expected the sizes that stand before: %u:%u", token,
                  self->first_log2, self->last_log2);
  self->first_log2 = term->first_log2;
  self->last_log2 = term->last_log2;
  return TRUE;
}

/* --- sums and quotients ----------------------------------------------------------------------- */

static MEMLANE_DEFINE_CLEAR (MemlaneTerm, void clear_term (gpointer data), OWNS (name, g_free))

static const char *
peek (Parser *self)
{
  return self->at < self->n ? self->tokens[self->at] : "the end";
}

/* @kind (nullable): that of the terms before, which it has to have. */
static gboolean
parse_term (Parser *self, gboolean subtract, gboolean below, GArray *terms,
            const MemlaneValueKind *kind)
{
  static const char *const signs[] = { "+", "-", "/", "<", ">", "within", "is", "is-not", NULL };
  const char *token = peek (self);
  MemlaneTerm term = { .clock = -1, .subtract = subtract, .below = below };
  gboolean parsed;

  if (self->at == self->n || g_strv_contains (signs, token))
    return wrong (self, "found '%.80s', expected a figure or a number", token);
  self->at++;
  parsed = memlane_parse_quantity (token, &term.kind, &term.number)
           || (parse_reference (self, token, &term) && agree_on_sizes (self, token, &term));
  g_array_append_val (terms, term);
  if (parsed && kind != NULL && (*kind != term.kind || term.kind == MEMLANE_VALUE_WORD))
    return wrong (self, "'%.80s' is a %s: it does not add to what stands before", token,
                  term.kind == MEMLANE_VALUE_TIME   ? "time"
                  : term.kind == MEMLANE_VALUE_WORD ? "word"
                                                    : "number");
  return parsed;
}

static gboolean
parse_sum (Parser *self, gboolean below, GArray *terms, MemlaneValueKind *kind)
{
  if (!parse_term (self, FALSE, below, terms, NULL))
    return FALSE;
  *kind = g_array_index (terms, MemlaneTerm, terms->len - 1).kind;
  while (strcmp (peek (self), "+") == 0 || strcmp (peek (self), "-") == 0)
    {
      gboolean subtract = *self->tokens[self->at++] == '-';

      if (!parse_term (self, subtract, below, terms, kind))
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_expression (Parser *self, MemlaneExpression *expression)
{
  MemlaneValueKind below;

  if (!parse_sum (self, FALSE, expression->terms, &expression->kind))
    return FALSE;
  if (strcmp (peek (self), "/") != 0)
    return TRUE;
  self->at++;
  expression->divides = TRUE;
  if (!parse_sum (self, TRUE, expression->terms, &below))
    return FALSE;
  if (expression->kind == MEMLANE_VALUE_WORD || below == MEMLANE_VALUE_WORD)
    return wrong (self, "a word cannot be divided");
  if (below == MEMLANE_VALUE_TIME && expression->kind == MEMLANE_VALUE_NUMBER)
    return wrong (self, "a number cannot be divided by a time");
  if (below == MEMLANE_VALUE_TIME)
    expression->kind = MEMLANE_VALUE_NUMBER;
  return TRUE;
}

static gboolean
parse_number (Parser *self, MemlaneValueKind wanted, double *value)
{
  MemlaneValueKind kind;
  const char *token = peek (self);

  if (self->at == self->n || !memlane_parse_quantity (token, &kind, value) || kind != wanted)
    return wrong (self, "found '%.80s', expected a %s", token,
                  wanted == MEMLANE_VALUE_TIME ? "time, such as 5us" : "number");
  self->at++;
  return TRUE;
}

static gboolean
parse_comparison (Parser *self, MemlaneTest *test)
{
  const char *sign = peek (self);

  if (self->at == self->n)
    return wrong (self, "the test ends too early, expected <, >, within, is or is-not");
  self->at++;
  if (strcmp (sign, "is") == 0 || strcmp (sign, "is-not") == 0)
    {
      if (test->left.kind != MEMLANE_VALUE_WORD)
        return wrong (self, "'%s' compares words, and this is none", sign);
      if (self->at == self->n)
        return wrong (self, "the test ends too early, expected a word");
      test->kind = sign[2] == '\0' ? MEMLANE_TEST_IS : MEMLANE_TEST_IS_NOT;
      test->word = g_strdup (self->tokens[self->at++]);
      return TRUE;
    }
  if (test->left.kind == MEMLANE_VALUE_WORD)
    return wrong (self, "found '%.80s', expected is or is-not, for what stands before is a word",
                  sign);
  if (strcmp (sign, "within") == 0)
    {
      test->kind = MEMLANE_TEST_WITHIN;
      if (!parse_number (self, test->left.kind, &test->low)
          || !parse_number (self, test->left.kind, &test->high))
        return FALSE;
      return test->low <= test->high
             || wrong (self, "the bounds of within stand the wrong way round");
    }
  if (strcmp (sign, "<") != 0 && strcmp (sign, ">") != 0)
    return wrong (self, "found '%.80s', expected <, >, within, is or is-not", sign);
  test->kind = *sign == '<' ? MEMLANE_TEST_LESS : MEMLANE_TEST_MORE;
  if (!parse_expression (self, &test->right))
    return FALSE;
  return test->left.kind == test->right.kind
         || wrong (self, "'%s' has a time on one side and a number or a word on the other", sign);
}

MEMLANE_DEFINE_FREE (MemlaneTest, void memlane_test_free (MemlaneTest *data),
                     OWNS (left.terms, g_array_unref) OWNS (right.terms, g_array_unref)
                         OWNS (word, g_free))

/* Several blanks are one. */
static void
split (Parser *self, const char *text)
{
  self->tokens = g_strsplit_set (text, " \t", -1);
  for (guint i = 0; self->tokens[i] != NULL; i++)
    if (*self->tokens[i] != '\0')
      self->tokens[self->n++] = self->tokens[i];
    else
      g_free (self->tokens[i]);
  self->tokens[self->n] = NULL;
}

static gboolean
parse_form (Parser *self, MemlaneTestForm form, MemlaneTest *test)
{
  if (form == MEMLANE_TEST_COLUMN ? !parse_term (self, FALSE, FALSE, test->left.terms, NULL)
                                  : !parse_expression (self, &test->left))
    return FALSE;
  if (form == MEMLANE_TEST_COLUMN)
    test->left.kind = g_array_index (test->left.terms, MemlaneTerm, 0).kind;
  if (form == MEMLANE_TEST_COMPARISON && !parse_comparison (self, test))
    return FALSE;
  if (form == MEMLANE_TEST_FIGURE && self->first_log2 > 0)
    return wrong (self, "a figure has one size; a table shows several");
  return self->at == self->n || wrong (self, "found '%.80s', expected the end", peek (self));
}

MemlaneTest *
memlane_test_parse (const char *text, GPtrArray *steps, MemlaneTestForm form, guint first_log2,
                    guint last_log2, char **reason)
{
  g_autofree char *column = form == MEMLANE_TEST_COLUMN
                                ? g_strdup_printf ("%s@%u:%u", text, first_log2, last_log2)
                                : NULL;
  Parser parser = { .steps = steps };
  MemlaneTest *test = g_new0 (MemlaneTest, 1);

  test->left.terms = g_array_new (FALSE, TRUE, sizeof (MemlaneTerm));
  test->right.terms = g_array_new (FALSE, TRUE, sizeof (MemlaneTerm));
  g_array_set_clear_func (test->left.terms, clear_term);
  g_array_set_clear_func (test->right.terms, clear_term);
  split (&parser, column != NULL ? column : text);
  if (!parse_form (&parser, form, test))
    {
      *reason = parser.reason;
      g_clear_pointer (&test, memlane_test_free);
    }
  else /* a column may be of one size, which is no range */
    {
      test->first_log2 = column != NULL ? first_log2 : parser.first_log2;
      test->last_log2 = column != NULL ? last_log2 : parser.last_log2;
    }
  g_strfreev (parser.tokens);
  return test;
}

gboolean
memlane_test_is_what_if (const MemlaneTest *test)
{
  const GArray *const sides[] = { test->left.terms, test->right.terms };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    MEMLANE_FOR_EACH_IN (const MemlaneTerm, term, sides[i])
      if (term->step != NULL && term->step->what_if)
        return TRUE;
  return FALSE;
}
