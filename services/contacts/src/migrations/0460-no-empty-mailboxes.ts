import { Migration } from '@mikro-orm/migrations';

/**
 * An empty e-mail text is no address, so nobody shares it: no opt-out is stored for it, and none is taken from it. Those that
 * were stored are deleted; the contacts that they were said of keep their own.
 */
export class NoEmptyMailboxes extends Migration {
  override up() {
    this.addSql(`
      create or replace function agent_opt_out_email() returns trigger language plpgsql set search_path from current as $$ begin
        if new.state = 'Opted Out' then
          insert into agent_opt_outs (owner_user_id, channel, destination, since)
            select owner_user_id, new.channel, lower(contacts.email), new.changed_at from contacts
            where id = new.contact_id and mailbox_of(contacts.email) <> ''
            on conflict (owner_user_id, channel, destination) do update set since = agent_opt_outs.since;
        else
          with gone as (
            delete from agent_opt_outs o using contacts c
            where c.id = new.contact_id and o.owner_user_id = c.owner_user_id and o.channel = 'Email'
              and mailbox_of(o.destination) = nullif(mailbox_of(c.email), '')
            returning o.owner_user_id, o.destination
          ), forms as (
            select * from gone
            union select owner_user_id, lower(email) from contacts where id = new.contact_id and mailbox_of(email) <> ''
          )
          update agent_consents a set state = new.state, changed_at = new.changed_at
            from forms join contacts same on same.owner_user_id = forms.owner_user_id and lower(same.email) = forms.destination
            where a.contact_id = same.id and a.channel = new.channel and a.state <> new.state;
        end if;
        return null;
      end $$;

      create or replace function agent_opt_out_moved_email() returns trigger language plpgsql set search_path from current as $$ begin
        insert into agent_consents (contact_id, channel, state, changed_at)
          select new.id, 'Email', 'Opted Out', min(since) from agent_opt_outs
          where owner_user_id = old.owner_user_id and channel = 'Email'
            and mailbox_of(destination) = nullif(mailbox_of(old.email), '')
          having count(*) > 0
          on conflict (contact_id, channel) do update set state = excluded.state, changed_at = excluded.changed_at
          where agent_consents.state <> excluded.state;
        insert into agent_opt_outs (owner_user_id, channel, destination, since)
          select new.owner_user_id, channel, lower(new.email), changed_at from agent_consents
          where contact_id = new.id and channel = 'Email' and state = 'Opted Out' and mailbox_of(new.email) <> ''
          on conflict (owner_user_id, channel, destination) do update set since = agent_opt_outs.since;
        return null;
      end $$;

      delete from agent_opt_outs where channel = 'Email' and mailbox_of(destination) = '';
    `);
  }
}
