import { type DeadLetter, listDeadLetters, redriveDeadLetter, showDeadLetter } from '@crm/messaging';
import type { Report } from '../command-line.ts';
import { printable, tableOf } from '../printable.ts';
import { natsUrlOf } from '../system/find-system.ts';
import { Unable } from '../system/unable.ts';
import { withBroker } from '../system/with-broker.ts';

export interface LetterFilter {
  readonly service?: string;
  readonly after?: string;
  readonly limit?: string;
}

export async function listLetters(
  env: NodeJS.ProcessEnv,
  { service, after, limit }: LetterFilter,
): Promise<Report> {
  const letters = await withBroker(natsUrlOf(env), (broker) =>
    listDeadLetters(broker, {
      ...(service !== undefined && { service }),
      ...(after !== undefined && { after: numberIn('--after', after) }),
      ...(limit !== undefined && { limit: numberIn('--limit', limit) }),
    }),
  );
  const rows = letters.map(({ seq, diedAt, consumer, subject, deliveries, reason }) => [
    seq,
    diedAt.toISOString(),
    consumer,
    subject,
    deliveries,
    reason,
  ]);
  const table = tableOf(['Number', 'Died', 'Consumer', 'Subject', 'Tries', 'Reason'], rows);
  const text = letters.length > 0 ? table : 'There are no dead letters.';
  return { json: { data: letters.map(factsOf) }, text };
}

export async function showLetter(env: NodeJS.ProcessEnv, number: string): Promise<Report> {
  const seq = numberIn('<number>', number);
  const letter = await withBroker(natsUrlOf(env), (broker) => showDeadLetter(broker, seq));
  if (!letter) throw unknownLetter(seq);
  const facts = { ...factsOf(letter), headers: letter.headers, data: dataOf(letter) };
  const lines = Object.entries(facts).map(
    ([name, value]) =>
      `${name.padEnd(10)} ${printable(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return { json: facts, text: lines.join('\n') };
}

export async function redriveLetter(env: NodeJS.ProcessEnv, number: string): Promise<Report> {
  const seq = numberIn('<number>', number);
  await withBroker(natsUrlOf(env), async (broker) => {
    if (!(await showDeadLetter(broker, seq))) throw unknownLetter(seq);
    await redriveDeadLetter(broker, seq);
  });
  return { json: { redriven: seq }, text: `Dead letter ${seq} is redelivered to the consumer that failed.` };
}

function factsOf({ seq, diedAt, consumer, subject, deliveries, reason }: DeadLetter) {
  return { number: seq, died_at: diedAt.toISOString(), consumer, subject, deliveries, reason };
}

/** A message may be dead because it is not valid JSON. */
function dataOf({ data }: DeadLetter): unknown {
  const text = new TextDecoder().decode(data);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function unknownLetter(seq: number): Unable {
  return new Unable('NotFound', `Dead letter ${seq} does not exist.`);
}

function numberIn(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Unable('Usage', `${name} is "${text}" but must be a whole number.`);
}
