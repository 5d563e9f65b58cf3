import { isUser } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { signedIn, tokenIn } from '../../test/visitor.ts';
import { formToken } from '../sessions/browser-secret.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { account, actors, teamPage, teamMembers, tokens } = identity.asSystem;

async function someone(first_name = 'Mia') {
  const { id, browser } = await signedIn(identity, { first_name });
  const page = async () => (await browser.get(teamPage.list)).body;
  const answer = async (memberId: number, given: string) => {
    const form_token = tokenIn(await browser.get(teamPage.list), `/account/teams/${memberId}/answer`);
    const params = { member_id: String(memberId) };
    return browser.post(teamPage.answer, { form_token, answer: given }, { params });
  };
  const { access_token: token } = await tokens.create({ user: id });
  const rights = async () => {
    const actor = await actors.resolve({ token });
    if (!isUser(actor)) throw new Error('A user was expected.');
    return actor;
  };
  return { id, browser, page, answer, rights, api: async () => identity.as(await rights()) };
}

/** A team of a new user, with an invitation for another user. */
async function invited(facts: object = {}) {
  const [owner, user] = [await someone(), await someone()];
  const team = await (await owner.api()).teams.create({ name: 'North', ...facts });
  const { id } = await teamMembers.invite({ team_id: team.id, user_id: user.id });
  return { owner, user, team, id };
}

describe('the page of teams', () => {
  it('explains an invitation, which the user can accept, and after leaving accept again', async () => {
    const { owner, user, team, id } = await invited({ is_contact_resource_sharing_enabled: true });
    expect((await user.browser.get(account.show)).body).toContain('1 to answer');
    const page = await user.page();
    for (const shown of ['North', 'Created by Mia', 'one member', 'see each other&#39;s contacts', 'invited'])
      expect(page).toContain(shown);
    const joined = async () => (await user.rights()).sharing_teammate_ids;
    expect(await joined()).toEqual([]);
    for (const [given, teammates] of [
      ['accept', [owner.id]],
      ['decline', []],
      ['accept', [owner.id]],
    ] as const) {
      expect(await user.answer(id, given)).toMatchObject({
        status: 303,
        headers: { location: '/account/teams' },
      });
      expect(await joined()).toEqual(teammates);
    }
    expect((await user.browser.get(account.show)).body).not.toContain('to answer');
    const events = (await identity.published()).filter(({ type }) => type.endsWith('team-member.answered'));
    const facts = { team_member_id: id, team_id: team.id, user_id: user.id };
    expect(events.slice(-3).map(({ data }) => data)).toEqual(
      ['Accepted', 'Declined', 'Accepted'].map((request_status) => ({ ...facts, request_status })),
    );
  });

  it('lets nobody answer for another user, and does not let the creator leave', async () => {
    const { owner, user, id } = await invited();
    const path = `/account/teams/${id}/answer`;
    const params = { member_id: String(id) };
    const cookie = owner.browser.cookies.get('__Host-session') ?? '';
    const fields = { form_token: formToken(cookie, path), answer: 'accept' };
    expect(await owner.browser.post(teamPage.answer, fields, { params })).toMatchObject({ status: 404 });
    expect(await user.answer(id, 'perhaps')).toMatchObject({ status: 422 });
    expect((await user.rights()).team_ids).toEqual([]);
    const page = await owner.page();
    expect(page).toContain('You created it');
    expect(page).not.toContain('/answer');
    expect(await owner.browser.get(teamPage.list)).toMatchObject({ status: 200 });
  });

  it('shows no member by name, and only the teams of the user', async () => {
    const { user, team } = await invited();
    const [mate, stranger] = [await someone('Ravi'), await someone()];
    const { id } = await teamMembers.invite({ team_id: team.id, user_id: mate.id });
    await mate.answer(id, 'accept');
    expect(await user.page()).toContain('2 members');
    expect(await user.page()).not.toContain('Ravi');
    expect(await stranger.page()).toContain('You do not belong to a team');
  });
});
