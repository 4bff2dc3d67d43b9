#!/usr/bin/env bash
# test-translated.sh: the desktop entry and the metainfo that are installed carry the catalogues' texts
# SPDX-License-Identifier: MIT
set -euo pipefail
status=0
for text in 'GenericName[zh_CN]=' 'Comment[zh_CN]=' 'Keywords[zh_CN]='; do
  grep -qF "$text" "$1" || { echo "$1 has no $text" >&2; status=1; }
done
xmllint --noout "$2"
# Each text once in English and at most once in Chinese, whose name is another one from gettext 0.23 on.
for place in 'summary' 'description/p' 'description/ul/li' 'screenshots/screenshot/caption' 'releases/release/description/p'; do
  sources=$(xmllint --xpath "count(/component/$place[not(@xml:lang)])" "$2")
  chinese=$(xmllint --xpath "count(/component/$place[@xml:lang='zh_CN' or @xml:lang='zh-Hans-CN'])" "$2")
  if [ "$sources" -eq 0 ] || [ "$chinese" -eq 0 ] || [ "$chinese" -gt "$sources" ]; then
    echo "$2: $place: $sources texts, $chinese in Chinese" >&2
    status=1
  fi
done
exit $status
