import { startLocalCarriers } from '@crm/local-carriers';

const account = { accountSid: 'AC0123', authToken: 'a-token-for-tests', number: '+16045550100' };
const nowhere = 'http://127.0.0.1:9/';
const question = `<Response><Gather action="${nowhere}"><Say>Press 1 to claim.</Say></Gather></Response>`;

/** The page that shows what a system on one machine would send, with a text and a call. */
export async function startMessages() {
  const callbackUrls = { text: nowhere, keyPress: nowhere };
  const place = { host: '127.0.0.1', smtpPort: 0, pagePort: 0 };
  const local = await startLocalCarriers({ ...account, ...place, callbackUrls });
  const { accountSid, authToken, number } = account;
  const send = (resource: string, fields: Readonly<Record<string, string>>) =>
    fetch(`${local.carrier.url}/2010-04-01/Accounts/${accountSid}/${resource}.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` },
      body: new URLSearchParams({ To: '+16045554572', From: number, ...fields }),
    });
  await send('Messages', { Body: `A lead waits: https://crm.example.com/claim/${'x'.repeat(300)}` });
  await send('Calls', { Twiml: question });
  return { url: local.pageUrl, close: local.close };
}
