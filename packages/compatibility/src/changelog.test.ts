import { describe, expect, it } from 'vitest';
import { acknowledgedIn } from './changelog.ts';

const released = `# Changelog

## [1.0.0] - 2026-01-01

### Breaking changes

- Long known. \`openapi A: response field a removed\`
`;

const changelog = `# Changelog

## [Unreleased]

### Added

- Something. \`openapi not: a break\`

### Breaking changes

- Clients that read b read c instead: \`openapi B: response field b removed\` and \`openapi C:
  request field "c" removed\`.
- Another. \`asyncapi crm.d: event removed\`

### Fixed

- \`openapi nor: this\`

${released.replace('# Changelog\n\n', '')}`;

const named = [
  'openapi B: response field b removed',
  'openapi C: request field "c" removed',
  'asyncapi crm.d: event removed',
];

describe('the changelog', () => {
  it('lists breaking changes under their heading, unreleased', () => {
    expect([...acknowledgedIn(changelog, released)]).toEqual(named);
  });

  it('still lists them when the release is made in the same change', () => {
    const both = changelog.replace('[Unreleased]', '[2.0.0] - 2026-02-01');
    expect([...acknowledgedIn(both, released)]).toEqual(named);
  });

  it('does not count entries of a release that already existed', () => {
    expect([...acknowledgedIn(released, released)]).toEqual([]);
  });

  it('lists nothing without that heading', () => {
    expect([...acknowledgedIn('', '')]).toEqual([]);
    expect([...acknowledgedIn('## Unreleased\n\n- `openapi B: response field b removed`\n', '')]).toEqual([]);
  });
});
