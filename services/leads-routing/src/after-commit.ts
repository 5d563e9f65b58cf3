import { type Context, refusalIn } from '@crm/service';

type Found = ReadonlyMap<number, unknown>;

/** What a response shows of other services' records, or less. */
export type Reading = <Records extends Found>(records: Promise<Records>) => Promise<Records>;

/** For responses that change nothing: if another service does not respond, they are refused. */
export const whole: Reading = (records) => records;

/**
 * For the response to a change that is committed: if another service does not give its records, they are missing as if they
 * were removed.
 */
export const afterCommit =
  (ctx: Pick<Context, 'log'>): Reading =>
  async <Records extends Found>(records: Promise<Records>) =>
    (await givenAfterCommit(ctx, records)) ?? (new Map() as Found as Records);

/**
 * What another service gives for the response to a change that is committed; undefined if it does not, for whatever reason. If
 * the response were refused, the client would repeat the change, and submit a lead twice or take a claim for lost.
 */
export async function givenAfterCommit<Given>(
  { log }: Pick<Context, 'log'>,
  given: Promise<Given>,
): Promise<Given | undefined> {
  try {
    return await given;
  } catch (error) {
    const level = refusalIn(error) ? 'warn' : 'error';
    log[level]({ err: error }, 'a response lacks what another service has not given');
    return undefined;
  }
}
