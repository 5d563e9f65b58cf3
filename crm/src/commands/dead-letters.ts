import { type DeadLetter, deadLetterApi, Refused } from '@crm/contract';
import type { Report } from '../command-line.ts';
import { printable, tableOf } from '../printable.ts';
import { askService } from '../system/ask-service.ts';
import { readsEventsOf, type ServiceName, serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import { oneOf, wholeNumber } from './option-values.ts';

export interface LetterFilter {
  readonly service?: string;
  readonly after?: string;
  readonly limit: string;
}

export interface Chosen {
  readonly all?: boolean;
  readonly service?: string;
}

/** The services that consume events. */
const consumers = serviceNames.filter((name) => readsEventsOf[name].length > 0);

/** Each of them stores the events that it could not handle, numbered separately. */
const part = { deadLetters: deadLetterApi };

interface Letter {
  readonly service: ServiceName;
  readonly id: number;
}

const nameOf = ({ service, id }: Letter): string => `${service}/${id}`;

export async function listLetters(
  env: NodeJS.ProcessEnv,
  { service, after, limit: given }: LetterFilter,
): Promise<Report> {
  const limit = wholeNumber('--limit', given, { min: 1, max: 9999 });
  if (after !== undefined && service === undefined)
    throw new Unable('Usage', '--after needs --service, because each service numbers its own dead letters.');
  const asked = { after: wholeNumber('--after', after ?? '0', { min: 0, max: 999_999_999 }), limit };
  const parts = await Promise.all(servicesIn(service).map((name) => lettersOf(env, name, asked)));
  const letters = parts
    .flat()
    .sort((one, other) => (one.died_at < other.died_at ? -1 : 1))
    .slice(0, limit);
  const rows = letters.map(({ letter, died_at, subject, failures, reason }) => [
    letter,
    died_at,
    subject,
    failures,
    reason,
  ]);
  const table = tableOf(['Letter', 'Died', 'Subject', 'Failures', 'Reason'], rows);
  return { json: { data: letters }, text: letters.length > 0 ? table : 'There are no dead letters.' };
}

export async function showLetter(env: NodeJS.ProcessEnv, named: string): Promise<Report> {
  const letter = letterIn(named);
  const found = await about(letter, () =>
    askService(env, letter.service, part, ({ deadLetters }) => deadLetters.get({ id: letter.id })),
  );
  const facts = { ...factsOf(letter.service, found), headers: found.headers, data: dataOf(found.data) };
  const lines = Object.entries(facts).map(
    ([name, value]) =>
      `${name.padEnd(10)} ${printable(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  return { json: facts, text: lines.join('\n') };
}

/**
 * Handles each of them again. Fails if one still could not be handled. With `--all`, those that somebody else handles or gives up
 * meanwhile are not reported.
 */
export async function redriveLetters(
  env: NodeJS.ProcessEnv,
  named: readonly string[],
  chosen: Chosen,
): Promise<Report> {
  const data: { letter: string; is_handled: boolean; reason: string | null }[] = [];
  for (const letter of await lettersIn(env, named, chosen)) {
    const outcome = await about(letter, () =>
      askService(env, letter.service, part, ({ deadLetters }) => deadLetters.redrive({ id: letter.id })),
    ).catch((error: unknown) => {
      if (chosen.all && error instanceof Unable && error.reason === 'NotFound') return undefined;
      throw error;
    });
    if (outcome) data.push({ letter: nameOf(letter), ...outcome });
  }
  const lines = data.map(({ letter, is_handled, reason }) =>
    is_handled ? `${letter} was handled.` : `${letter} failed again: ${printable(reason ?? '')}`,
  );
  const text = lines.length > 0 ? lines.join('\n') : 'There are no dead letters.';
  return { json: { data }, text, failed: data.some(({ is_handled }) => !is_handled) };
}

export async function discardLetters(env: NodeJS.ProcessEnv, named: readonly string[]): Promise<Report> {
  const letters = named.map(letterIn);
  for (const letter of letters)
    await about(letter, () =>
      askService(env, letter.service, part, ({ deadLetters }) => deadLetters.discard({ id: letter.id })),
    );
  const text = letters
    .map((letter) => `${nameOf(letter)} was discarded and will never be handled.`)
    .join('\n');
  return { json: { discarded: letters.map(nameOf) }, text };
}

async function lettersIn(
  env: NodeJS.ProcessEnv,
  named: readonly string[],
  { all, service }: Chosen,
): Promise<Letter[]> {
  if (!all && named.length === 0)
    throw new Unable('Usage', 'Name dead letters such as scheduling/3, or set --all.');
  if (!all) return named.map(letterIn);
  const parts = await Promise.all(servicesIn(service).map((name) => allLettersOf(env, name)));
  return parts.flat();
}

async function allLettersOf(env: NodeJS.ProcessEnv, service: ServiceName): Promise<Letter[]> {
  const limit = 10_000;
  const letters: Letter[] = [];
  for (let after = 0; ; after = letters.at(-1)?.id ?? after) {
    const page = await lettersOf(env, service, { after, limit });
    letters.push(...page.map(({ id }) => ({ service, id })));
    if (page.length < limit) return letters;
  }
}

async function lettersOf(
  env: NodeJS.ProcessEnv,
  service: ServiceName,
  asked: { readonly after: number; readonly limit: number },
) {
  const { data } = await askService(env, service, part, ({ deadLetters }) => deadLetters.find(asked));
  return data.map((letter) => factsOf(service, letter));
}

function factsOf(
  service: ServiceName,
  { id, died_at, subject, failures, reason, event_id, sent_at }: DeadLetter,
) {
  return { letter: nameOf({ service, id }), id, died_at, subject, failures, reason, event_id, sent_at };
}

/** A message may be a dead letter because it is not valid JSON. */
function dataOf(base64: string): unknown {
  const text = Buffer.from(base64, 'base64').toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function about<Answer>(letter: Letter, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof Refused) || error.name !== 'NotFound') throw error;
    throw new Unable('NotFound', `Dead letter ${nameOf(letter)} does not exist.`);
  }
}

function letterIn(text: string): Letter {
  const [, name, id] = /^([a-z-]+)\/(\d{1,9})$/.exec(text) ?? [];
  const service = consumers.find((one) => one === name);
  if (service) return { service, id: Number(id) };
  throw new Unable('Usage', `"${text}" must be the name of a dead letter, such as scheduling/3.`);
}

function servicesIn(named: string | undefined): readonly ServiceName[] {
  if (named === undefined) return consumers;
  return [oneOf('--service', named, consumers)];
}
