import knex from 'knex';
import { announce, connectionOptions, readPeerEnvironment } from '../environment.ts';
import { buildApp } from './app.ts';

const { databaseUrl, poolSize } = readPeerEnvironment(process.env);
const db = knex({
  client: 'pg',
  connection: { connectionString: databaseUrl, options: connectionOptions },
  pool: { min: 0, max: poolSize },
});
const server = await buildApp(db).listen(0, '127.0.0.1');
if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
announce(typeof address === 'object' && address ? address.port : 0);
