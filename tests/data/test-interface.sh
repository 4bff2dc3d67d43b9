#!/usr/bin/env bash
# test-interface.sh: the .ui files are well formed, in their room's list of templates, translatable and named for assistive technology
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1/ui"
command -v xmllint >/dev/null || { echo 'xmllint is missing; tests/run installs it' >&2; exit 1; }
status=0

complain() {
  printf '%s\n' "$@" >&2
  status=1
}

# none MESSAGE FILE XPATH: nothing in the file matches
none() {
  local found
  found=$(xmllint --xpath "$3" "$2" 2>/dev/null || true)
  [ -z "$found" ] || complain "$2: $1:" "$found"
}

xmllint --noout memlane.gresource.xml.in || status=1
for file in */*.ui; do
  xmllint --noout --nonet "$file" || { status=1; continue; }
  grep -qF "'$file'" "${file%/*}/meson.build" || complain "$file is not in ui_templates of ${file%/*}/meson.build"
  grep -q 'SPDX-License-Identifier: MIT' "$file" || complain "$file does not say its licence"
  none 'the domain of its texts is not memlane' "$file" '/interface[not(@domain="memlane")]'
  # What GTK shows as text, in small letters, unless it is bound to something or a name.
  none 'a text that cannot be translated' "$file" \
    '//*[self::property or self::attribute or self::item]
       [contains("|label|title|subtitle|tooltip-text|placeholder-text|description|text|", concat("|", @name, "|"))]
       [not(@translatable="yes" or @translatable="true" or @translatable="1")][not(@bind-source)][not(*)]
       [translate(., "abcdefghijklmnopqrstuvwxyz", "") != .]
       [not(contains("|Memlane|LaTeX|Markdown|", concat("|", normalize-space(.), "|")))]'
  # One with an id may get its name in code; tests/ui asks those.
  none 'a button of nothing but an icon has no accessible label' "$file" \
    '//object[not(@id)][@class="GtkButton" or @class="GtkToggleButton" or @class="GtkMenuButton"][property[@name="icon-name"]]
       [not(accessibility/property[@name="label"]) and not(accessibility/relation[@name="labelled-by"])]
       [not(property[@name="label"])]/@*'
done
while read -r file; do
  [ -f "$file" ] || complain "a meson.build names $file, which is not there"
done < <(sed -nE "s|^ *'([^']+\.ui)',?$|\1|p" -- */meson.build)
while read -r file; do
  [ -f "$file" ] || complain "memlane.gresource.xml.in names $file, which is not there"
done < <(sed -nE 's|.*<file[^>]*>([^<]+)</file>.*|\1|p' memlane.gresource.xml.in)
exit $status
