import { expect } from 'vitest';
import type { Person, StartedSystem } from './test-system.ts';

export const first = (system: StartedSystem): Person =>
  system.people[0] ?? expect.fail('There are no demo users.');

export async function get(system: StartedSystem, token: string, path: string) {
  const response = await fetch(system.gateway + path, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as { total: number; data: { id: number; email: string; name: string }[] };
}

export function addContact(system: StartedSystem, email: string): Promise<Response> {
  return fetch(`${system.gateway}/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first(system).token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
}
