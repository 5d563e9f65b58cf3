import { approvingUser } from '../oauth/approving-user.ts';
import type { Json } from '../system/api.ts';
import { about, fromBrowser, type World, type Write } from './write.ts';

type Fields = Readonly<Record<string, string | File>>;
/** A path, which may contain the id of what was just made. */
export type Path = string | (() => Promise<string>);

export type Submit = Awaited<ReturnType<typeof openForms>>['submit'];

/** Somebody who is signed in, and what becomes of the forms of the pages. */
export async function openForms({ system }: World) {
  const user = await approvingUser(system);
  /** Submits the form with this action on a page; with one path, the page has the path of its form. */
  const submit = (
    operation: string,
    [page, action = page]: readonly [Path, Path?],
    fields: Fields | (() => Promise<Fields>) = {},
    record: Json = about(null),
  ): Write => ({
    operation,
    run: async (requestId) => {
      const [from, to] = [await pathOf(page), await pathOf(action)];
      const given = typeof fields === 'function' ? await fields() : fields;
      const { status } = await user.submitFrom(from, to, given, { 'x-request-id': requestId });
      if (status >= 400) throw new Error(`${to} responded with ${status}.`);
    },
    row: { ...fromBrowser(user.id), ...record },
  });
  /** The id of the newest row of the user. */
  const lastId = async (table: string, column = 'user_id') => {
    const text = `select max(id) as id from ${table} where ${column} = $1`;
    return String((await system.rows('identity', text, [user.id]))[0]?.id);
  };
  return { ...user, submit, lastId };
}

const pathOf = async (path: Path): Promise<string> => (typeof path === 'string' ? path : path());
