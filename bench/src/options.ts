import { parseArgs } from 'node:util';
import { type CaseName, caseNames } from './cases.ts';
import { type Shape, shapes } from './shape.ts';

export const peerNames = ['fastify-pg', 'feathers', 'nest-typeorm'] as const;
export type PeerName = (typeof peerNames)[number];

export interface Options {
  readonly contacts: number;
  readonly cases: readonly CaseName[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly shape: Shape;
  readonly peers: readonly PeerName[];
  /** A data folder that outlives the run and is reused by the next. */
  readonly keep: string | undefined;
  readonly checkOnly: boolean;
}

/** An option that cannot be used, with what to write instead. */
export class UsageError extends Error {}

const text = { type: 'string' } as const;
const flags = {
  contacts: { ...text, default: '100000' },
  cases: { ...text, default: caseNames.join(',') },
  connections: { ...text, default: '1,32' },
  rounds: { ...text, default: '3' },
  seconds: { ...text, default: '5' },
  shape: { ...text, default: 'one' },
  peers: { ...text, default: peerNames.join(',') },
  keep: text,
  'check-only': { type: 'boolean', default: false },
} as const;

export function readOptions(args: readonly string[]): Options {
  const values = parsed(args);
  return {
    contacts: count('contacts', values.contacts, 1_000, 100_000_000),
    cases: listed(values.cases).map((name) => oneOf('cases', name, caseNames)),
    connections: listed(values.connections).map((value) => count('connections', value, 1, 1_000)),
    rounds: count('rounds', values.rounds, 1, 100),
    seconds: count('seconds', values.seconds, 1, 600),
    shape: oneOf('shape', values.shape, shapes),
    peers: listed(values.peers).map((name) => oneOf('peers', name, peerNames)),
    keep: values.keep,
    checkOnly: values['check-only'],
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const listed = (value: string): string[] => [...new Set(value.split(',').filter(Boolean))];

function count(option: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new UsageError(`--${option} must be a whole number from ${least} to ${most}, not "${value}".`);
}

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} does not know "${value}". Known: ${names.join(', ')}.`);
}
