import { join } from 'node:path';
import type { DemoPerson } from '../demo/demo-file.ts';
import { printable, tableOf } from '../printable.ts';
import type { Addresses } from './shape.ts';

interface Summary extends Addresses {
  readonly folder: string;
  readonly people: readonly DemoPerson[];
}

/** The URLs, and how to try the system with the demo users. */
export function summaryOf({ gateway, services, messages, folder, people }: Summary): string {
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
    ...demoLines(gateway, folder, people),
    '',
    'Press Ctrl-C to stop.',
  ].join('\n');
}

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
