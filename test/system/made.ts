import { expect } from 'vitest';
import type { Person, System } from '../system.ts';
import type { Answer, Json } from './api.ts';

export type Made = Json & { readonly id: number };

/** The body of a response, which must be a success. */
export async function ok(answering: Promise<Answer>): Promise<Made> {
  const { status, body } = await answering;
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body as Made;
}

/** Creates a record, and returns it. */
export const made = ({ api }: Pick<Person, 'api'>, path: string, draft: Json): Promise<Made> =>
  ok(api.post(path, draft));

/** Adds users to a team, who accept their invitations. Returns their ids as members. */
export async function join(
  { operator }: Pick<System, 'operator'>,
  team_id: number,
  ...users: readonly Person[]
): Promise<number[]> {
  const members: number[] = [];
  for (const { id: user_id, api } of users) {
    const { id } = await operator.teamMembers.invite({ team_id, user_id });
    await ok(api.patch(`/team-members/${id}`, { request_status: 'Accepted' }));
    members.push(id);
  }
  return members;
}
