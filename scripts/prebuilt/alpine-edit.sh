#!/bin/sh
# Installs the packed packages, which are in /tarballs, and edits a file with them: in a container of
# Alpine, whose C library is musl. It has no compiler, so the prebuilt file is what is loaded.
set -eu
mkdir /program
cd /program
npm install --ignore-scripts --no-audit --no-fund /tarballs/*.tgz
printf 'a draft\n' > notes.md
node_modules/.bin/fe edit notes.md --old-string draft --new-string final
test "$(cat notes.md)" = 'a final'
