import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '@crm/client';
import { expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

/** A service with one record, in which an earlier change takes longer than a later one. */
function slowShop() {
  let rank = 0;
  let ms = 60;
  return async ({ procedure, input }: Call) => {
    if (procedure === 'things.patch') {
      ms -= 20;
      await sleep(ms);
      ({ rank } = input as { rank: number });
    }
    return { text: JSON.stringify({ id: 1, name: null, rank }), replayed: false };
  };
}

const headers = 'host: x\r\nauthorization: Bearer good\r\ncontent-type: application/json\r\n';
const get = `GET /things/1 HTTP/1.1\r\n${headers}\r\n`;
const patch = (rank: number) => {
  const body = JSON.stringify({ rank });
  return `PATCH /things/1 HTTP/1.1\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`;
};

it('makes pipelined changes on a connection one after the other, and then reads what they wrote', async () => {
  const { port, request } = await startThings({ answer: slowShop() });
  const socket = connect(port);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  await once(socket, 'connect');
  socket.write(patch(1) + get + patch(2) + get);
  const ranks = () => [...received.matchAll(/"rank":(\d)/g)].map(([, rank]) => Number(rank));
  await expect.poll(() => ranks().length).toBe(4);
  expect(ranks()).toEqual([1, 1, 2, 2]);
  expect((await request('GET /things/1')).json.rank).toBe(2);
  socket.destroy();
});
