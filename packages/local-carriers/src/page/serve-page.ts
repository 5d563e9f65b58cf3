import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CarrierBook } from '../carrier-book.ts';
import { formOf } from '../form.ts';
import type { MailCatcher } from '../mail-catcher.ts';
import { isAskedLocally, isSameOrigin } from './same-origin.ts';
import { style } from './style.ts';
import { type Everything, timeline } from './timeline.ts';

const pagePolicy =
  "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The body of an e-mail may look as it likes, and do nothing: no script, no form, no request to anybody. */
const bodyPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

const refreshSeconds = 5;

type OfOne = FastifyRequest<{ Params: { id: string } }>;

/** A page for people, to look at what was sent and to answer it. */
export function servePage(app: FastifyInstance, mail: MailCatcher, book: CarrierBook): void {
  const everything = (): Everything => ({
    emails: mail.mails(),
    sent: book.sent(),
    answered: book.answered(),
  });

  app.register(async (page) => {
    page.addHook('onRequest', async (request, reply) => {
      headersOf(reply);
      if (!isAskedLocally(request.headers)) return say(reply, 403, 'Ask by an address or as localhost.');
      if (request.method === 'POST' && !isSameOrigin(request.headers))
        return say(reply, 403, 'This form was not sent by this page.');
    });

    page.get('/', (request: FastifyRequest<{ Querystring: { refresh?: unknown } }>, reply) => {
      const seconds = request.query.refresh === undefined ? undefined : refreshSeconds;
      return reply.type('text/html; charset=utf-8').send(timeline(everything(), seconds).markup);
    });
    page.get('/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(style));
    page.get('/messages.json', (_request, reply) => reply.send(everything()));
    page.get('/emails/:id/html', (request: OfOne, reply) => {
      const found = mail.mails().find(({ id }) => id === request.params.id);
      if (found?.html === undefined) return say(reply, 404, 'There is no such e-mail with HTML.');
      reply.header('content-security-policy', bodyPolicy);
      return reply.type('text/html; charset=utf-8').send(found.html);
    });

    page.post('/texts/:id/reply', (request: OfOne, reply) => {
      const sent = book.find(request.params.id);
      const text = formOf(request).get('text');
      if (sent?.channel !== 'text' || !text) return say(reply, 404, 'There is no such text, or no reply.');
      return answered(reply, book.reply(sent.to, text));
    });
    page.post('/calls/:id/press', (request: OfOne, reply) => {
      const digit = formOf(request).get('digit') ?? '';
      if (book.find(request.params.id)?.key_press_url === undefined || !/^[\d*#]$/.test(digit))
        return say(reply, 404, 'There is no such call that asks for a key, or no key.');
      return answered(reply, book.press(request.params.id, digit));
    });
  });
}

/** Back to the page, which shows the answer; or says that nobody listens where callbacks go. */
async function answered(reply: FastifyReply, callback: Promise<unknown>) {
  try {
    await callback;
  } catch (error) {
    return say(reply, 502, `The callback was not answered. ${error instanceof Error ? error.message : ''}`);
  }
  return reply.redirect('/', 303);
}

function headersOf(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': pagePolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
}

const say = (reply: FastifyReply, status: number, sentence: string) =>
  reply.code(status).type('text/plain; charset=utf-8').send(sentence);
