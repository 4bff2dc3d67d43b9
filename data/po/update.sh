#!/usr/bin/env bash
# update.sh: renews POTFILES and merges the sources' texts into the catalogues; with --list or --template FILE only shows what it found
# SPDX-License-Identifier: MIT
#
#   data/po/update.sh                   POTFILES and the catalogues, where new texts then await a translator
#   data/po/update.sh --list            the files that hold texts, as POTFILES should name them
#   data/po/update.sh --template FILE   the texts of the sources, as they are now
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

list() {
  cat <<'HEAD'
# Every file with a text that is seen; data/po/update.sh writes this list, tests/house/test-catalogues.sh compares it.
data/io.github.memlane.Memlane.desktop.in
data/io.github.memlane.Memlane.gschema.xml
data/io.github.memlane.Memlane.metainfo.xml.in
HEAD
  # grep fails where it finds nothing, and that is no failure here.
  { grep -rlE --include='*.[ch]' '(^|[^[:alnum:]_])(_|N_|C_|NC_|ngettext|g_dngettext|g_dpgettext2) ?\(' app engine ui || true
    grep -rlE --include='*.ui' 'translatable="(yes|true|1)"' ui || true; } | grep -v '^engine/base/i18n.h$' | sort
}

# The keywords are those of meson's preset "glib", with which `ninja memlane-pot` would do the same.
template() {
  list | grep -v '^#' | xgettext --files-from=- --output="$1" --from-code=UTF-8 --add-comments=Translators: --sort-by-file \
    --package-name=memlane --copyright-holder='The Memlane project' \
    --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 --keyword=g_dcgettext:2 --keyword=g_dngettext:2,3 \
    --keyword=g_dpgettext2:2c,3 --flag=N_:1:pass-c-format --flag=C_:2:pass-c-format --flag=NC_:2:pass-c-format \
    --flag=g_dngettext:2:pass-c-format --flag=g_strdup_printf:1:c-format --flag=g_string_printf:2:c-format \
    --flag=g_string_append_printf:2:c-format --flag=g_error_new:3:c-format --flag=g_set_error:4:c-format
  # "95 % interval" is no format, though printf would take "% i" for one.
  awk 'BEGIN { RS = ""; ORS = "\n\n" }
       { rest = $0; gsub (/"\n"/, "", rest) # a text may be wrapped before its "%"
         gsub (/[0-9] % /, "", rest)
         sub (/^.*msgid /, "", rest) # what is left of the texts themselves
         if (rest !~ /%/) sub (/#, c-format\n/, "")
         print }' \
    "$1" >"$1.new"
  mv "$1.new" "$1"
}

case ${1-} in
  --list) list ;;
  --template) template "$2" ;;
  '')
    list >data/po/POTFILES
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    template "$work/memlane.pot"
    sed -i -e '1,/^msgid ""$/{/^#/d}' -e '/^"POT-Creation-Date: /d' -e 's/CHARSET/UTF-8/' "$work/memlane.pot"
    for po in data/po/*.po; do
      msgmerge --quiet --no-fuzzy-matching --add-location=file --sort-by-file "$po" "$work/memlane.pot" |
        msgattrib --no-obsolete >"$work/po"
      cat "$work/po" >"$po"
      msgfmt --check --statistics --output-file=/dev/null "$po"
    done
    ;;
  *) echo "usage: data/po/update.sh [--list | --template FILE]" >&2; exit 1 ;;
esac
