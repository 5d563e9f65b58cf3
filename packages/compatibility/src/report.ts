import type { BreakingChange } from './breaking-change.ts';
import type { Comparison } from './compare-versions.ts';

/** What is said of a comparison, for people. */
export function reportOf({ undeclared, declared, added }: Comparison): string {
  const parts = [
    ...(added.length > 0 ? [`There was no ${added.join(', ')} to compare with.\n`] : []),
    ...(declared.length > 0
      ? [`${countOf(declared)} named in CHANGELOG.md:\n\n${declared.map(described).join('\n')}`]
      : []),
    ...(undeclared.length > 0 ? [demandOf(undeclared)] : []),
  ];
  if (declared.length + undeclared.length === 0) parts.push('No breaking change.\n');
  return parts.join('\n');
}

function demandOf(changes: readonly BreakingChange[]): string {
  return `${countOf(changes)} not named in CHANGELOG.md:

${changes.map(described).join('\n')}
Keep what others rely on, or say in CHANGELOG.md, under "## [Unreleased]" and "### Breaking changes", what they have
to do, with these names in backticks.
`;
}

const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 breaking change is' : `${length} breaking changes are`;

const most = 4;

function described({ id, sentence, reaches }: BreakingChange): string {
  const rest = reaches.length > most ? ` and ${reaches.length - most} more` : '';
  const where = reaches.length > 0 ? ` (${reaches.slice(0, most).join(', ')}${rest})` : '';
  return `  \`${id}\`\n    ${sentence}${where}\n`;
}
