/* cli.h: what the commands of memlane-cli share
 *
 * SPDX-License-Identifier: MIT
 *
 * A command is a table of options and a function, which is called once they are set. Listings and
 * reports go to standard output; everything that is said about a run goes to standard error, so
 * that `--csv -` can be piped.
 */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <sched.h>

#ifdef MEMLANE_HAVE_CHART
#include "chart/export.h"
#endif
#include "base/words.h"
#include "memlane.h"

/* The exit statuses are a contract with the scripts that call us. */
typedef enum
{
  CLI_OK = 0,            /* all asked-for cells measured or unsupported */
  CLI_USAGE = 1,         /* wrong usage, or an input file that is refused */
  CLI_NOTHING = 2,       /* nothing could be measured, or the output cannot be written */
  CLI_FAILED_CELLS = 3,  /* some cells failed; the file holds the rest */
  CLI_SLOW = 4,          /* check: something is slow; compare --fail-above: something is slower */
  CLI_INTERRUPTED = 130, /* the file holds what was measured */
} CliExit;

typedef struct
{
  const char *name;
  const char *arguments;   /* as in "Usage: memlane-cli NAME ARGUMENTS" */
  /* one line for the list of commands; the lesson below the options is in help.txt */
  const char *summary;
  const GOptionEntry *options; /* of static storage, as are the variables that they set */
  guint most_arguments;    /* without a dash */
  /* returns the exit status; NULL: it draws, and this build does not */
  int (*run) (char **arguments);
  gboolean writes; /* files: there is an option --force */
} CliCommand;

extern const CliCommand cli_devices, cli_modes, cli_workloads, cli_sweep, cli_trace, cli_lab,
    cli_recover, cli_plot;
extern const CliCommand cli_code, cli_experiment, cli_report, cli_decide, cli_check, cli_compare,
    cli_worker, cli_advise;

/* All of them, in the order of --help; ends in NULL. */
extern const CliCommand *const cli_commands[];

/* --- options: cli-options.c ------------------------------------------------------------------- */

#define CLI_ANY_NUMBER G_MAXUINT

/* Sets the options of @command by @argv, whose first word is its name, and runs it. Prints the
 * help, or what is wrong, instead. Returns the exit status. Called once. */
int cli_options_run (const CliCommand *command, int argc, char **argv);
/* Returns the part of help.txt below "== NAME ==". (transfer full) */
char *cli_help_find (const char *name);
/* The one of @words (ending in NULL) that @word was probably meant to be, or NULL. */
const char *cli_options_guess (const char *word, const char *const *words);
/* Strict numbers: the whole text, '.' as the decimal sign, within [@least, @most]. @text NULL keeps
 * *@value. The message names @option, what was found and what was expected. */
gboolean cli_options_number (const char *option, const char *text, double least, double most,
                             double *value, GError **error);
gboolean cli_options_integer (const char *option, const char *text, guint64 least, guint64 most,
                              guint64 *value, GError **error);
gboolean cli_options_count (const char *option, const char *text, guint least, guint most,
                            guint *value, GError **error);
/* Reads --size as memlane_plan_read_size() does; NULL keeps *@log2_elements. */
gboolean cli_options_size (const char *text, double *log2_elements, GError **error);
/* Sets *@value to the place of @text in @known (transfer full), "one, two, three". */
gboolean cli_options_choose (const char *option, const char *text, char *known, guint *value,
                             GError **error);
/* --count (transfer, host, allocation) and --uses. NULL: *@what or *@n stays. */
gboolean cli_options_count_uses (const char *count, const char *uses, MemlaneCount *what, guint *n,
                                 GError **error);
/* Sets @error: the value of an option is wrong. Always FALSE; with base/fail.h. */
#define cli_refuse(error, ...)                                                                     \
  memlane_fail (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, __VA_ARGS__)
/* "OPTION: found "FOUND", expected EXPECTED". Always FALSE. */
gboolean cli_options_wrong (GError **error, const char *option, const char *found,
                            const char *expected);
/* Reads --beside and --busy into @method; each is NULL where it is not given. */
gboolean cli_options_beside (const char *beside, const char *busy, MemlaneMethod *method,
                             GError **error);
/* The workload that --workload names; @id NULL keeps *@workload. The message lists what there
 * is. */
