#!/usr/bin/env bash
# Makes echarts.min.js: the parts of Apache ECharts that entry.js names, in one file, and the licences of what is in it beside it.
# Needs node with npm, and the network; the program itself needs neither. With --check nothing is written: the exit code tells whether the
# files are what this script makes (1: they are not; 75: that cannot be told here, npm is missing or cannot install).
set -euo pipefail

echarts=6.1.0
esbuild=0.28.2

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v npm >/dev/null || { echo "npm is not installed" >&2; exit 75; }
cd "$work"
mkdir out
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund --no-package-lock --save-exact "echarts@$echarts" "esbuild@$esbuild" >&2 || { echo "npm could not install echarts $echarts and esbuild $esbuild" >&2; exit 75; }

cp "$here/entry.js" entry.js
version() { node -p "require('./node_modules/$1/package.json').version"; }
node_modules/.bin/esbuild entry.js --bundle --minify --format=iife --target=es2020 --charset=ascii --legal-comments=none --log-level=warning \
  --define:process.env.NODE_ENV='"production"' --define:__DEV__=false --outfile=out/echarts.min.js \
  --banner:js="/*! Apache ECharts $(version echarts), zrender $(version zrender), tslib $(version tslib): only some parts of each. Licences: echarts/LICENSES in the source of this program. */"

{
  printf 'The licences of what echarts.min.js is made of.\n'
  for part in echarts/NOTICE echarts/LICENSE echarts/licenses/LICENSE-d3 zrender/LICENSE tslib/LICENSE.txt; do
    printf '\n======== %s, version %s: %s ========\n\n' "${part%%/*}" "$(version "${part%%/*}")" "${part#*/}"
    tr -d '\r' < "node_modules/$part" | sed -e 's/[[:space:]]*$//'
    printf '\n'
  done
} > out/LICENSES

if [ "${1:-}" = --check ]; then
  for file in echarts.min.js LICENSES; do
    cmp "out/$file" "$here/$file" >&2 || { echo "$file is not what build.sh makes: run it, and look at what changed" >&2; exit 1; }
  done
  exit 0
fi
cp out/* "$here/"
wc -c "$here/echarts.min.js" >&2
