import { json } from 'node:stream/consumers';
import { generateLoad, type LoadOrder } from './generate-load.ts';

// A process of its own, so that what measures does not hold up what is measured.
const order = (await json(process.stdin)) as LoadOrder;
process.stdout.write(`${JSON.stringify(await generateLoad(order))}\n`);
