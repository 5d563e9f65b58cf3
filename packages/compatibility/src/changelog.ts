const heading = /^##\s+(.*)$/;
const breaking = /^###\s+Breaking changes\s*$/;

/**
 * The breaking changes that a changelog lists: the ids in backticks under "### Breaking changes", in
 * "Unreleased" and in each release that the old changelog does not have.
 */
export function acknowledgedIn(changelog: string, before: string): ReadonlySet<string> {
  const known = new Set(sectionsOf(before).map(({ title }) => title));
  const fresh = sectionsOf(changelog).filter(({ title }) => isUnreleased(title) || !known.has(title));
  return new Set(fresh.flatMap(({ breaks }) => namesIn(breaks)));
}

const isUnreleased = (title: string) => /^\[?unreleased\]?$/i.test(title);

interface Section {
  readonly title: string;
  readonly breaks: string;
}

function sectionsOf(changelog: string): Section[] {
  return changelog.split(/^(?=## )/m).flatMap((section) => {
    const [first = '', ...lines] = section.split('\n');
    const title = heading.exec(first)?.[1]?.trim();
    if (title === undefined) return [];
    const start = lines.findIndex((line) => breaking.test(line));
    if (start === -1) return [{ title, breaks: '' }];
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => line.startsWith('#'));
    return [{ title, breaks: rest.slice(0, end === -1 ? undefined : end).join('\n') }];
  });
}

/** A line break may be within an id. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map((match) => (match[1] ?? '').replaceAll(/\s+/g, ' ').trim());
