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
  const char *bash; /* a word of the shell: a command that prints the words, or FILES */
  const char *zsh;  /* an action of _arguments */
  const char *fish; /* options of complete */
} Kind;

#define DEVICES "memlane-cli devices 2>/dev/null | sed 1d | cut -d\" \" -f1"
#define MODES "memlane-cli modes --device simulated:h200 2>/dev/null | sed 1d | cut -d\" \" -f1"
#define WORKLOADS "memlane-cli workloads | sed 1d | cut -d\" \" -f1"

static const Kind kinds[] = {
  { "device", "$(" DEVICES ")", "{_values device $(" DEVICES ")}", "-x -a '(" DEVICES ")'" },
  { "mode", "$(" MODES ")", "{_values mode $(" MODES ")}", "-x -a '(" MODES ")'" },
  { "modes", "$(" MODES ")", "{_values -s , mode $(" MODES ")}", "-x -a '(" MODES ")'" },
  { "workload", "$(" WORKLOADS ")", "{_values workload $(" WORKLOADS ")}", "-x -a '(" WORKLOADS ")'" },
  { "MODE", "$(" MODES ")", "{_values mode $(" MODES ")}", "-x -a '(" MODES ")'" },
  { "list | run NAME", "$(echo list run)", "(list run)", "-x -a 'list run'" },
  { "bash | zsh | fish", "$(echo bash zsh fish)", "(bash zsh fish)", "-x -a 'bash zsh fish'" },
};
static const Kind file_kind = { NULL, "FILES", "_files", "-r -F" }, text_kind = { NULL, "$(true)", " ", "-x" };

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

#define FOR_EACH_COMMAND(command) \
  for (const CliCommand *const *at_ = cli_commands, *command; (command = *at_) != NULL; at_++)

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
  FOR_EACH_COMMAND (command)
    g_string_append_printf (text, " %s", command->name);
  g_string_append (text, "'\n  else\n  case \"${before[1]}\" in\n");
  FOR_EACH_COMMAND (command)
    {
      g_string_append_printf (text, "    %s) words=%s options='", command->name, find_kind_of_arguments (command)->bash);
      CLI_FOR_EACH_OPTION (entry, command)
        g_string_append_printf (text, " --%s", entry->long_name);
      g_string_append (text, "' ;;\n");
    }
  g_string_append (text, "  esac\n  case \"${before[1]} ${before[-1]}\" in\n");
  FOR_EACH_COMMAND (command)
    CLI_FOR_EACH_OPTION (entry, command)
      if (entry->arg != G_OPTION_ARG_NONE)
        {
          g_string_append_printf (text, "    '%s --%s'", command->name, entry->long_name);
          if (entry->short_name != 0)
            g_string_append_printf (text, " | '%s -%c'", command->name, entry->short_name);
          g_string_append_printf (text, ") words=%s ;;\n", find_kind_of_option (entry)->bash);
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

/* An option by one of its names, "--sizes" or "-s". */
static void
add_zsh_option (GString *text, const GOptionEntry *entry, const char *name)
{
  g_autofree char *words = quote (entry->description, "[]:");

  g_string_append_printf (text, " \\\n        '%s[%s]", name, words);
  if (entry->arg != G_OPTION_ARG_NONE)
    g_string_append_printf (text, ":%s:%s", entry->long_name, find_kind_of_option (entry)->zsh);
  g_string_append_c (text, '\'');
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
  FOR_EACH_COMMAND (command)
    {
      g_autofree char *summary = quote (command->summary, ":");

      g_string_append_printf (text, " \\\n    '%s:%s'", command->name, summary);
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
  FOR_EACH_COMMAND (command)
    {
      g_string_append_printf (text, "    %s)\n      _arguments '*:argument:%s'", command->name, find_kind_of_arguments (command)->zsh);
      CLI_FOR_EACH_OPTION (entry, command)
        {
          g_autofree char *name = g_strconcat ("--", entry->long_name, NULL);

          add_zsh_option (text, entry, name);
          if (entry->short_name != 0)
            add_zsh_option (text, entry, (char[]){ '-', entry->short_name, '\0' });
        }
      g_string_append (text, "\n      ;;\n");
    }
  g_string_append (text, "  esac\n}\n_memlane_cli \"$@\"\n");
}

/* --- fish --------------------------------------------------------------------------------------------------------------- */

static void
write_fish (GString *text)
{
  g_string_append (text,
                   "# What fish completes for memlane-cli; written by memlane-cli completion fish\n"
                   "complete -c memlane-cli -f\n");
  FOR_EACH_COMMAND (command)
    {
      g_autofree char *summary = quote (command->summary, "");

      g_string_append_printf (text, "complete -c memlane-cli -n __fish_use_subcommand -a %s -d '%s'\n", command->name, summary);
      if (command->arguments != NULL)
        g_string_append_printf (text, "complete -c memlane-cli -n '__fish_seen_subcommand_from %s' %s\n", command->name,
                                find_kind_of_arguments (command)->fish);
      CLI_FOR_EACH_OPTION (entry, command)
        {
          g_autofree char *words = quote (entry->description, "");

          g_string_append_printf (text, "complete -c memlane-cli -n '__fish_seen_subcommand_from %s' -l %s", command->name,
                                  entry->long_name);
          if (entry->short_name != 0)
            g_string_append_printf (text, " -s %c", entry->short_name);
          if (entry->arg != G_OPTION_ARG_NONE)
            g_string_append_printf (text, " %s", find_kind_of_option (entry)->fish);
          g_string_append_printf (text, " -d '%s'\n", words);
        }
    }
}

static int
run (char **shells)
{
  const char *shell = shells[0] != NULL ? shells[0] : "nothing";
  void (*write) (GString *text) = strcmp (shell, "bash") == 0 ? write_bash : strcmp (shell, "zsh") == 0 ? write_zsh
                                  : strcmp (shell, "fish") == 0 ? write_fish : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (write == NULL)
    return cli_fail (CLI_USAGE, "completion: found %s, expected bash, zsh or fish", shell);
  write (text);
  g_print ("%s", text->str);
  return CLI_OK;
}

const CliCommand cli_completion = {
  .name = "completion",
  .arguments = "bash | zsh | fish",
  .summary = "Print what a shell needs to complete commands and options",
  .options = (const GOptionEntry[]){ { NULL } },
  .most_arguments = 1,
  .run = run,
};
