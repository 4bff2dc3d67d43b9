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

# A sentence that takes two readings is too long, in the manuals as in the catalogues (test-catalogues.sh). Paragraphs are lines here.
for page in data/man/*.[1-9]; do
  long=$(groff -K utf8 -T utf8 -man -P-cbou -rLL=9000n -rHY=0 "$page" 2>/dev/null | sed 's/[.:!?] \+/&\n/g' | awk 'NF > 25')
  if [ -n "$long" ]; then
    printf '%s: sentences of more than 25 words:\n%s\n' "$page" "$long" >&2
    status=1
  fi
done

for page in README.md data/doc/{method,csv}.md; do
  long=$(awk '/^```/ { code = !code; next } code || /^[|#!]/ { next } /^$/ || /^(-|[0-9]+\.) / { print "" } { printf "%s ", $0 }' "$page" |
    sed 's/[.:!?] \+/&\n/g' | awk 'NF > 25')
  if [ -n "$long" ]; then
    printf '%s: sentences of more than 25 words:\n%s\n' "$page" "$long" >&2
    status=1
  fi
done
[ "$(wc -c <README.md)" -le 7168 ] || { echo 'README.md is longer than 7 KiB: the rest belongs into data/doc/' >&2; status=1; }

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
