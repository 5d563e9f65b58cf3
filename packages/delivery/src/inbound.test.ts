import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInbound, readStatus } from './inbound.ts';
import { signatureOf } from './signature.ts';

const url = 'https://crm.example/callbacks/text?account=1';
const token = 'secret';

const text = {
  MessageSid: 'SM1',
  From: '+16045554572',
  To: '(604) 555-0100',
  Body: 'Stop & go, “please” 🏠',
};
const press = { CallSid: 'CA1', From: '+16045550100', To: '+16045554572', Digits: '1' };

const signedForm = (body: string) =>
  readInbound({ url, body, signature: signatureOf(url, new URLSearchParams(body), token) }, token);
const signed = (form: Record<string, string>) => signedForm(new URLSearchParams(form).toString());

const statusOf = (status: string) => {
  const body = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: status }).toString();
  return readStatus({ url, body, signature: signatureOf(url, new URLSearchParams(body), token) }, token);
};

describe('a status', () => {
  it('is reported', () => {
    expect(statusOf('delivered')).toEqual({ reference: 'SM1', state: 'Delivered' });
  });

  it.each(['', 'unheard-of', 'constructor', 'toString'])('that is not known is ignored: %s', (status) => {
    expect(statusOf(status)).toBeUndefined();
  });
});

describe('a callback', () => {
  it('of a text has its sender and its text', () => {
    expect(signed({ ...text, NumMedia: '0' })).toEqual({
      kind: 'text',
      from: '+16045554572',
      to: '+16045550100',
      text: text.Body,
      id: 'SM1',
      meaning: 'other',
      isAnswered: false,
      mediaUrls: [],
    });
    expect(signed({ ...text, Body: '' })).toMatchObject({ kind: 'text', text: '' });
  });

  it.each([
    ['ARRET', 'STOP', 'stop', true],
    ['Genoeg', 'stop', 'stop', true],
    ['JOIN', 'START', 'start', true],
    ['STOP', 'Start', 'start', true],
    ['Aide', 'HELP', 'help', true],
    ['Stop', 'unheard-of', 'stop', false],
    ['Stop', '', 'stop', false],
    ['Hello', 'constructor', 'other', false],
  ])('of a text "%s" with the OptOutType "%s" means "%s"', (Body, OptOutType, meaning, isAnswered) => {
    expect(signed({ ...text, Body, OptOutType })).toMatchObject({ text: Body, meaning, isAnswered });
  });

  it.each(['86753', 'BANK', '+15555550123'])(
    'of a text keeps a sender that is not a phone number: %s',
    (From) => {
      expect(signed({ ...text, From })).toMatchObject({ kind: 'text', from: From, text: text.Body });
    },
  );

  it('of a text has the URLs of its media', () => {
    const media = { NumMedia: '2', MediaUrl0: 'https://a.example/0', MediaUrl1: 'https://a.example/1' };
    expect(signed({ ...text, Body: '', ...media, MediaUrl2: 'x', MediaUrl01: 'x' })).toMatchObject({
      text: '',
      mediaUrls: [media.MediaUrl0, media.MediaUrl1],
    });
  });

  it('of a key press has its call', () => {
    expect(signed(press)).toEqual({
      kind: 'key press',
      from: '+16045550100',
      to: '+16045554572',
      digits: '1',
      call_id: 'CA1',
    });
  });

  it('is ignored without the signature of the provider', () => {
    const body = new URLSearchParams(text).toString();
    const signature = signatureOf(url, new URLSearchParams(text), token);
    expect(readInbound({ url, body, signature }, token)).toBeDefined();
    for (const wrong of [undefined, '', 'x', signature.slice(1), `${signature}=`, signature.toLowerCase()]) {
      expect(readInbound({ url, body, signature: wrong }, token)).toBeUndefined();
    }
    expect(readInbound({ url, body: `${body}&Body=claim`, signature }, token)).toBeUndefined();
    expect(readInbound({ url: url.replace('1', '2'), body, signature }, token)).toBeUndefined();
    expect(readInbound({ url, body, signature }, 'another')).toBeUndefined();
  });

  it('that repeats a field with different values is ignored', () => {
    const body = new URLSearchParams(text).toString();
    expect(signedForm(`${body}&From=%2B16045559999`)).toBeUndefined();
    expect(signedForm(`${body}&Body=other`)).toBeUndefined();
    expect(signedForm(`${body}&From=%2B16045554572`)).toMatchObject({ from: '+16045554572' });
  });

  it.each<[string, Record<string, string>]>([
    ['without a number', { MessageSid: 'SM1', To: text.To, Body: 'x' }],
    ['without a sender', { ...text, From: ' ' }],
    ['of a key that a short code pressed', { ...press, From: '86753' }],
    ['without an id', { From: text.From, To: text.To, Body: 'x' }],
    ['with an invalid id', { ...text, MessageSid: '../x' }],
    ['of a call that is only ringing', { CallSid: 'CA1', From: text.From, To: text.To }],
    ['with keys that no phone has', { ...press, Digits: 'x' }],
    ['with nothing', {}],
  ])('%s is ignored', (_, form) => {
    expect(signed(form)).toBeUndefined();
  });

  it('may contain anything, and is then ignored without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (body, signature) => {
        expect(readInbound({ url, body, signature }, token)).toBeUndefined();
        expect(signedForm(body)).toBeUndefined();
      }),
    );
  });
});
