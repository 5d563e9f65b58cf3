import { expect } from 'vitest';
import type { Method } from '../system/api.ts';
import type { Person } from '../system.ts';

interface Block {
  readonly language: string;
  /** Of a response. */
  readonly status: number;
  readonly text: string;
}

const codeIn = (guide: string): Block[] =>
  [...guide.matchAll(/^```(\w+) ?(\d*)\n([\s\S]*?)^```$/gm)].map(([, language = '', status, text = '']) => ({
    language,
    status: Number(status),
    text,
  }));

/** The scripts of a guide, which start from an address and a token. */
export const scriptsIn = (guide: string) =>
  codeIn(guide).flatMap(({ language, text }) => (language === 'sh' ? [text] : []));

/**
 * Sends the requests of a guide one after the other, and compares the responses with those it shows. Ids differ: a number
 * from 4000 to 4999 stands for the one that was received in its place.
 */
export async function follow(guide: string, { api }: Person): Promise<number> {
  const ids = new Map<string, unknown>();
  const blocks = codeIn(guide).filter(({ language }) => language !== 'sh');
  let sent = 0;
  for (const [at, { language, text }] of blocks.entries()) {
    if (language !== 'http') continue;
    const { method, path, headers, body } = requestIn(
      text.replaceAll(/\b4\d{3}\b/g, (id) => String(ids.get(id))),
    );
    // So that it shows no field or parameter that does not exist.
    const answer = await api.send(method, path, body, { prefer: 'handling=strict', ...headers });
    const shown = blocks[at + 1];
    sent += 1;
    const where = `${text}${JSON.stringify(answer.body)}`;
    if (shown?.language !== 'json') {
      expect(answer.status, where).toBe(200);
      continue;
    }
    expect(answer.status, where).toBe(shown.status);
    expect(answer.body, where).toMatchObject(expected(JSON.parse(shown.text), answer.body, ids) as object);
  }
  return sent;
}

function requestIn(text: string) {
  const [head = '', body] = text.split('\n\n');
  const [line = '', ...rest] = head.trim().split('\n');
  const [method, path = ''] = line.split(' ');
  const headers = Object.fromEntries(
    rest.map((header) => {
      const [name = '', value = ''] = header.split(': ');
      return [name.toLowerCase(), value];
    }),
  );
  const isJson = headers['content-type'] === undefined;
  return { method: method as Method, path, headers, body: body && (isJson ? JSON.parse(body) : body) };
}

/** What a guide shows, with the ids that were received and with whatever stands in the place of "…". */
function expected(shown: unknown, received: unknown, ids: Map<string, unknown>): unknown {
  if (shown === '…') return expect.any(String);
  if (Array.isArray(shown)) return shown.map((one, at) => expected(one, (received as unknown[])[at], ids));
  if (typeof shown === 'object' && shown !== null) {
    const fields = (received ?? {}) as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      Object.entries(shown).map(([name, value]) => [name, expected(value, fields[name], ids)]),
    );
  }
  if (typeof shown !== 'number' || shown < 4000 || shown > 4999) return shown;
  if (!ids.has(String(shown))) ids.set(String(shown), received);
  return ids.get(String(shown)) ?? expect.any(Number);
}
