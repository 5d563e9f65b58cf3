import { once } from 'node:events';
import { connect } from 'node:net';
import { tokenInvalid } from '@crm/contract';
import { describe, expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

/** A gateway whose service sends a file in two parts, and the credentials that it was called with. */
async function startSending(isValidFor: (admissions: number) => boolean) {
  let admissions = 0;
  return startThings({
    admit: async () => {
      admissions += 1;
      if (!isValidFor(admissions)) throw tokenInvalid();
      return { credential: { token: `admission ${admissions}` }, account: 7 };
    },
    answer: async ({ input }) => ({
      text: JSON.stringify(
        (input as { readonly cursor?: string }).cursor === undefined
          ? { text: '{"id":', next: 'the rest' }
          : { text: '1}', next: null },
      ),
      replayed: false,
    }),
  });
}

describe('a file in parts', () => {
  it('is sent with a token that is admitted again for each part', async () => {
    const { request, calls } = await startSending(() => true);
    expect(await request('GET /things/export')).toMatchObject({ status: 200, json: { id: 1 } });
    expect(calls.map(({ credential }) => credential?.token)).toEqual(['admission 1', 'admission 2']);
  });

  it('is interrupted when the token is revoked between two parts', async () => {
    const { request, calls } = await startSending((admissions) => admissions === 1);
    await expect(request('GET /things/export')).rejects.toThrow();
    expect(calls).toHaveLength(1);
  });

  it('does not look complete in HTTP/1.0 when it is interrupted, where the end of the connection is that of the file', async () => {
    const { port } = await startSending((admissions) => admissions === 1);
    const socket = connect(port, '127.0.0.1').resume();
    socket.write('GET /things/export HTTP/1.0\r\nauthorization: Bearer good\r\n\r\n');
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
  });
});
