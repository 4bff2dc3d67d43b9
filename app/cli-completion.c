/* cli-completion.c: memlane-cli completion, what a shell completes, from the tables of options
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <string.h>

/* The values of an option, or of an argument without a dash. The fields say them to each shell. */
typedef struct
{
  const char *word; /* how the option, or the argument in "Usage:", is called */
  const char *bash; /* a command that prints the words; NULL: file names */
  const char *zsh;  /* an action of _arguments */
  const char *fish; /* options of complete */
} Kind;

#define DEVICES "memlane-cli devices 2>/dev/null | sed 1d | cut -d\" \" -f1"
#define MODES "memlane-cli modes --device simulated:h200 2>/dev/null | sed 1d | cut -d\" \" -f1"
#define WORKLOADS "memlane-cli workloads | sed 1d | cut -d\" \" -f1"

static const Kind kinds[] = {
  { "device", DEVICES, "{_values device $(" DEVICES ")}", "-x -a '(" DEVICES ")'" },
  { "mode", MODES, "{_values mode $(" MODES ")}", "-x -a '(" MODES ")'" },
  { "modes", MODES, "{_values -s , mode $(" MODES ")}", "-x -a '(" MODES ")'" },
  { "workload", WORKLOADS, "{_values workload $(" WORKLOADS ")}", "-x -a '(" WORKLOADS ")'" },
  { "MODE", MODES, "{_values mode $(" MODES ")}", "-x -a '(" MODES ")'" },
  { "list | run NAME", "echo list run", "(list run)", "-x -a 'list run'" },
  { "bash | zsh | fish", "echo bash zsh fish", "(bash zsh fish)", "-x -a 'bash zsh fish'" },
};
static const Kind file_kind = { NULL, NULL, "_files", "-r -F" }, text_kind = { NULL, "true", " ", "-x" };

static const Kind *
find_kind (const char *word, gboolean is_file)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (word, kinds[i].word) == 0)
      return &kinds[i];
  return is_file ? &file_kind : &text_kind;
}

/* Files are called F, F.svg, RUN.csv... where options and arguments are listed. */
static const Kind *
find_kind_of_option (const GOptionEntry *entry)
{
  const char *text = entry->arg_description;

  return find_kind (entry->long_name, strcmp (text, "DIR") == 0 || (*text == 'F' && !g_ascii_isalpha (text[1])) || strstr (text, ".csv"));
}

static const Kind *
find_kind_of_arguments (const CliCommand *command)
{
  return find_kind (command->arguments != NULL ? command->arguments : "", command->arguments != NULL);
}

typedef struct
{
  const CliCommand *command;
  GString *text;
} Script;

/* Returns @text as it may stand between single quotes. */
static char *
quote (const char *text, const char *marks)
{
  GString *quoted = g_string_new (NULL);

  for (; *text != '\0'; text++)
    {
      if (*text == '\'')
        {
          g_string_append (quoted, "'\\''");
          continue;
        }
      if (strchr (marks, *text) != NULL)
        g_string_append_c (quoted, '\\');
      g_string_append_c (quoted, *text);
    }
  return g_string_free (quoted, FALSE);
}

/* --- bash --------------------------------------------------------------------------------------------------------------- */

static void
add_bash_name (const GOptionEntry *entry, gpointer user_data)
{
  if (*entry->long_name != '\0')
    g_string_append_printf (((Script *) user_data)->text, " --%s", entry->long_name);
}

static void
add_bash_value (const GOptionEntry *entry, gpointer user_data)
{
  Script *self = user_data;
  const Kind *kind;

  if (*entry->long_name == '\0' || entry->arg == G_OPTION_ARG_NONE)
    return;
  kind = find_kind_of_option (entry);
  g_string_append_printf (self->text, "    '%s --%s'", self->command->name, entry->long_name);
  if (entry->short_name != 0)
    g_string_append_printf (self->text, " | '%s -%c'", self->command->name, entry->short_name);
  g_string_append_printf (self->text, ") words=%s%s%s ;;\n", kind->bash != NULL ? "$(" : "FILES", kind->bash != NULL ? kind->bash : "",
                          kind->bash != NULL ? ")" : "");
}

static void
write_bash (GString *text)
{
  g_string_append (text,
                   "# What bash completes for memlane-cli; written by memlane-cli completion bash\n"
                   "_memlane_cli() {\n"
                   "  local line=${COMP_LINE:0:COMP_POINT} words= options= prefix\n"
                   "  local word=${line##*[[:space:]]}\n" /* COMP_WORDS is cut at each colon */
                   "  local -a before\n"
                   "  read -ra before <<<\"${line%\"$word\"}\"\n"
                   "  if [ ${#before[@]} -eq 1 ]; then\n"
                   "    words='help --help --version");
  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    g_string_append_printf (text, " %s", (*command)->name);
  g_string_append (text, "'\n  else\n  case \"${before[1]}\" in\n");
  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    {
      Script script = { *command, text };
      const Kind *kind = find_kind_of_arguments (*command);

      g_string_append_printf (text, "    %s) words=%s%s%s options='", (*command)->name, kind->bash != NULL ? "$(" : "FILES",
                              kind->bash != NULL ? kind->bash : "", kind->bash != NULL ? ")" : "");
      cli_options_list (*command, add_bash_name, &script);
      g_string_append (text, "' ;;\n");
    }
  g_string_append (text, "  esac\n  case \"${before[1]} ${before[-1]}\" in\n");
  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    {
      Script script = { *command, text };

      cli_options_list (*command, add_bash_value, &script);
    }
  g_string_append (text,
                   "  esac\n  fi\n"
                   "  [[ $word != -* || -z $options ]] || words=$options\n"
                   "  if [ \"$words\" = FILES ]; then\n"
                   "    compopt -o filenames 2>/dev/null\n"
                   "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
                   "    return\n"
                   "  fi\n"
                   "  prefix=${word%\"${word##*,}\"}\n" /* a list by comma: the last one */
                   "  mapfile -t COMPREPLY < <(compgen -P \"$prefix\" -W \"$words\" -- \"${word##*,}\")\n"
                   "  prefix=${word%\"${word##*:}\"}\n"
                   "  COMPREPLY=(\"${COMPREPLY[@]#\"$prefix\"}\")\n"
                   "}\n"
                   "complete -F _memlane_cli memlane-cli\n");
}

