import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeFile, over } from './compose/merge.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const text = read('docker-compose.yml');
const upper = read('deploy/compose/ha.yml');
const alone = composeFile(text);

/** The properties of a container that are checked. */
const Container = z.object({
  image: z.string(),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string().nullable()).optional(),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.record(z.string(), z.unknown()).optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  profiles: z.array(z.string()).default([]),
  networks: z.array(z.string()).default(['default']),
  deploy: z.object({ replicas: z.number() }).optional(),
  logging: z.unknown().optional(),
});
const Compose = z.object({
  services: z.record(z.string(), Container),
  volumes: z.record(z.string(), z.null()),
  configs: z
    .record(z.string(), z.union([z.object({ content: z.string() }), z.object({ file: z.string() })]))
    .default({}),
  networks: z.record(z.string(), z.object({ internal: z.boolean() })).default({}),
});
/** What each container of PostgreSQL and NATS is one of, and reads the secrets of. */
const oneOf = (name: string) => (/^patroni-\d$/.test(name) ? 'postgres' : name.replace(/^nats-\d$/, 'nats'));

const serviceNames = readdirSync(new URL('services', root));
const imageText = readFileSync(new URL('Dockerfile', root), 'utf8');
/** A version that is not a line of versions, and what it was when it was chosen. */
const pinned = /^[\w./-]+:v?\d+\.\d+(\.\d+)?(-[\w.]+)*@sha256:[0-9a-f]{64}$/;
/** Those that make the secrets of all. They end before anything else starts. */
const makers = ['secrets', 'preparation'];

