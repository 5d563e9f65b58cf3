export interface StepFigures {
  readonly step: string;
  readonly requests: number;
  /** Of which the first attempt had no answer, or a 5xx. */
  readonly failed: number;
  /** Attempts after the first, also after a 409 for one that is still in progress. */
  readonly repeated: number;
  /** Writes that are lost, exist twice or are not shown, and answers that no client may get. */
  readonly wrong: number;
  /** How long a client has waited for an answer, at most. */
  readonly longestMs: number;
}

/** What is known only in the end. */
interface EndFigures {
  readonly stories: number;
  readonly messages: number;
  readonly records: number;
  readonly reads: number;
  /** Events and messages that are lost, came twice or too late. */
  readonly wrong: number;
}

const columns = ['Step', 'Requests', 'Failed', 'Repeated', 'Lost or doubled', 'Longest wait'];

/** A table in Markdown, with what was compared below it. */
export function printed(steps: readonly StepFigures[], end: EndFigures): string {
  const rows = steps.map(({ step, requests, failed, repeated, wrong, longestMs }) =>
    [step, requests, failed, repeated, wrong, `${(longestMs / 1_000).toFixed(1)} s`].map(String),
  );
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...rows.map((cells) => cells[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  const { stories, messages, records, reads, wrong } = end;
  return [
    line(columns),
    rule,
    ...rows.map(line),
    '',
    `${records} records and ${reads} reads after writes, ${stories} contacts with ${messages} messages: ` +
      `${wrong} events or messages lost, doubled or too late`,
    '',
  ].join('\n');
}
