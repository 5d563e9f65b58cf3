import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = new URL('../', import.meta.url);
const text = readFileSync(new URL('docker-compose.yml', root), 'utf8');

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
  cap_drop: z.array(z.string()).optional(),
  profiles: z.array(z.string()).default([]),
});
const { services, volumes, configs } = z
  .object({
    services: z.record(z.string(), Container),
    volumes: z.record(z.string(), z.null()),
    configs: z.record(z.string(), z.object({ content: z.string() })).default({}),
  })
  .parse(parse(text, { merge: true }));

const serviceNames = readdirSync(new URL('services', root));
const containers = Object.entries(services);
const imageText = readFileSync(new URL('Dockerfile', root), 'utf8');
/** Those that make the secrets of all. They end before anything else starts. */
const makers = ['secrets', 'preparation'];
const ours = containers.filter(([, { image }]) => image === 'crm');

describe('the system in containers', () => {
  it('has a container for each service, the gateway, the servers that they need and the local carriers', () => {
    const always = containers.filter(([, { profiles }]) => profiles.length === 0).map(([name]) => name);
    expect(always.sort()).toEqual(
      [...['secrets', 'postgres', 'nats', 'preparation', 'carriers', 'gateway'], ...serviceNames].sort(),
    );
  });

  it.each(ours)('runs an existing program in %s, with minimal privileges', (name, container) => {
    const words = container.entrypoint?.slice(1) ?? [container.command ?? []].flat();
    const script = words.find((word) => word.endsWith('.ts')) ?? '';
    expect(existsSync(new URL(script, root)), script).toBe(true);
    expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    const file = words.find((word) => word.startsWith('--env-file='));
    expect(file).toBe(makers.includes(name) ? undefined : '--env-file=/run/crm/environment');
  });

  it.each(containers)('mounts in %s no secrets but its own, to be read', (name, { volumes: mounted }) => {
    const secrets = mounted.filter((mount) => mount.startsWith('secrets'));
    const own = name === 'crm' ? 'operator' : name;
    if (!services[name]?.depends_on.secrets && !ours.some(([one]) => one === name))
      return expect(secrets).toEqual([]);
    if (!makers.includes(name)) return expect(secrets).toEqual([`secrets-${own}:/run/crm:ro`]);
    const mountPoints = secrets.slice(1).map((mount) => mount.split('/run/crm/')[1]);
    expect(secrets).toEqual(['secrets:/run/crm', ...mountPoints.map((of) => `secrets-${of}:/run/crm/${of}`)]);
    expect(imageText).toContain(`mkdir ${mountPoints.join(' ')} `);
  });

  it.each(containers)(
    'declares the volumes and networks of %s',
    (_name, { volumes: mounted, depends_on }) => {
      for (const mount of mounted) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('./')) expect(existsSync(new URL(source, root)), source).toBe(true);
        else expect(volumes).toHaveProperty([source]);
      }
      for (const needed of Object.keys(depends_on)) expect(services).toHaveProperty([needed]);
    },
  );

  it('contains no secrets or default secrets, and pins the images of others', () => {
    expect(text).not.toMatch(/\$\{[^}]*:?[-=]/);
    const given = containers.flatMap(([, { environment = {} }]) => Object.entries(environment));
    for (const [name, value] of given)
      if (/TOKEN|SECRET|KEY|PASSWORD(?!_FILE)/.test(name)) expect(value, name).toBeNull();
    for (const [name, { image }] of containers) if (image !== 'crm') expect(image, name).toMatch(/:v?\d/);
  });

  it('acknowledges an event only when NATS has written it to the disk', () => {
    const { command, configs: mounted = [] } = services.nats ?? {};
    const [used] = mounted;
    expect([command].flat().join(' ')).toContain(`--config ${used?.target}`);
    expect(configs[used?.source ?? '']?.content).toMatch(/jetstream \{[^}]*sync_interval: always/);
  });

  it('admits only the users of its services to NATS, whose passwords are made with the other secrets', () => {
    const { configs: mounted = [], volumes: volumesOfNats, depends_on } = services.nats ?? {};
    const [, included = ''] =
      /^\s*include (\S+)$/m.exec(configs[mounted[0]?.source ?? '']?.content ?? '') ?? [];
    expect(new URL(included, `file://${mounted[0]?.target}`).pathname).toBe('/run/crm/users.conf');
    expect(volumesOfNats).toContain('secrets-nats:/run/crm:ro');
    expect(depends_on?.secrets?.condition).toBe('service_completed_successfully');
  });

  it('is reachable only from this machine', () => {
    const ports = containers.flatMap(([, container]) => container.ports);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
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
