import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CarrierBook } from '../carrier-book.ts';
import { formOf } from '../form.ts';
import type { MailCatcher } from '../mail-catcher.ts';
import { isLocalHost, isSameOrigin } from './same-origin.ts';
import { style } from './style.ts';
import { type Everything, timeline } from './timeline.ts';

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The body of an e-mail may use any style, but can do nothing: no scripts, no forms, no requests. */
const bodyPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const refreshSeconds = 5;

type RequestById = FastifyRequest<{ Params: { id: string } }>;

interface Page {
  readonly mail: MailCatcher;
  readonly book: CarrierBook;
  /** The first part of its path, a secret of those who may read all messages. */
  readonly key: string;
}

/** A page that shows what was sent, with forms to reply. */
export function servePage(app: FastifyInstance, { mail, book, key }: Page): void {
  const everything = async (): Promise<Everything> => ({
    emails: await mail.mails(),
    sent: book.sent(),
    answered: book.answered(),
  });

  app.get('/', (_request, reply) => {
    headersOf(reply);
    return respond(
      reply,
      404,
      'The address of this page is in the output of npm start, or of this container.',
    );
  });
  const serve = async (page: FastifyInstance) => {
    page.addHook('onRequest', async (request, reply) => {
      headersOf(reply);
      if (!isLocalHost(request.headers))
        return respond(reply, 403, 'Open this page by IP address or as localhost.');
      if (request.method === 'POST' && !isSameOrigin(request.headers))
        return respond(reply, 403, 'This form has to be submitted from this page.');
    });

    page.get('/', async (request: FastifyRequest<{ Querystring: { refresh?: unknown } }>, reply) => {
      const seconds = request.query.refresh === undefined ? undefined : refreshSeconds;
      return reply.type('text/html; charset=utf-8').send(timeline(await everything(), seconds).markup);
    });
    page.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
    page.get('/messages.json', async (_request, reply) => reply.send(await everything()));
    page.get('/emails/:id/html', async (request: RequestById, reply) => {
      const found = (await mail.mails()).find(({ id }) => id === request.params.id);
      if (found?.html === undefined) return respond(reply, 404, 'There is no e-mail with HTML and this id.');
      reply.header('content-security-policy', bodyPolicy);
      return reply.type('text/html; charset=utf-8').send(found.html);
    });
    serveForms(page, book);
  };
  app.register(serve, { prefix: `/${key}` });
}

function serveForms(page: FastifyInstance, book: CarrierBook): void {
  page.post('/texts/:id/reply', (request: RequestById, reply) => {
    const sent = book.find(request.params.id);
    const text = formOf(request).get('text');
    if (sent?.channel !== 'text' || !text)
      return respond(reply, 404, 'The text does not exist, or the reply is empty.');
    return answered(page, reply, book.reply(sent.to, text));
  });
  page.post('/calls/:id/press', (request: RequestById, reply) => {
    const digit = formOf(request).get('digit') ?? '';
    if (book.find(request.params.id)?.key_press_url === undefined || !/^[\d*#]$/.test(digit))
      return respond(
        reply,
        404,
        'The call does not exist or does not ask for a key, or the key is not valid.',
      );
    return answered(page, reply, book.press(request.params.id, digit));
  });
}

/** Redirects to the page, which shows the response, or reports that the callback failed. */
async function answered({ prefix }: FastifyInstance, reply: FastifyReply, callback: Promise<unknown>) {
  try {
    await callback;
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return respond(reply, 502, `The callback failed. ${reason}`);
  }
  return reply.redirect(`${prefix}/`, 303);
}

function headersOf(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': pagePolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}

const respond = (reply: FastifyReply, status: number, sentence: string) =>
  reply.code(status).type('text/plain; charset=utf-8').send(sentence);
