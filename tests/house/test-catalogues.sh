#!/usr/bin/env bash
# test-catalogues.sh: every text that is seen is listed for translation, and every catalogue is complete, sound and about these texts
# SPDX-License-Identifier: MIT
#
# xgettext reads the sources anew each time, so that neither a text that was added nor one that was changed or dropped goes unnoticed.
# `data/po/update.sh` renews the lists; the translating remains to be done.
set -euo pipefail
cd "$1"
status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
  printf '%s\n' "$@" >&2
  status=1
}

data/po/update.sh --list >"$work/potfiles"
diff -u data/po/POTFILES "$work/potfiles" >&2 || complain 'data/po/POTFILES does not name the files that hold texts: data/po/update.sh'

data/po/update.sh --template "$work/memlane.pot"
[ "$(grep -c '^msgid ' "$work/memlane.pot")" -gt 100 ] || \
  complain 'hardly any texts were found; xgettext lacks the rules of GTK or appstream'
for language in $(<data/po/LINGUAS); do
  po=data/po/$language.po
  statistics=$(msgfmt --check --statistics --output-file=/dev/null "$po" 2>&1) || complain "$po: $statistics"
  case $statistics in
    *untranslated* | *fuzzy* | *warning*) complain "$po: $statistics" ;;
  esac
  # Both ways: each text of the sources is in the catalogue, and each text of the catalogue in the sources.
  msgcmp "$po" "$work/memlane.pot" || complain "$po lacks texts of the sources: data/po/update.sh, then translate"
  msgcmp --use-untranslated "$work/memlane.pot" <(msgattrib --no-obsolete "$po") ||
    complain "$po has texts that are gone: data/po/update.sh"
done

# One word for one thing: what the glossary replaced does not come back, here or in the experiments. The right one is in brackets.
forbidden='拷贝|写结合|可共享|托管内存|总线|中转|锁页|收支平衡|跟踪记录|单元|内存方式'
{
  for language in $(<data/po/LINGUAS); do
    [ "${language%%_*}" != zh ] || msgcat --no-wrap "data/po/$language.po" | grep -E '^msgstr' | sed "s|^|$language.po: |"
  done
  grep -E '\[zh_CN\]=' data/experiments/*.experiment
} | sed 's/页锁定//g; s/零拷贝//g' | grep -E "$forbidden" >&2 &&
  complain 'words beside the glossary:' \
           '复制 写合并 可移植 统一内存 链路 暂存 页锁定 盈亏平衡 轨迹 测量点 内存模式'

# A sentence that takes two readings is too long. The catalogue's own texts are the sources'; the experiments have theirs.
{
  msgcat --no-wrap data/po/en.po | sed -n 's/^msgid "\(.*\)"$/\1/p'
  sed -nE 's/^(title|question|claim|explanation|since|answer|fault|cure)[a-z-]*=//p' data/experiments/*.experiment
} | sed 's/\\n/\n/g; s/[.:!?] /&\n/g' | awk 'NF > 25' >"$work/long"
[ ! -s "$work/long" ] || complain 'sentences of more than 25 words:' "$(<"$work/long")"
exit $status
