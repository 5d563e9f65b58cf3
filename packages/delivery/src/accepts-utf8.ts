import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** Whether an address can be sent only to a server that accepts addresses in UTF-8. A domain always has an ASCII form. */
export const needsUtf8 = (address: string): boolean => /[^\p{ASCII}].*@/u.test(address);

/**
 * Whether a mail server announces that it accepts addresses in UTF-8 (RFC 6531). Asked on a separate connection, because
 * nodemailer would send such an address to any server. Rejects if the server cannot be asked before the signal is aborted.
 */
export function acceptsUtf8(server: SMTPConnection.Options, signal: AbortSignal): Promise<boolean> {
  const connection = new SMTPConnection(server);
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => connection.close(), { once: true });
    connection.once('error', reject);
    connection.once('end', () => reject(new Error('The mail server has closed the connection.')));
    connection.connect((error) => {
      if (error) return reject(error);
      resolve(/[ -]SMTPUTF8\b/i.test(connection.lastServerResponse || ''));
      connection.quit();
    });
  });
}
