#!/usr/bin/env bash
# test-release.sh: the version of meson.build is the newest of the changes and of the metainfo, of the same day, and stands nowhere else
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
version=$(sed -n "s/^ *version: '\([^']*\)',/\1/p" meson.build | head -n 1)
status=0
changes=$(sed -n 's/^## //p' data/doc/CHANGELOG.md | head -n 1)
release=$(sed -n 's/.*<release version="\([^"]*\)" date="\([^"]*\)".*/\1, \2/p' data/io.github.memlane.Memlane.metainfo.xml.in | head -n 1)
if [ "${changes%%,*}" != "$version" ] || [ "$changes" != "$release" ]; then
  echo "meson.build says $version, data/doc/CHANGELOG.md $changes, and the metainfo $release" >&2
  status=1
fi
# Programs, packages and pages get it from meson.build; what Debian may depend on is the version of the first library.
others=$(grep -rnF "$version" README.md CONTRIBUTING.md app engine ui kernels data/packaging data/doc data/man --include='*' \
  | grep -v -e '^data/doc/CHANGELOG.md' -e '^data/packaging/debian/libmemlane1.symbols' || true)
if [ -n "$others" ]; then
  printf 'the version stands here, too:\n%s\n' "$others" >&2
  status=1
fi
exit $status
