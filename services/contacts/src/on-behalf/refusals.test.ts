import { tokenInvalid } from '@crm/contract';
import { linkedPeers } from '@crm/service';
import { afterAll, describe, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';
import { carryOutDue } from '../bulk-operations/carry-out.ts';
import { runDue } from '../imports/run-imports.ts';
import { contactsService } from '../index.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, send, workerContext } = contacts;

const stopping = new AbortController().signal;

/** As identity answers an instance whose token was replaced, for one of its procedures. */
const refusing = (procedure: string) => ({
  ...workerContext,
  peers: linkedPeers(
    {
      identity: (call) => {
        if (call.procedure === procedure) throw tokenInvalid();
        return contacts.identity.call(call);
      },
    },
    'contacts',
  ),
});

/** A user with so many teammates. */
async function withTeammates(count: number) {
  const anna = await person();
  const { id } = await contacts.identity.as(anna).teams.create({ name: 'Everybody' });
  await contacts.identity.rows(
    `with teammates as (
       insert into users (email, first_name, timezone, password_hash, created_at, modified_at)
       select format('mate%s@example.com', n), 'Mate', 'UTC', '', now(), now() from generate_series(1, $2::int) n
       returning id)
     insert into team_members (team_id, user_id, request_status, created_at, modified_at)
     select $1::int, id, 'Accepted', now(), now() from teammates`,
    [id, count],
  );
  return contacts.now(anna);
}

describe('an import', () => {
  it.each(['actors.ofUsers', 'users.byIds'])(
    'waits with its file, untried, while identity refuses %s',
    async (procedure) => {
      const anna = await person();
      const text = csv(people(2)).replaceAll('\r\n', ',\r\n').replace('Email,', 'Email,Assigned To');
      const id = await send(anna, text);
      for (let attempt = 0; attempt < 7; attempt++) {
        await runDue(refusing(procedure), contactsService.procedures, stopping);
        await rows('update imports set due_at = now() where id = $1', [id]);
      }
      expect(await rows('select status, attempts, error from imports where id = $1', [id])).toEqual([
        { status: 'Waiting', attempts: 0, error: null },
      ]);
      await contacts.run();
      expect(await contacts.as(anna).imports.get({ id })).toMatchObject({ status: 'Done', created: 2 });
    },
  );

  it('finds each of more colleagues than one request can name', async () => {
    const anna = await withTeammates(1_001);
    const ids = anna.teammate_ids.toSorted((a, b) => a - b);
    const [first, last] = [ids.at(0), ids.at(-1)];
    const text = 'First Name,Assigned To\nAnna,mate1@example.com\nBen,mate1001@example.com';
    expect(await contacts.done(anna, text)).toMatchObject({ status: 'Done', created: 2, failed: 0 });
    const added = await contacts.ofUser(anna);
    expect(added.map(({ assigned_user_id }) => assigned_user_id)).toEqual([first, last]);
  });
});

describe('a bulk operation', () => {
  it('waits, untried, while identity refuses to say what its user may do', async () => {
    const anna = await person();
    const contact = await contacts.as(anna).contacts.create({ first_name: 'Bill' });
    const { id } = await contacts
      .as(anna)
      .bulkOperations.create({ action: 'tag', tags: 'Spring', contact_ids: [contact.id] });
    for (let attempt = 0; attempt < 7; attempt++) {
      await carryOutDue(refusing('actors.ofUsers'), stopping);
      await rows('update bulk_operations set due_at = now() where id = $1', [id]);
    }
    expect(await rows('select attempts from bulk_operations where id = $1', [id])).toEqual([{ attempts: 0 }]);
    await carryOutDue(workerContext, stopping);
    expect(await contacts.as(anna).bulkOperations.get({ id })).toMatchObject({ status: 'Done', failed: 0 });
  });
});
