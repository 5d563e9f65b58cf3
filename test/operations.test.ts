import { globSync, readdirSync, readFileSync } from 'node:fs';
import { programFor } from '@crm/crm/program';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const filesAt = (pattern: string) => globSync(pattern, { cwd: root.pathname });

/** What operators read. */
const documents = [
  ...filesAt('docs/operations/*.md'),
  ...filesAt('docs/*.md'),
  ...filesAt('deploy/**/README.md'),
  'README.md',
].filter((path) => path !== 'docs/reach.md');

const services = readdirSync(new URL('services', root)).map((name) => name.toUpperCase().replace('-', '_'));

/** The variables that a pattern in the code stands for, one for each service. */
function expanded(name: string): string[] {
  if (!name.startsWith('$')) return [name];
  const suffix = name.replace(/^\$\{[^}]*\}+/, '');
  return suffix === '_SERVICE_TOKEN'
    ? ['GATEWAY', 'CONTACTS', 'SCHEDULING', 'CAMPAIGNS_TEMPLATES', 'LEADS_ROUTING', 'PLATFORM'].map(
        (owner) => `${owner}${suffix}`,
      )
    : services.map((service) => `${service}${suffix}`);
}

/** Read by the code as variables: keys of what is read from the environment, and names of single ones. */
function variablesInCode(): Set<string> {
  const sources = filesAt('{packages,services,gateway,crm}/**/src/**/*.ts').filter(
    (path) => !/\.test\.ts$|node_modules|^packages\/(testing|compatibility)\//.test(path),
  );
  const found = sources.flatMap((path) => {
    const text = read(path);
    if (!/readEnvironment|variables\b|Variables\b|\benv\./.test(text)) return [];
    const keys = text.matchAll(
      /\b([A-Z][A-Z0-9_]{2,}): (?:variables\.|z\b|read\(|limit\(|[a-zA-Z]+(?:\.default|\.optional|,|\(| \}))/g,
    );
    const single = text.matchAll(/\benv\.([A-Z][A-Z_]+)/g);
    const patterns = text.matchAll(/`(\$\{variablePrefix\(\w+\)\}_[A-Z_]+)`/g);
    return [...keys, ...single, ...patterns].flatMap(([, name = '']) => expanded(name));
  });
  return new Set(found);
}

/** Set by one of our processes for another, by npm and the shell, or by whoever runs a sample of code. */
const internal = new Set([
  ...['CRM_SUPERVISED', 'WATCH_REPORT_DEPENDENCIES', 'NODE_COMPILE_CACHE', 'TURBO_HASH'],
  ...['INIT_CWD', 'PATH', 'TZ', 'TOKEN'],
]);

/** In capitals, and no variable of ours; the first ones are read by the exporter of OpenTelemetry. */
const others =
  /^(OTEL_(SERVICE_NAME|RESOURCE_ATTRIBUTES|EXPORTER_OTLP_HEADERS)|POSTGRES_|NATS_IMAGE|GF_|PATRONI_|TEST_|RFC_|SQL_|CRM_IMAGE$|COMPOSE_FILE$|NODE_(OPTIONS|EXTRA_CA_CERTS|IMAGE|ENV)$)/;

const configured = new Set(
  (read('docs/operations/configure.md').match(/^\| `[A-Z].*$/gm) ?? []).flatMap((row) =>
    [...row.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)`/g)].map(([, name = '']) => name),
  ),
);

/** The commands in a document, in code spans and in code that is fenced: the words after `crm`. */
function commandsIn(text: string): string[][] {
  const fenced = [...text.matchAll(/^```\w*\n(.*?)^```/gms)].map(([, code = '']) => code);
  const spans = [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
  return [...fenced.flatMap((code) => code.split('\n')), ...spans].flatMap((line) => {
    const [, words] =
      /(?:npm run (?:--silent )?crm -- |--rm crm |main\.ts |^crm )([a-z][^`]*)/.exec(line) ?? [];
    return words === undefined
      ? []
      : [
          words
            .replace(/ [|>].*/, '')
            .trim()
            .split(/ +/),
        ];
  });
}

const program = programFor({}, {});

/** What of a command does not exist. */
function unknownIn(words: readonly string[]): string | undefined {
  let command = program;
  for (const word of words) {
    if (word.startsWith('--')) {
      const exists = [...command.options, ...program.options].some(({ long }) => long === word);
      if (!exists) return `${word} of ${command.name()}`;
      continue;
    }
    const next = command.commands.find((one) => one.name() === word);
    if (next) command = next;
    else if (command.commands.length > 0) return `${command.name()} ${word}`;
  }
  return undefined;
}

describe('the documents for operators', () => {
  const variables = variablesInCode();

  it('list every variable that the code reads, and no other', () => {
    const inCode = [...variables].filter((name) => !internal.has(name) && !others.test(name));
    expect(inCode.length).toBeGreaterThan(40);
    const listed = [...configured].filter((name) => !others.test(name));
    expect(listed.sort()).toEqual(inCode.sort());
  });

  it.each(documents)('name only variables that exist: %s', (path) => {
    const known = new Set([...configured, ...variables]);
    const named = [...read(path).matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(
      ([, name = '']) => name,
    );
    const invented = named.filter((name) => !known.has(name) && !others.test(name));
    expect(invented).toEqual([]);
  });

  it.each(documents)('name only commands and options that exist: %s', (path) => {
    expect(commandsIn(read(path)).flatMap((words) => unknownIn(words) ?? [])).toEqual([]);
  });

  it('name many commands', () => {
    const named = documents.flatMap((path) => commandsIn(read(path)).map(([first]) => first));
    expect(new Set(named).size).toBeGreaterThan(12);
  });

  it.each(documents)('link to what exists: %s', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    for (const [, target = '', section] of links) {
      const file =
        target === '' ? path : new URL(target, new URL(path, root)).pathname.slice(root.pathname.length);
      const found = filesAt(file.replace(/\/$/, ''));
      expect(found, `${path} links to ${target}`).toHaveLength(1);
      if (section && file.endsWith('.md')) expect(headingsOf(read(file))).toContain(section);
    }
  });
});

const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
