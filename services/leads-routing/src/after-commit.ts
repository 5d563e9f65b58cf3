import { type Context, refusalIn } from '@crm/service';

type Found = ReadonlyMap<number, unknown>;

/** What a response shows of other services' records, or less. */
export type Reading = <Records extends Found>(records: Promise<Records>) => Promise<Records>;

/** For responses that change nothing: if another service does not respond, they are refused. */
export const whole: Reading = (records) => records;

/**
 * For the response to a change that is committed: if another service does not respond, its records are missing as if they were
 * removed. If the response were refused, the client would repeat the change, and submit a lead twice.
 */
export const afterCommit =
  ({ log }: Pick<Context, 'log'>): Reading =>
  async <Records extends Found>(records: Promise<Records>) => {
    try {
      return await records;
    } catch (error) {
      if (refusalIn(error)?.name !== 'Unavailable') throw error;
      log.warn({ err: error }, 'a response lacks the names that another service has not given');
      return new Map() as Found as Records;
    }
  };
