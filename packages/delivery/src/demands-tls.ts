/**
 * Whether a mail server gets nothing before the connection is encrypted, with STARTTLS for `smtp:`: by default if it is on
 * another machine and the URL has a password, which anybody on the way could have sent in the clear. `requireTLS` in the
 * query of the URL decides otherwise.
 */
export function demandsTls(smtpUrl: string): boolean {
  const { hostname, username, password, searchParams } = new URL(smtpUrl);
  const said = searchParams.get('requireTLS');
  if (said !== null) return said === 'true';
  return (username !== '' || password !== '') && !thisMachine.test(hostname);
}

const thisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;
