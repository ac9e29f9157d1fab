#!/bin/sh
# Lifecycle scripts of `npm version`: `check` runs before anything changes, `write` before the commit.
set -eu

fail() {
  echo "no release: $1" >&2
  exit 1
}

case $1 in
  check)
    # npm would find an existing tag only after it has committed.
    ! git rev-parse --quiet --verify "refs/tags/v$npm_new_version" >/dev/null || fail "the tag v$npm_new_version exists"
    awk '/^## / { unreleased = ($0 == "## Unreleased"); next } unreleased && NF { news = 1 } END { exit !news }' \
      CHANGELOG.md || fail 'CHANGELOG.md has nothing under "Unreleased"'
    ;;
  write)
    awk -v heading="## $npm_package_version ($(date -u +%F))" \
      '{ print } $0 == "## Unreleased" { print "\n" heading }' CHANGELOG.md >CHANGELOG.md.new
    mv CHANGELOG.md.new CHANGELOG.md
    sed "s/newTag: .*/newTag: $npm_package_version/" deploy/kubernetes/kustomization.yaml >kustomization.new
    mv kustomization.new deploy/kubernetes/kustomization.yaml
    # The packages have the version of the service that they are for.
    node -e '
      const { readFileSync, writeFileSync } = require("node:fs");
      const change = (file, edit) => {
        const content = JSON.parse(readFileSync(file, "utf8"));
        edit(content);
        writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
      };
      const [, version, ...folders] = process.argv;
      for (const folder of folders) change(`${folder}/package.json`, (manifest) => (manifest.version = version));
      change("package-lock.json", ({ packages }) => (packages["packages/client"].version = version));
      for (const folder of folders.slice(1)) {
        change(`${folder}/package-lock.json`, (lock) => (lock.version = lock.packages[""].version = version));
      }
    ' "$npm_package_version" packages/client packages/n8n-nodes-quoting packages/zapier
    git add CHANGELOG.md deploy/kubernetes/kustomization.yaml package-lock.json packages/*/package.json packages/*/package-lock.json
    ;;
esac
