import { Migration } from '@mikro-orm/migrations';

/** The number and the address of a contact, in SQL. */
const channels = [
  { channel: 'Text', column: 'mobile_phone_e164', of: (row: string) => `${row}.mobile_phone_e164` },
  { channel: 'Email', column: 'email', of: (row: string) => `lower(${row}.email)` },
] as const;

/** The first moment counts. Locks the row, so that whoever allows messages at the same moment sees the contact too. */
const keep = 'on conflict (owner_user_id, channel, destination) do update set since = agent_opt_outs.since';

/**
 * What agents have said about contacts outlives these, and holds for all contacts of the owner with the number or address.
 * Triggers write it, because instances of the version before know nothing of the table.
 */
export class AgentOptOuts extends Migration {
  override up() {
    this.addSql(`
      create table agent_opt_outs (
        owner_user_id integer not null,
        channel varchar(5) not null check (channel in ('Text', 'Email')),
        -- A number in E.164, or an e-mail address in lower case.
        destination text not null,
        since timestamptz not null,
        primary key (owner_user_id, channel, destination)
      );
    `);
    for (const { channel, column, of } of channels) {
      const name = channel.toLowerCase();
      this.addSql(`
        create function agent_opt_out_${name}() returns trigger language plpgsql set search_path from current as $$ begin
          if new.state = 'Opted Out' then
            insert into agent_opt_outs (owner_user_id, channel, destination, since)
              select owner_user_id, new.channel, ${of('contacts')}, new.changed_at from contacts
              where id = new.contact_id and ${of('contacts')} is not null
              ${keep};
          else
            delete from agent_opt_outs o using contacts c
              where c.id = new.contact_id and o.owner_user_id = c.owner_user_id and o.channel = new.channel
                and o.destination = ${of('c')};
            update agent_consents a set state = new.state, changed_at = new.changed_at
              from contacts c join contacts same on same.owner_user_id = c.owner_user_id and ${of('same')} = ${of('c')}
              where c.id = new.contact_id and a.contact_id = same.id and a.channel = new.channel and a.state <> new.state;
          end if;
          return null;
        end $$;
        create trigger agent_opt_out_${name} after insert or update on agent_consents for each row
          when (new.channel = '${channel}') execute function agent_opt_out_${name}();

        -- A contact takes an opt-out along to another number or address, also if it has none in between.
        create function agent_opt_out_moved_${name}() returns trigger language plpgsql set search_path from current as $$ begin
          insert into agent_consents (contact_id, channel, state, changed_at)
            select new.id, channel, 'Opted Out', since from agent_opt_outs
            where owner_user_id = old.owner_user_id and channel = '${channel}' and destination = ${of('old')}
            on conflict (contact_id, channel) do update set state = excluded.state, changed_at = excluded.changed_at
            where agent_consents.state <> excluded.state;
          insert into agent_opt_outs (owner_user_id, channel, destination, since)
            select new.owner_user_id, channel, ${of('new')}, changed_at from agent_consents
            where contact_id = new.id and channel = '${channel}' and state = 'Opted Out' and ${of('new')} is not null
            ${keep};
          return null;
        end $$;
        create trigger agent_opt_out_moved_${name} after update of ${column} on contacts for each row
          when (${of('old')} is distinct from ${of('new')}) execute function agent_opt_out_moved_${name}();

        insert into agent_opt_outs (owner_user_id, channel, destination, since)
          select owner_user_id, channel, ${of('contacts')}, min(changed_at)
          from agent_consents join contacts on contacts.id = contact_id
          where channel = '${channel}' and state = 'Opted Out' and ${of('contacts')} is not null
          group by owner_user_id, channel, ${of('contacts')};
      `);
    }
  }
}
