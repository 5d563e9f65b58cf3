import type { BreakingChange } from './breaking-change.ts';
import type { Comparison } from './compare-versions.ts';

/** The result of a comparison, for people. */
export function reportOf({ undeclared, declared, added }: Comparison): string {
  const parts = [
    ...(added.length > 0 ? [`New, with nothing to compare with: ${added.join(', ')}.\n`] : []),
    ...(declared.length > 0
      ? [`${countOf(declared)} listed in CHANGELOG.md:\n\n${declared.map(described).join('\n')}`]
      : []),
    ...(undeclared.length > 0 ? [demandOf(undeclared)] : []),
  ];
  if (declared.length + undeclared.length === 0) parts.push('No breaking change.\n');
  return parts.join('\n');
}

function demandOf(changes: readonly BreakingChange[]): string {
  return `${countOf(changes)} not listed in CHANGELOG.md:

${changes.map(described).join('\n')}
Keep the old behavior, or describe in CHANGELOG.md, under "## [Unreleased]" and "### Breaking changes", what others have
to do, with these ids in backticks.
`;
}

const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 breaking change is' : `${length} breaking changes are`;

const maxListed = 4;

function described({ id, sentence, reaches }: BreakingChange): string {
  const rest = reaches.length > maxListed ? ` and ${reaches.length - maxListed} more` : '';
  const where = reaches.length > 0 ? ` (${reaches.slice(0, maxListed).join(', ')}${rest})` : '';
  return `  \`${id}\`\n    ${sentence}${where}\n`;
}
