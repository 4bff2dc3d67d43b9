#!/usr/bin/env bash
# test-manual.sh: the manuals render without a warning and explain every option and key of the sources; no page has a long sentence
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
status=0
for page in data/man/*.[1-9]; do
  warnings=$(groff -ww -K utf8 -T utf8 -man -z "$page" 2>&1)
  if [ -n "$warnings" ]; then
    printf '%s:\n%s\n' "$page" "$warnings" >&2
    status=1
  fi
done

# A sentence that takes two readings is too long, in the manuals as in the catalogues (test-catalogues.sh).
# sentences PAGE: of the paragraphs on standard input, each a line; code between grave accents is a word
sentences() {
  local long
  long=$(sed -E 's/`[^`]*`/`/g; s/[.:!?] +/&\n/g' | awk 'NF > 25')
  [ -z "$long" ] || { printf '%s: sentences of more than 25 words:\n%s\n' "$1" "$long" >&2; status=1; }
}

for page in data/man/*.[1-9]; do
  sentences "$page" < <(groff -K utf8 -T utf8 -man -P-cbou -rLL=9000n -rHY=0 "$page" 2>/dev/null)
done

for page in README.md data/{doc/{method,csv,figures,claims},recordings/README,{experiments,lessons}/README}.md; do
  sentences "$page" < <(awk '/^```/ { code = !code; next } code || /^[|#!]/ { next } /^$/ || /^(-|[0-9]+\.) / { print "" }
    { printf "%s ", $0 }' "$page")
done

# Comments of headers: an empty line ends a paragraph, and a line with a gap, as rows of tables have, begins one.
while read -r page; do
  sentences "$page" < <(awk 'sub(/^.*\/\*+/, "") { inside = 1; print "" }
    inside { end = sub(/\*\/.*/, ""); sub(/^ *\* ?/, ""); if (/^ *$/ || /[^ ]  +[^ ]/) print ""; printf "%s ", $0; inside = !end }' "$page")
done < <(find app engine ui -name '*.h' | sort)
[ "$(wc -c <README.md)" -le 6000 ] || { echo 'README.md is longer than 6,000 bytes: the rest belongs into data/doc/' >&2; status=1; }

# explains PAGE SOURCE...: the page explains each option of the sources
explains() {
  local page=$1 text option
  shift
  text=$(groff -T ascii -man -P-cbou "data/man/$page")
  while read -r option; do
    grep -qE -- "--$option([^a-z-]|$)" <<<"$text" || {
      echo "$page does not explain --$option" >&2
      status=1
    }
  done < <(sed -nE 's/^ *\{ "([a-z-]+)", .*G_OPTION_ARG.*/\1/p' "$@" | sort -u)
}
explains memlane-cli.1 app/cli-*.[ch]
explains memlane.1 app/main.c ui/window/application.c

# The window's manual names every key of the application's table.
text=$(groff -T ascii -man -P-cbou data/man/memlane.1)
while read -r key; do
  grep -qF -- "$key" <<<"$text" || {
    echo "memlane.1 does not name the key $key" >&2
    status=1
  }
done < <(sed -nE '/keys\[\] = \{/,/\};/s/^ *\{ "[^"]*", \{ (.*) \} \},/\1/p' ui/window/application.c | grep -oE '[^", ]+' |
  sed -E 's/<Control>/Ctrl+/; s/<Shift>/Shift+/; s/<Alt>/Alt+/; s/period/./; s/comma/,/; s/question/?/; s/\+([a-z])$/+\U\1/')
exit $status