describe.each([
  ['once', alone],
  ['with two or three of everything', over(alone, composeFile(upper))],
])('the system in containers, %s', (shape, document) => {
  const { services, volumes, configs, networks } = Compose.parse(document);
  const containers = Object.entries(services);
  const ours = containers.filter(([, { image }]) => image === 'crm');
  const isOnce = shape === 'once';
  /** All words of what a container runs. */
  const run = ({ entrypoint = [], command = [] }: z.infer<typeof Container>) =>
    [entrypoint, command].flat().join(' ');

  it('has a container for each service, the gateway, the servers that they need and the local carriers', () => {
    const always = containers.filter(([, { profiles }]) => profiles.length === 0).map(([name]) => name);
    const more = [
      'balancer',
      'valkey',
      'nats-2',
      'nats-3',
      'patroni-1',
      'patroni-2',
      'etcd-1',
      'etcd-2',
      'etcd-3',
    ];
    expect(always.sort()).toEqual(
      [
        ...['secrets', 'postgres', 'nats', 'preparation', 'carriers', 'gateway'],
        ...serviceNames,
        ...(isOnce ? [] : more),
      ].sort(),
    );
    const twice = containers.filter(([, { deploy }]) => deploy?.replicas === 2).map(([name]) => name);
    expect(twice.sort()).toEqual(isOnce ? [] : ['gateway', 'postgres', ...serviceNames].sort());
  });

  it.each(ours)('runs an existing program in %s, with minimal privileges', (name, container) => {
    const words = container.entrypoint?.slice(1) ?? [container.command ?? []].flat();
    const script = words.find((word) => word.endsWith('.ts')) ?? '';
    expect(existsSync(new URL(script, root)), script).toBe(true);
    expect(container).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] });
    if (name === 'crm') expect(container.environment?.CRM_DATA_DIR).toMatch(/^\/tmp\//);
    const file = words.find((word) => word.startsWith('--env-file='));
    expect(file).toBe(makers.includes(name) ? undefined : '--env-file=/run/crm/environment');
  });

  it.each(containers)('mounts in %s no secrets but its own, to be read', (name, { volumes: mounted }) => {
    const secrets = mounted.filter((mount) => mount.startsWith('secrets'));
    const own = name === 'crm' ? 'operator' : oneOf(name);
    if (!services[name]?.depends_on.secrets && !ours.some(([one]) => one === name))
      return expect(secrets).toEqual([]);
    if (!makers.includes(name)) return expect(secrets).toEqual([`secrets-${own}:/run/crm:ro`]);
    const mountPoints = secrets.slice(1).map((mount) => mount.split('/run/crm/')[1]);
    expect(secrets).toEqual(['secrets:/run/crm', ...mountPoints.map((of) => `secrets-${of}:/run/crm/${of}`)]);
    expect(imageText).toContain(`mkdir ${mountPoints.join(' ')} `);
  });

  it.each(containers)(
    'declares the volumes and networks of %s',
    (_name, { volumes: mounted, depends_on, networks: joined, configs: read }) => {
      for (const mount of mounted) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('./')) expect(existsSync(new URL(source, root)), source).toBe(true);
        // A folder of the machine is only looked at.
        else if (source.startsWith('/')) expect(mount).toMatch(/:ro$/);
        else expect(volumes).toHaveProperty([source]);
      }
      for (const needed of Object.keys(depends_on)) expect(services).toHaveProperty([needed]);
      for (const network of joined) if (network !== 'default') expect(networks).toHaveProperty([network]);
      for (const { source } of read) {
        const config = configs[source] ?? { file: source };
        if ('file' in config) expect(existsSync(new URL(config.file, root)), config.file).toBe(true);
      }
    },
  );

  it('contains no secrets or default secrets, and pins the images of others', () => {
    for (const one of [text, upper]) expect(one).not.toMatch(/\$\{[^}]*:?[-=]/);
    const given = containers.flatMap(([, { environment = {} }]) => Object.entries(environment));
    for (const [name, value] of given)
      if (/TOKEN|SECRET|KEY|PASSWORD(?!_FILE)/.test(name)) expect(value, name).toBeNull();
    for (const [name, { image }] of containers)
      if (!['crm', 'crm-patroni'].includes(image)) expect(image, name).toMatch(pinned);
    const others = [imageText, read('deploy/compose/patroni.Dockerfile')].map(
      (file) => /^(?:ARG NODE_IMAGE=|FROM )(\S+)$/m.exec(file)?.[1],
    );
    for (const image of others) expect(image).toMatch(pinned);
  });

  const brokers = containers.filter(([name]) => oneOf(name) === 'nats').map(([, container]) => container);
  const configurationOf = ({ configs: [used] }: z.infer<typeof Container>) => {
    const config = configs[used?.source ?? ''];
    return config && 'content' in config ? config.content : '';
  };

  it('lets a single NATS write events to its disk a second later, and one of several at once', () => {
    expect(brokers).toHaveLength(isOnce ? 1 : 3);
    for (const broker of brokers) {
      expect(run(broker)).toContain(`--config ${broker.configs[0]?.target}`);
      expect(configurationOf(broker)).toMatch(/jetstream \{[^}]*sync_interval: \$\$SYNC_INTERVAL/);
      expect(broker.environment).toMatchObject({ SYNC_INTERVAL: isOnce ? '1s' : 'always' });
    }
  });

  it('admits only the users of its services to NATS, whose passwords are made with the other secrets', () => {
    for (const broker of brokers) {
      const [, included = ''] = /^\s*include (\S+)$/m.exec(configurationOf(broker)) ?? [];
      expect(new URL(included, `file://${broker.configs[0]?.target}`).pathname).toBe('/run/crm/users.conf');
      expect(broker.volumes).toContain('secrets-nats:/run/crm:ro');
      expect(broker.depends_on.secrets?.condition).toBe('service_completed_successfully');
      // Another server joins by a password, too.
      if (!isOnce)
        expect(run(broker).match(/nats:\/\/route:\$\$\(cat\s+\/run\/crm\/route-password\)@/g)).toHaveLength(
          4,
        );
    }
  });

  it('keeps a part of what each container writes, so that logs do not fill the disk', () => {
    const kept = { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } };
    expect(containers.filter(([, { logging }]) => !isDeepStrictEqual(logging, kept))).toEqual([]);
  });

  it('is reachable only from this machine', () => {
    const ports = containers.flatMap(([, container]) => container.ports);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(ports.filter((port) => port.startsWith('127.0.0.1:3000:'))).toHaveLength(1);
  });
});

