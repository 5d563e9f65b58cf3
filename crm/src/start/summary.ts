import { join } from 'node:path';
import type { DemoPerson } from '../demo/demo-file.ts';
import { printable, tableOf } from '../printable.ts';
import type { Addresses } from './shape.ts';

interface Summary extends Addresses {
  readonly folder: string;
  readonly people: readonly DemoPerson[];
  readonly unusedProviders: readonly string[];
}

/** The URLs, and how to try the system with the demo users. */
export function summaryOf({ gateway, services, messages, folder, people, unusedProviders }: Summary): string {
  const addresses = [
    ['API', gateway],
    ['Reference', `${gateway}/docs`],
    ...Object.entries(services).map(([name, url]) => [name, `${url}/trpc`]),
    ...(messages === undefined ? [] : [['Messages', messages]]),
    ['Logs', join(folder, 'logs')],
  ];
  const lines = addresses.map(([name = '', value]) => `  ${name.padEnd(20)} ${printable(value)}`);
  return [
    '',
    'The system is running.',
    '',
    ...lines,
    ...keptHere(unusedProviders).flatMap((line) => ['', line]),
    ...demoLines(gateway, folder, people),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

/** A sentence, if providers are named that LOCAL_CARRIERS overrides. */
export const keptHere = (unused: readonly string[]): string[] =>
  unused.length === 0
    ? []
    : [`LOCAL_CARRIERS is on, so all messages stay on this machine. It overrides ${unused.join(', ')}.`];

function demoLines(gateway: string, folder: string, people: readonly DemoPerson[]): string[] {
  const [first] = people;
  if (!first) return [];
  const rows = people.map(({ first_name, last_name, role, email, token }) => [
    `  ${first_name} ${last_name}`,
    role,
    email,
    token,
  ]);
  return [
    '',
    `Demo users (passwords in ${join(folder, 'demo.json')}):`,
    '',
    tableOf(['  Name', 'Role', 'E-mail', 'Access token'], rows),
    '',
    'Try it:',
    '',
    `  curl '${gateway}/contacts?$limit=3' -H 'Authorization: Bearer ${first.token}'`,
  ];
}
