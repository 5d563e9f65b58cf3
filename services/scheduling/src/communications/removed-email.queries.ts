import { type Query, untilFewer } from '@crm/data';

/** SQL for how long an unsubscribe link works after its e-mail, whatever has been removed since. Laws require 30 and 60 days. */
export const linksWorkFor = "interval '60 days'";

/** Deletes, in portions, the links of e-mails to removed contacts that no longer have to work. */
export async function forgetRemovedEmails(query: Query, portion = 1_000): Promise<void> {
  await untilFewer(portion, (most) =>
    query(
      `delete from removed_emails where key = any(array(
         select key from removed_emails where sent_at < now() - ${linksWorkFor}
         order by sent_at limit $1::int for update skip locked
       ))
       returning key`,
      [most],
    ),
  );
}
