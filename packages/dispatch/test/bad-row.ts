import { expect, it } from 'vitest';

interface Sending {
  readonly table: string;
  /** The column of the state, and its value for a row that was sent. */
  readonly state: string;
  readonly sent: string;
  readonly rows: (text: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;
  /** Creates a due row. */
  due(): Promise<{
    readonly id: number;
    now(): Promise<{ readonly state: unknown; readonly reason: unknown }>;
  }>;
  /** Makes a row unreadable. */
  spoil(id: number): Promise<unknown>;
  /** One instance sends what is due, once. */
  turn(): Promise<unknown>;
  /** How many rows are reported to the operator. */
  problems(): Promise<number>;
}

/** What every queue guarantees: a row that cannot be processed does not block others. */
export function itStopsNobodyElse({ table, state, sent, rows, due, spoil, turn, problems }: Sending): void {
  /** Makes every statement fail that changes a row in a certain way. */
  const plant = async (id: number, when: string) => {
    await rows(`create or replace function planted() returns trigger language plpgsql as $$ begin
      if new.id = ${id} and ${when} then raise exception 'a planted fault'; end if; return new; end $$`);
    await rows(
      `create or replace trigger planted before update on ${table} for each row execute function planted()`,
    );
  };

  it.each([
    ['cannot be read', spoil],
    ['cannot be leased', (id: number) => plant(id, `new.${state} = 'Sending' and new.begun_at is null`)],
    ['cannot be checked', (id: number) => plant(id, `new.${state} = 'Sending' and new.begun_at is not null`)],
  ])('if it %s: it is postponed with the reason, and reported to the operator', async (_what, damage) => {
    const before = await problems();
    const [first, bad, last] = [await due(), await due(), await due()];
    await damage(bad.id);
    await turn();
    expect([(await first.now()).state, (await last.now()).state]).toEqual([sent, sent]);
    expect(await bad.now()).toMatchObject({ reason: expect.stringMatching(/^It cannot be worked on: ./) });
    expect((await bad.now()).state).not.toBe('Sending');
    expect(await problems()).toBe(before + 1);
    await rows(`delete from ${table} where id = $1`, [bad.id]);
  });

  it('if its outcome cannot be stored: others are stored, and it is released automatically', async () => {
    const [first, bad, last] = [await due(), await due(), await due()];
    await plant(bad.id, `new.${state} <> 'Sending' and old.begun_at is not null and new.lease_until is null`);
    await turn().catch(() => undefined);
    expect([(await first.now()).state, (await last.now()).state]).toEqual([sent, sent]);
    expect(await bad.now()).toMatchObject({ state: 'Sending' });
    await rows(`update ${table} set lease_until = now() - interval '1 second' where ${state} = 'Sending'`);
    const next = await due();
    await turn();
    expect(await next.now()).toMatchObject({ state: sent });
    await rows('drop function planted cascade');
    await turn();
    expect((await bad.now()).state).not.toBe('Sending');
  });
}
