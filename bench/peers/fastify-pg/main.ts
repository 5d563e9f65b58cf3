import pg from 'pg';
import { announce, connectionOptions, readPeerEnvironment } from '../environment.ts';
import { buildApp } from './app.ts';
import { databaseOver } from './database.ts';

// About as far as Node goes: Fastify, named statements, JSON that PostgreSQL makes and nobody parses again.
const { databaseUrl, poolSize } = readPeerEnvironment(process.env);
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, options: connectionOptions });
const app = buildApp(databaseOver(pool));
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
announce(typeof address === 'object' && address ? address.port : 0);
