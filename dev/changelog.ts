/** CHANGELOG.md as far as a release needs it. */

const UNRELEASED = '## Unreleased';

/** A text that cannot be released as it is; the message says why. */
export class NothingToRelease extends Error {
  override readonly name = 'NothingToRelease';
}

/**
 * Puts what stands under "Unreleased" under the version and its day, and leaves "Unreleased" empty for what comes. The
 * notes are that part alone, for the tag. Throws NothingToRelease.
 */
export function released(
  changelog: string,
  version: string,
  /** YYYY-MM-DD. */
  day: string,
): { readonly changelog: string; readonly notes: string } {
  const at = changelog.indexOf(`\n${UNRELEASED}\n`);
  if (at < 0) throw new NothingToRelease(`CHANGELOG.md has no heading "${UNRELEASED}"`);
  if (new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm').test(changelog)) {
    throw new NothingToRelease(`CHANGELOG.md has ${version} already`);
  }
  const start = at + UNRELEASED.length + 2;
  const end = changelog.indexOf('\n## ', start);
  const notes = changelog.slice(start, end < 0 ? undefined : end).trim();
  if (notes === '') throw new NothingToRelease(`CHANGELOG.md says nothing under "${UNRELEASED}"`);
  const older = end < 0 ? '' : changelog.slice(end);
  return {
    changelog: `${changelog.slice(0, at)}\n${UNRELEASED}\n\n## ${version} (${day})\n\n${notes}\n${older}`,
    notes,
  };
}
