import { json, literal, python, typescript } from './literals.ts';

/** A request that a client could send, with the parts that all languages need. */
export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly needsToken: boolean;
  readonly body?: { readonly type: string; readonly content: unknown } | undefined;
  readonly returnsJson: boolean;
  /** The call of `@crm/sdk`, which does not support pages, files and OAuth. */
  readonly sdk?: { readonly server: string; readonly name: string; readonly input: object } | undefined;
}

/** The format that viewers of OpenAPI documents agree on. */
interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** Programs that send a request with the token in the environment variable `TOKEN`, and print the response. */
export const codeSamplesOf = (request: SampleRequest): CodeSample[] => [
  { lang: 'shell', label: 'curl', source: curlOf(request) },
  { lang: 'typescript', label: 'TypeScript', source: request.sdk ? sdkOf(request.sdk) : fetchOf(request) },
  { lang: 'python', label: 'Python', source: pythonOf(request) },
];

const isJson = (type: string) => type === 'application/json';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf({ method, url, needsToken, body }: SampleRequest): string {
  // With a body, the default method is POST.
  const usual = body ? 'POST' : 'GET';
  return [
    `curl ${method === usual ? '' : `-X ${method} `}${quoted(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body ? [`-H ${quoted(`Content-Type: ${body.type}`)}`] : []),
    ...(body
      ? [`--data-binary ${quoted(isJson(body.type) ? literal(body.content, json) : String(body.content))}`]
      : []),
  ].join(' \\\n  ');
}

function sdkOf({ server, name, input }: NonNullable<SampleRequest['sdk']>): string {
  const given = Object.keys(input).length > 0 ? literal(input, typescript) : '';
  return [
    "import { createCrm } from '@crm/sdk';",
    '',
    `const crm = createCrm({ url: ${typescript.text(server)}, auth: process.env.TOKEN ?? '' });`,
    `console.log(await crm.${name}(${given}));`,
  ].join('\n');
}

function fetchOf({ method, url, needsToken, body, returnsJson }: SampleRequest): string {
  const headers = [
    ...(needsToken ? [`    authorization: \`Bearer \${process.env.TOKEN}\`,`] : []),
    ...(body ? [`    'content-type': '${body.type}',`] : []),
  ];
  const content = body && literal(body.content, typescript, '  ');
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body ? [`  body: ${isJson(body.type) ? `JSON.stringify(${content})` : content},`] : []),
  ];
  const given = options.length > 0 ? `, {\n${options.join('\n')}\n}` : '';
  return [
    `const response = await fetch(${typescript.text(url)}${given});`,
    `console.log(await response.${returnsJson ? 'json' : 'text'}());`,
  ].join('\n');
}

function pythonOf({ method, url, needsToken, body, returnsJson }: SampleRequest): string {
  const headers = [
    ...(needsToken ? [`        "Authorization": f"Bearer {os.environ['TOKEN']}",`] : []),
    ...(body ? [`        "Content-Type": "${body.type}",`] : []),
  ];
  const content = body && literal(body.content, python, '    ');
  const isJsonBody = body !== undefined && isJson(body.type);
  return [
    ...(isJsonBody || returnsJson ? ['import json'] : []),
    ...(needsToken ? ['import os'] : []),
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${python.text(url)},`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body ? [`    data=${isJsonBody ? `json.dumps(${content})` : content}.encode(),`] : []),
    ')',
    'with urlopen(request) as response:',
    `    print(${returnsJson ? 'json.load(response)' : 'response.read().decode()'})`,
  ].join('\n');
}

/** The name of an operation in the SDK. */
export const sdkNameOf = (procedure: string): string => procedure.replace(/\.find$/, '.list');
