# memlane-cli.bash: bash completes commands, options and their values for memlane-cli
# SPDX-License-Identifier: MIT
#
# All words come from the program: its help and its lists. Some are names of files that others made, so they are compared
# as text: compgen -W would run a word such as $(...). A word that bash would have to quote is left out.

# Prints "SHORT LONG VALUE" for each option of command $1, such as "-d --device ID".
_memlane_cli_options() {
  memlane-cli "$1" --help 2>/dev/null | sed -nE 's/^  ((-.), )?(--[a-z0-9-]+)(=([^ ]+))? .*/\2 \3 \5/p' | sed 's/^ /- /'
}

# Prints the first word of each row of the list that memlane-cli prints for these arguments; of column $1.
_memlane_cli_column() {
  memlane-cli "${@:2}" 2>/dev/null | sed 1d | awk -v column="$1" '{ print $column }'
}

# Prints the values of option or argument $1, whose value the help calls $2; fails if it is a file.
_memlane_cli_values() {
  case $1 in
    --device) _memlane_cli_column 1 devices ;;
    --mode | --modes | MODE) _memlane_cli_column 1 modes --device simulated:h200 ;;
    --workload) _memlane_cli_column 1 workloads ;;
    --experiment | NAME) _memlane_cli_column 2 experiment list ;;
    *) case $2 in F | F.* | DIR | *.csv* | *.json | *PROGRAM* | *RUN*) return 1 ;; esac ;;
  esac
}

# Prints what may follow the words $3... of command $1, whose last is begun as $2; fails if it is a file.
_memlane_cli_words() {
  local command=$1 word=$2 short long value usage
  if [ -z "$command" ]; then
    memlane-cli --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
    printf '%s\n' help --help --version
    return
  fi
  while read -r short long value; do
    if [[ $word == -* ]]; then
      printf '%s\n' "$long"
    elif [[ -n $value && ( ${*: -1} == "$short" || ${*: -1} == "$long" ) ]]; then
      _memlane_cli_values "$long" "$value"
      return
    fi
  done < <(_memlane_cli_options "$command")
  [[ $word != -* ]] || return 0
  usage=$(memlane-cli "$command" --help 2>/dev/null | sed -n '2s/^[^]]*] *//p')
  case "$usage ${*: -1}" in
    'list | run NAME run') _memlane_cli_values NAME ;;
    'list | run NAME '*) printf '%s\n' list run ;;
    *) _memlane_cli_values "${usage%% *}" "$usage" ;;
  esac
}

_memlane_cli() {
  local line=${COMP_LINE:0:COMP_POINT} word prefix reply words
  local -a before
  word=${line##*[[:space:]]} # COMP_WORDS is cut at each colon
  read -ra before <<<"${line%"$word"}"
  COMPREPLY=()
  if ! words=$(_memlane_cli_words "${before[1]}" "$word" "${before[@]}"); then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  prefix=${word%"${word##*,}"} # of a list by comma, the last word is completed
  while read -r reply; do
    if [[ $reply == "${word#"$prefix"}"* && $reply =~ ^[A-Za-z0-9._+:-]+$ ]]; then
      reply=$prefix$reply
      COMPREPLY+=("${reply#"${word%"${word##*:}"}"}")
    fi
  done <<<"$words"
}
complete -F _memlane_cli memlane-cli
