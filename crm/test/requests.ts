import { expect } from 'vitest';
import type { Person, StartedSystem } from './test-system.ts';

export const first = (system: StartedSystem): Person =>
  system.people[0] ?? expect.fail('There are no demo users.');

export async function get(system: StartedSystem, token: string, path: string) {
  const response = await fetch(system.gateway + path, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as { total: number; data: { id: number; email: string; name: string }[] };
}

/** Adds records through the REST API, on behalf of the first user. */
export function makerIn(system: StartedSystem) {
  const { token } = first(system);
  return async (path: string, body: object): Promise<{ readonly id: number }> => {
    const response = await fetch(system.gateway + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status, path).toBeLessThan(300);
    return (await response.json()) as { readonly id: number };
  };
}

/** A campaign that sends an e-mail after each of some delays. */
export async function campaignIn(
  make: ReturnType<typeof makerIn>,
  delays: readonly number[],
): Promise<number> {
  const { id: template_folder_id } = await make('/template-folders', { name: 'Drip' });
  const template = { template_folder_id, template_type: 'Email', description: 'Hello', subject: 'Hello' };
  const { id: template_metadata_id } = await make('/templates', { ...template, body: 'Hello' });
  const { id } = await make('/campaigns', { name: 'Drip' });
  for (const delay_by_seconds of delays)
    await make(`/campaigns/${id}/actions`, {
      type: 'Email Contact',
      timing_type: 'Delay by Minutes',
      delay_by_seconds,
      template_metadata_id,
    });
  return id;
}

export function addContact(system: StartedSystem, email: string): Promise<Response> {
  return fetch(`${system.gateway}/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first(system).token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
}
