import { variablePrefix } from '@crm/service/process';
import { spawnMain } from './child-process.ts';
import { environmentFor } from './settings.ts';
import type { Ground, LogLine, Running } from './shape.ts';

/** Each service and the gateway in a process of its own, as `npm start -- --processes` has them. */
export async function startApart(ground: Ground): Promise<Running> {
  const { definitions, database, natsUrls, settings, port, cleanup } = ground;
  const logs: LogLine[] = [];
  const start = async (folder: string, env: Readonly<Record<string, string>>) => {
    const main = spawnMain(`${folder}/src/main.ts`, { HOST: '127.0.0.1', PORT: '0', ...env }, (line) => {
      logs.push(line);
    });
    cleanup.defer(main.stop);
    return main.url;
  };
  const services: Record<string, string> = {};
  for (const { name, store } of definitions) {
    const urls = { DATABASE_URL: database.urls[store.schema] ?? '', NATS_URL: natsUrls[name] ?? '' };
    const own = environmentFor(name, settings);
    services[name] = await start(`services/${name}`, { ...urls, ...environmentOf(services), ...own });
  }
  const gateway = { ...environmentFor('gateway', settings), PORT: String(port), RATE_LIMITS: 'off' };
  return {
    url: await start('gateway', { ...environmentOf(services), ...gateway }),
    services,
    logs,
  };
}

/** Where each service is, under the names of the environment: `CONTACTS_URL`. */
function environmentOf(services: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(services).map(([name, url]) => [`${variablePrefix(name)}_URL`, url]),
  );
}