/* --- zsh ---------------------------------------------------------------------------------------------------------------- */

static void
add_zsh_option (const GOptionEntry *entry, gpointer user_data)
{
  Script *self = user_data;
  const char *names[2] = { NULL, NULL };
  g_autofree char *words = entry->description != NULL ? quote (entry->description, "[]:") : NULL;
  char letter[] = { '-', entry->short_name, '\0' };
  g_autofree char *name = g_strconcat ("--", entry->long_name, NULL);

  if (*entry->long_name == '\0')
    return;
  names[0] = name;
  names[1] = entry->short_name != 0 ? letter : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names) && names[i] != NULL; i++)
    {
      g_string_append_printf (self->text, " \\\n        '%s[%s]", names[i], words);
      if (entry->arg != G_OPTION_ARG_NONE)
        g_string_append_printf (self->text, ":%s:%s", entry->long_name, find_kind_of_option (entry)->zsh);
      g_string_append_c (self->text, '\'');
    }
}

static void
write_zsh (GString *text)
{
  g_string_append (text,
                   "#compdef memlane-cli\n"
                   "# What zsh completes for memlane-cli; written by memlane-cli completion zsh\n"
                   "_memlane_cli() {\n"
                   "  local command\n"
                   "  local -a commands=('help:Explain a command'");
  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    {
      g_autofree char *summary = quote ((*command)->summary, ":");

      g_string_append_printf (text, " \\\n    '%s:%s'", (*command)->name, summary);
    }
  g_string_append (text,
                   ")\n"
                   "  if (( CURRENT == 2 )); then\n"
                   "    _describe command commands\n"
                   "    return\n"
                   "  fi\n"
                   "  command=$words[2]\n"
                   "  shift words\n"
                   "  (( CURRENT-- ))\n"
                   "  case $command in\n");
  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    {
      Script script = { *command, text };

      g_string_append_printf (text, "    %s)\n      _arguments '*:argument:%s'", (*command)->name, find_kind_of_arguments (*command)->zsh);
      cli_options_list (*command, add_zsh_option, &script);
      g_string_append (text, "\n      ;;\n");
    }
  g_string_append (text, "  esac\n}\n_memlane_cli \"$@\"\n");
}

/* --- fish --------------------------------------------------------------------------------------------------------------- */

static void
add_fish_option (const GOptionEntry *entry, gpointer user_data)
{
  Script *self = user_data;
  g_autofree char *words = entry->description != NULL ? quote (entry->description, "") : NULL;

  if (*entry->long_name == '\0')
    return;
  g_string_append_printf (self->text, "complete -c memlane-cli -n '__fish_seen_subcommand_from %s' -l %s", self->command->name,
                          entry->long_name);
  if (entry->short_name != 0)
    g_string_append_printf (self->text, " -s %c", entry->short_name);
  if (entry->arg != G_OPTION_ARG_NONE)
    g_string_append_printf (self->text, " %s", find_kind_of_option (entry)->fish);
  g_string_append_printf (self->text, " -d '%s'\n", words);
}

static void
write_fish (GString *text)
{
  g_string_append (text,
                   "# What fish completes for memlane-cli; written by memlane-cli completion fish\n"
                   "complete -c memlane-cli -f\n");
  for (const CliCommand *const *command = cli_commands; *command != NULL; command++)
    {
      Script script = { *command, text };
      g_autofree char *summary = quote ((*command)->summary, "");

      g_string_append_printf (text, "complete -c memlane-cli -n __fish_use_subcommand -a %s -d '%s'\n", (*command)->name, summary);
      if ((*command)->arguments != NULL)
        g_string_append_printf (text, "complete -c memlane-cli -n '__fish_seen_subcommand_from %s' %s\n", (*command)->name,
                                find_kind_of_arguments (*command)->fish);
      cli_options_list (*command, add_fish_option, &script);
    }
}

static int
run (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*write) (GString *text);
  } shells[] = { { "bash", write_bash }, { "zsh", write_zsh }, { "fish", write_fish } };
  const GOptionEntry entries[] = { { NULL } };
  g_autoptr (GString) text = g_string_new (NULL);
  char **positional;
  int status;

  if (!cli_options_parse (&cli_completion, entries, argc, argv, 1, &positional, &status))
    return status;
  for (guint i = 0; i < G_N_ELEMENTS (shells); i++)
    if (g_strcmp0 (positional[0], shells[i].name) == 0)
      {
        shells[i].write (text);
        g_print ("%s", text->str);
        return CLI_OK;
      }
  return cli_fail (CLI_USAGE, "completion: found %s, expected bash, zsh or fish", positional[0] != NULL ? positional[0] : "nothing");
}

const CliCommand cli_completion = {
  .name = "completion",
  .arguments = "bash | zsh | fish",
  .summary = "Print what a shell needs to complete commands and options",
  .run = run,
};
