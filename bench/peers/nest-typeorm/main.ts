import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { parse } from 'qs';
import { announce, readPeerEnvironment } from '../environment.ts';
import { appModule } from './app.module.ts';

const { databaseUrl, poolSize } = readPeerEnvironment(process.env);
const adapter = new FastifyAdapter({
  routerOptions: {
    querystringParser: (text: string) =>
      parse(text, { depth: 6, arrayLimit: 1_200 }) as Record<string, unknown>,
  },
});
const app = await NestFactory.create<NestFastifyApplication>(appModule(databaseUrl, poolSize), adapter, {
  logger: ['error'],
});
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
await app.listen(0, '127.0.0.1');
announce(Number(new URL(await app.getUrl()).port));
