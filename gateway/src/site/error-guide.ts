import { type ErrorCode, type RefusalName, statuses } from '@crm/contract';
import { errorCodes } from '../error-docs.ts';

const introduction = `# Error codes

Every error has a \`reason\`, which never changes, and \`docs\`, the address of its entry on this page. See
[errors](errors.md) for its other fields. Each invalid field has its own reason in \`details\`, with \`valid_options\` if
there are only a few, and \`did_you_mean\` if one of them is close to what was sent.
`;

/** The guide about error codes, generated from the contracts. */
export function errorGuide(): string {
  const byName = Map.groupBy(errorCodes, ({ refusal }) => refusal);
  const names = (Object.keys(statuses) as RefusalName[]).filter((name) => byName.has(name));
  const sections = names.map((name) =>
    [`## ${statuses[name]} ${name}\n`, ...(byName.get(name) ?? []).map(entryOf)].join('\n'),
  );
  return [introduction, ...sections].join('\n');
}

function entryOf(code: ErrorCode): string {
  const { reason, message, when, fix, given } = code;
  return [
    `### ${reason}\n`,
    ...(message ? [`> ${message}\n`] : []),
    `${when}\n`,
    `**Fix:** ${fix}\n`,
    given ? `An example, when ${given}:\n` : 'An example:\n',
    exampleOf(code),
  ].join('\n');
}

/** The test of the guides runs the requests that anybody can send, and compares the responses with those shown. */
function exampleOf({ reason, refusal, example, given }: ErrorCode): string {
  if (given) return `\`\`\`text\n${example}\n\`\`\`\n`;
  const shown = JSON.stringify({ name: refusal, code: statuses[refusal], reason, message: '…' }, null, 1);
  const response = shown.replaceAll(/\n\s*/g, ' ');
  return `\`\`\`http\n${example}\n\`\`\`\n\n\`\`\`json ${statuses[refusal]}\n${response}\n\`\`\`\n`;
}
