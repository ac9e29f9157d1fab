/** Versions as headings, with the entries that begin with "API:"; those without any are omitted. */
export function apiChanges(changelog: string): string {
  const [, ...versions] = changelog.split(/^## /m);
  return versions
    .map((version) => {
      const [heading = '', ...entries] = version.split(/\n(?:\n?(?=- )|\n)/);
      const ofApi = entries.filter((entry) => entry.startsWith('- API: '));
      return { heading, entries: ofApi.map((entry) => sentence(entry.trim())) };
    })
    .filter(({ entries }) => entries.length > 0)
    .map(({ heading, entries }) => `## ${heading}\n\n${entries.join('\n')}`)
    .join('\n\n');
}

/** The entry without its mark; links are relative to the guide. */
const sentence = (entry: string): string =>
  entry.replace('- API: ', '- ').replaceAll('](docs/guides/', '](').replaceAll('](docs/', '](../');
