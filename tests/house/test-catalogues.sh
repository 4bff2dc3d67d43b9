#!/usr/bin/env bash
# test-catalogues.sh: the catalogues are sound, keep to the glossary, and no sentence is too long; a missing translation is a warning
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
  printf '%s\n' "$@" >&2
  status=1
}

data/po/update.sh --template "$work/memlane.pot"
[ "$(grep -c '^msgid ' "$work/memlane.pot")" -gt 100 ] || \
  complain 'hardly any texts were found; xgettext lacks the rules of GTK or appstream'
for po in data/po/*.po; do
  msgfmt --check --output-file=/dev/null "$po" || complain "$po: is not sound"
  # A text without a translation is shown in English; whoever changes a text need not know the other language.
  msgcmp "$po" "$work/memlane.pot" 2>"$work/awaited" || \
    echo "warning: $po: $(grep -c 'this message is used but not defined\|is untranslated' "$work/awaited") texts await a translation:" \
         "data/po/update.sh" >&2
done

# What a trace was recorded by is said in the person's language.
grep -rhoP 'source = g_strdup \("\K[^"]+' engine | sort -u | while read -r source; do
  grep -A1 '^msgctxt "source"$' data/po/zh_CN.po | grep -qxF "msgid \"$source\"" || echo "$source"
done >"$work/sources"
[ ! -s "$work/sources" ] || complain 'recorders that memlane_timeline_source() does not know:' "$(<"$work/sources")"

# One word for one thing: what the glossary replaced does not come back, here or in the experiments. The right one is in brackets.
forbidden='拷贝|写结合|可共享|托管内存|总线|中转|锁页|收支平衡|跟踪记录|单元|内存方式'
{
  msgcat --no-wrap data/po/zh_CN.po | grep -E '^msgstr' | sed 's|^|zh_CN.po: |'
  grep -E '\[zh_CN\]=' data/experiments/*.experiment data/lessons/*.lesson
} | sed 's/页锁定//g; s/零拷贝//g' | grep -E "$forbidden" >&2 &&
  complain 'words beside the glossary:' \
           '复制 写合并 可移植 统一内存 链路 暂存 页锁定 盈亏平衡 轨迹 测量点 内存模式'

# A sentence that takes two readings is too long, in the sources and in the experiments.
{
  msgcat --no-wrap "$work/memlane.pot" | sed -n 's/^msgid "\(.*\)"$/\1/p'
  sed -nE 's/^(title|question|claim|explanation|since|answer|notes|fault|cure)[a-z-]*=//p' data/experiments/*.experiment \
    data/lessons/*.lesson
} | sed 's/\\n/\n/g; s/[.:!?] /&\n/g' | awk 'NF > 25' >"$work/long"
[ ! -s "$work/long" ] || complain 'sentences of more than 25 words:' "$(<"$work/long")"
exit $status