describe('the system with two or three of everything', () => {
  const { services, networks } = Compose.parse(over(alone, composeFile(upper)));
  const patroni = read('deploy/compose/patroni.yml');
  const balancer = read('deploy/compose/haproxy.cfg');
  const containers = Object.entries(services);

  it('stores each event on three servers, and chooses the primary of PostgreSQL among three', () => {
    const { NATS_URL, NATS_REPLICAS } = services.preparation?.environment ?? {};
    expect(NATS_URL?.match(/nats:\/\/nats[^,]*/g)).toHaveLength(3);
    expect(NATS_REPLICAS).toBe('3');
    const electors = containers.filter(([name]) => name.startsWith('etcd-'));
    expect(electors).toHaveLength(3);
    for (const [, { networks: joined }] of electors) expect(joined).toEqual(['election']);
    expect(networks.election).toEqual({ internal: true });
    for (const [name] of containers.filter(([one]) => one.startsWith('patroni-')))
      expect(balancer).toContain(`server ${name} ${name}:5432 check`);
    expect(patroni).toContain('synchronous_mode: true');
  });

  it('creates the database that the single PostgreSQL creates by itself', () => {
    const database = Compose.parse(alone).services.postgres?.environment?.POSTGRES_DB;
    const [, created] = /^ {2}post_init: psql --command 'create database (\w+)'$/m.exec(patroni) ?? [];
    expect(created).toBe(database);
  });

  it('leads nobody to a PostgreSQL that Patroni has not called the primary', () => {
    expect(balancer).toMatch(/default-server port 8008 init-state down on-marked-down shutdown-sessions/);
    expect(balancer).toContain('return status 503 if { path /balancer/primary } { nbsrv(postgres) eq 0 }');
    expect(services.postgres?.healthcheck?.test).toContainEqual(
      expect.stringMatching(/\/balancer\/primary$/),
    );
    expect(services.preparation?.depends_on.postgres?.condition).toBe('service_healthy');
  });

  it('waits for a new standby until it has copied the primary, which begins at once', () => {
    expect(patroni).toMatch(/basebackup:\n\s+- checkpoint: fast/);
    expect(services['patroni-2']?.healthcheck).toMatchObject({ start_period: '1h' });
  });

  it('knows the passwords of Patroni wherever it runs one of its programs', () => {
    const servers = containers.filter(([name]) => oneOf(name) === 'postgres' && name !== 'postgres');
    expect(servers).toHaveLength(2);
    for (const [, { configs, entrypoint }] of servers) {
      const [shell, script, ...program] = entrypoint ?? [];
      expect([shell, ...program]).toEqual(['bash', 'patroni', '/etc/patroni.yml']);
      expect(configs).toContainEqual({ source: 'patroni-run', target: script });
    }
    const commands = read('docs/operations/fail-over.md').match(/bash \S+ patronictl/g);
    expect(commands).toEqual([`bash ${servers[0]?.[1].entrypoint?.[1]} patronictl`]);
  });

  it('starts the way in for clients without waiting for what it leads to', () => {
    expect(services.balancer?.depends_on).toEqual({});
  });
});

describe('gateways in containers', () => {
  it('count requests together in a server that only they reach', () => {
    const { services, networks } = Compose.parse(over(alone, composeFile(upper)));
    expect(services.preparation?.environment?.RATE_LIMIT_URL).toBe('redis://valkey:6379');
    const joined = Object.entries(services).filter(([, one]) => one.networks.includes('counts'));
    expect(joined.map(([name]) => name).sort()).toEqual(['gateway', 'valkey']);
    expect(services.valkey?.networks).toEqual(['counts']);
    expect(networks.counts).toEqual({ internal: true });
  });
});

describe('the image', () => {
  const lines = imageText.split('\n');

  it('is built in stages, runs without root, and has a health check', () => {
    expect(lines.filter((line) => line.startsWith('FROM '))).toHaveLength(2);
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
    expect(last.find((line) => line.startsWith('USER '))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
  });

  it('contains no development packages and no local files', () => {
    expect(lines.some((line) => line.includes('npm ci --omit=dev'))).toBe(true);
    const ignored = readFileSync(new URL('.dockerignore', root), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '.git', '.crm']));
  });
});
