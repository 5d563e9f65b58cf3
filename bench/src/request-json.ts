import { Client } from 'undici';

interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: object;
}

/** Sends one request over a connection of its own, and throws unless it succeeds. */
export async function requestJson(
  url: string,
  token: string,
  asked: JsonRequest,
): Promise<Record<string, unknown>> {
  const client = new Client(url);
  try {
    return JSON.parse(await requestText(client, token, asked));
  } finally {
    await client.close();
  }
}

/** Sends one request, and throws unless it succeeds. */
export async function requestText(
  client: Client,
  token: string,
  { method, path, body }: JsonRequest,
): Promise<string> {
  const response = await client.request({
    method,
    path: path.replaceAll('[', '%5B').replaceAll(']', '%5D'),
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.body.text();
  if (response.statusCode >= 300)
    throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 600)}`);
  return text;
}