gboolean cli_options_workload (const char *id, const MemlaneWorkload **workload, GError **error);

/* "memlane-cli: MESSAGE" on standard error. Returns @status. */
int cli_fail (int status, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Collects rows and prints them in aligned columns, two spaces between them. */
typedef struct _CliTable CliTable;
CliTable *cli_table_new_columns (guint n_columns);
/* n_columns cells; const char *, NULL is empty. The first row has the headings; NULL: for JSON */
void cli_table_add (CliTable *self, ...);
/* The same with headings. */
#define cli_table_new(n_columns, ...) \
  ({ \
    CliTable *table_ = cli_table_new_columns (n_columns); \
    cli_table_add (table_, __VA_ARGS__); \
    table_; \
  })
/* One cell after the other, row by row. */
void cli_table_add_cell (CliTable *self, const char *cell);
void cli_table_print (CliTable *self); /* and frees */
void cli_table_free (CliTable *self);  /* unprinted */
/* Prints a document with an array of its name, one object a row, and frees. @keys: one word a
 * column; "#word" is a number, "?word" is true where the cell is "yes". An empty cell is null. */
void cli_table_print_json (CliTable *self, const char *document, const char *keys);
/* Prints either, and frees. */
#define cli_table_show(self, json, document, keys)                                                 \
  ((json) ? cli_table_print_json (self, document, keys) : cli_table_print (self))
#define CLI_JSON_ENTRY(json)                                                                       \
  { "json", 'j', 0, G_OPTION_ARG_NONE, &(json), "Print JSON; data/doc/json.md has its keys", NULL }

/* A document of JSON: an object with "format" and "document" (data/doc/json.md). A value without a
 * name is an element of an array. */
#define CLI_FORMAT 3
typedef struct _CliJson CliJson;
CliJson *cli_json_new (const char *document);
void cli_json_open (CliJson *self, const char *name, char bracket); /* '{' or '[' */
void cli_json_close (CliJson *self);
void cli_json_text (CliJson *self, const char *name, const char *text); /* NULL is null */
/* NAN and infinity are null */
void cli_json_number (CliJson *self, const char *name, double number);
void cli_json_ratio (CliJson *self, const char *name, double ratio);    /* five decimals */
void cli_json_ns (CliJson *self, const char *name, double ns);          /* one decimal */
void cli_json_flag (CliJson *self, const char *name, gboolean flag);
/* Several members of an object: { "mode", CLI_TEXT (mode) }, { "low_ns", CLI_NS (low) }. */
typedef struct
{
  const char *name;
  enum { CLI_JSON_TEXT, CLI_JSON_NUMBER, CLI_JSON_RATIO, CLI_JSON_NS, CLI_JSON_FLAG } kind;
  const char *text;
  double number;
} CliJsonMember;
#define CLI_TEXT(value) CLI_JSON_TEXT, .text = value
#define CLI_NUMBER(value) CLI_JSON_NUMBER, .number = value
#define CLI_RATIO(value) CLI_JSON_RATIO, .number = value
#define CLI_NS(value) CLI_JSON_NS, .number = value
#define CLI_FLAG(value) CLI_JSON_FLAG, .number = (value) ? 1 : 0
void cli_json_add_members (CliJson *self, gboolean as_object, const CliJsonMember *members,
                           guint n);
#define CLI_MEMBERS(...) \
  (const CliJsonMember[]) { __VA_ARGS__ }, \
      sizeof ((const CliJsonMember[]) { __VA_ARGS__ }) / sizeof (CliJsonMember)
#define cli_json_add(self, ...) cli_json_add_members (self, FALSE, CLI_MEMBERS (__VA_ARGS__))
/* The next element of an array: an object of these members alone. */
#define cli_json_add_object(self, ...) cli_json_add_members (self, TRUE, CLI_MEMBERS (__VA_ARGS__))
/* closes all, and frees: the text with a newline; (transfer full) */
char *cli_json_end (CliJson *self);
void cli_json_print (CliJson *self); /* the same to standard output */

/* --- experiments: cli-experiment.c ------------------------------------------------------------ */

/* Runs @experiment on @device in a main loop and names its steps, unless its command is told
 * --quiet. The first signal cuts it short. NULL: the message is out and *@status is set. (transfer
 * full) */
MemlaneExperimentResult *cli_experiment_run (MemlaneExperiment *experiment, const char *device,
                                             int *status);
/* As "experiment run NAME --device DEVICE", for another command. Returns the exit status. */
int cli_experiment_show (const char *name, char *device, gboolean json);

/* --- signals: cli-progress.c ------------------------------------------------------------------ */

/* From now on the first SIGINT, SIGTERM or SIGHUP calls @notify (may be NULL) and cancels
 * @cancellable. Both happen in the default main context, so it takes a main loop that runs. A
 * second one, more than 0.3 s later, ends the process at once, wherever it hangs. Its status is
 * then 130, and it says no word. Files are whole or not there all the same. One begin at a time, on
 * the main thread; end puts back what was. */
void cli_signals_begin (GCancellable *cancellable, void (*notify) (void));
void cli_signals_end (void);

/* --- devices: cli-device.c -------------------------------------------------------------------- */

/* Turns what the user asked for (NULL: nothing) into the id of a device, and says on standard error
 * which one it is, unless @quiet. NULL: the message is out and *@status is set. */
char *cli_device_choose (const char *asked, gboolean quiet, int *status);
/* The same for the first GPU that can be used, or none: a simulated device stands for nothing
 * here. */
char *cli_device_choose_gpu (int *status);
/* All GPUs that can be used on @host (NULL: here), by commas; "": there is none. (transfer full) */
char *cli_device_list_gpus (const char *host);
/* Runs the default main context until an operation that was begun with the callback cli_wait_done()
 * is done. Returns what its task has returned. (transfer full) */
void cli_wait_done (GObject *source, GAsyncResult *result, gpointer unused);
gpointer cli_wait (GError **error);
/* Waits for memlane_sweep_run_async(). */
MemlaneRun *cli_sweep_wait (MemlaneSweep *sweep, GCancellable *cancellable, GError **error);
/* Waits for memlane_devices_list_async(). */
GPtrArray *cli_device_list (const char *host);
/* FALSE: there is no such host; the message is out. */
gboolean cli_host_check (const char *host, int *status);
/* Whether @asked (nullable), the value of --noise, is "recorded" and @device is simulated; the
 * message names what is wrong. */
gboolean cli_noise_check (const char *asked, const char *device, GError **error);
/* Sets those of "0-3,8" in @set. */
void cli_parse_processors (const char *list, cpu_set_t *set);
/* Binds this thread, and what it starts, to the processors of a NUMA node, and to its @memory. */
gboolean cli_bind_to_node (int node, gboolean memory, GError **error);
/* The exit status that fits the failure to open @id. */
int cli_device_status (const char *id);
/* One line on standard error when runs of dead processes wait in the journal: cli-recover.c. */
void cli_mention_journals (void);

/* --- output files: cli-output.c --------------------------------------------------------------- */

typedef enum
{
  CLI_FILE_RUNS,
  CLI_FILE_ROUNDS,
  CLI_FILE_SAMPLES,
  CLI_FILE_FINDINGS,
  CLI_FILE_MAP,
  CLI_FILE_ENVIRONMENT,
  CLI_FILE_TRACE,
  CLI_FILE_ADVICE, CLI_FILE_PAGE, CLI_FILE_PROGRAM, CLI_FILE_JUNIT, CLI_FILE_FIGURE,
} CliFileKind;

/* Whether a file of @kind could be written at @path, and replaces nothing but its like; "-" is
 * standard output. Before anything is measured. */
gboolean cli_output_check (const char *path, CliFileKind kind, GError **error);
/* Whether the table at @path, if there is one, holds no more than @n_cells cells. */
gboolean cli_output_check_cells (const char *path, guint n_cells, GError **error);
/* Whether @path is standard output, a pipe whose reader has gone, such as head: nothing failed. */
gboolean cli_output_is_closed (const char *path);
/* Whether both are one file, under whatever names. */
gboolean cli_output_is_same (const char *path, const char *other);
/* The file that @path names: standard input when it is "-". (transfer none) */
const char *cli_input_path (const char *path);
/* Whether @path (may be NULL) is one of @inputs, which end in NULL, or the environment beside
 * one. */
gboolean cli_output_is_input (const char *path, const char *const *inputs);
/* The option --force of all commands that write. */
extern gboolean cli_output_force;

/* --- figures: cli-options.c; only in builds that draw ----------------------------------------- */

#ifdef MEMLANE_HAVE_CHART
typedef struct
{
  const MemlaneExportFormat *format;
  const MemlaneStyle *style;
  guint width, height; /* px; 0: what the drawing needs */
} CliFigure;

/* How the figure at @path is drawn: format by its ending, @style (NULL: screen), @size (of
 * @size_option; NULL: as it is in @self). */
gboolean cli_figure_parse (CliFigure *self, const char *path, const char *style,
                           const char *size_option, const char *size, GError **error);
gboolean cli_figure_write (const CliFigure *self, const MemlaneDrawing *drawing, double scale,
                           const char *path, GError **error);
#endif

/* The options --plot, --style and --plot-size of commands that draw besides. */
typedef struct
{
  char *path, *style, *size;
} CliPlot;
#define CLI_PLOT_ENTRIES(plot, file, subject, usual)                                               \
  { "plot", 'o', 0, G_OPTION_ARG_FILENAME, &(plot).path, file, "F.svg" },                          \
      { "style",                                                                                   \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(plot).style,                                                                             \
        subject ": screen, dark, print, projector, ... (default: screen)",                         \
        "STYLE" },                                                                                 \
      { "plot-size",                                                                               \
        0,                                                                                         \
        0,                                                                                         \
        G_OPTION_ARG_FILENAME,                                                                     \
        &(plot).size,                                                                              \
        subject ", in pixels; points in a PDF (default: " usual ")",                               \
        "WxH" }

/* Whether they can be had, before anything is read. Returns the exit status; the message is out. */
int cli_plot_check (const CliPlot *self, const char *command);
#ifdef MEMLANE_HAVE_CHART
/* Draws @drawing (transfer full), 1280 px wide and @height high (0: what it needs) where no size
 * was asked for. Returns the exit status. */
int cli_plot_draw (const CliPlot *self, guint height, gboolean quiet, MemlaneDrawing *drawing);
#endif

/* --- traces: cli-trace.c ---------------------------------------------------------------------- */

/* Returns what of @trace (transfer full) (nullable) lies within the ranges called @range; NULL: all
 * of it. NULL with @error. */
MemlaneTrace *cli_trace_cut (MemlaneTrace *trace, const char *range, GError **error);

/* --- what a run came to: cli-summary.c -------------------------------------------------------- */

/* Appends the runs of all @paths to @runs, (element-type MemlaneRun), and to @names (nullable)
 * (element-type utf8) a name for each: its file's, where that holds no other. */
gboolean cli_read_files (char **paths, GPtrArray *runs, GPtrArray *names, GError **error);

typedef struct
{
  /* noisy: those of the measured ones whose elapsed time on the host clock is */
  guint measured, noisy;
  guint unsupported, failed, cancelled;
} CliCount;

void cli_count_cells (const MemlaneRun *run, CliCount *count);
int cli_count_status (const CliCount *count, gboolean interrupted);
/* The distinct reasons why cells have no figures; one line each on standard error. @only_failed
 * leaves the unsupported ones out. */
void cli_print_reasons (const MemlaneRun *run, gboolean only_failed);
/* How many identical pairs of modes @run told apart, if it has rounds of any. */
void cli_print_control (const MemlaneRun *run, gboolean only_failed);

/* --- many machines: cli-fleet.c --------------------------------------------------------------- */

typedef struct
{
  /* one of them: names by comma; options of sbatch; NUMA nodes by comma, or all */
  const char *hosts, *slurm, *numa;
  const char *folder;
  const char *device;    /* NULL: every GPU that is found */
  char **options;        /* of sweep, for the tasks of Slurm */
  const MemlanePlan *plan;
  guint most;            /* at once */
  gboolean quiet;
} CliFleet;

/* Measures what has no file in the folder yet. Returns the exit status. */
int cli_fleet_sweep (const CliFleet *asked);
/* Says on standard error which machines of @folder have no run, and why. */
void cli_fleet_say_missing (const char *folder);

/* --- progress: cli-progress.c ----------------------------------------------------------------- */

void cli_progress_begin (gboolean quiet);
void cli_progress_update (MemlaneSweep *sweep);
/* Clears the bar; the next message starts on a line of its own. */
void cli_progress_clear (void);

/* "12 s", "3 min", "1.4 s": for people; (transfer full). */
char *cli_format_seconds (double seconds);
