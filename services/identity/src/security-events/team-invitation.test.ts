import { startCarriers } from '@crm/delivery/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const carriers = await startCarriers(publicUrl);
afterAll(carriers.close);
const identity = await identityUnderTest({ mail: carriers.delivery });
afterAll(identity.close);
const { someone, now } = peopleIn(identity);
const { teamMembers } = identity.asSystem;

const statesOf = (userId: number) =>
  identity.rows(
    `select m.state from account_mails m join security_events e on e.id = m.event_id
     where e.user_id = $1 order by m.id`,
    [userId],
  );

describe('an invitation to a team', () => {
  it('is sent by e-mail once, and not after it was answered', async () => {
    const [anna, ben] = [await someone(), await someone()];
    const { id: team_id } = await identity.as(anna).teams.create({ name: 'North' });
    const { id } = await teamMembers.invite({ team_id, user_id: ben.id });
    expect(await teamMembers.invite({ team_id, user_id: ben.id })).toMatchObject({ id });
    await expect.poll(() => statesOf(ben.id)).toEqual([{ state: 'Done' }]);
    const [mail, ...more] = await carriers.mail.mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: 'An invitation to the team North' });
    expect(mail?.text).toContain(`\n${publicUrl}/account/teams\n`);

    await identity.as(await now(ben.id)).teamMembers.patch({ id, request_status: 'Declined' });
    // Makes the e-mail wait again.
    await identity.rows(
      'delete from account_mails where event_id in (select id from security_events where user_id = $1)',
      [ben.id],
    );
    await identity.rows(
      `insert into account_mails (event_id, key) select id, gen_random_uuid() from security_events
       where user_id = $1 and kind = 'invited to a team'`,
      [ben.id],
    );
    await expect.poll(() => statesOf(ben.id)).toEqual([{ state: 'Dropped' }]);
  });

  it('contains names of others in one line each, so that they cannot add paragraphs', async () => {
    const [anna, ben] = [await someone({ first_name: 'Anna\nKlein' }), await someone()];
    const name = 'North.\n\nConfirm your password:\n\nhttps://evil.example/\n';
    const { id: team_id } = await identity.as(anna).teams.create({ name });
    await teamMembers.invite({ team_id, user_id: ben.id });
    await expect.poll(() => statesOf(ben.id)).toEqual([{ state: 'Done' }]);
    const mail = (await carriers.mail.mails()).find(({ subject }) => String(subject).includes('evil'));
    expect(mail?.text).toContain('Anna Klein invites you to the team North.  Confirm your password:');
    expect(mail?.text).not.toContain('\nhttps://evil');
  });
});
