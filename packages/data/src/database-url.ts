/** A URL of PostgreSQL, as its own programs read it, with several hosts. */
const severalHosts = /^\w+:\/\/(?:[^@/?#]*@)?([^@/?#]+,[^@/?#]*)/i;

/** A URL for each host of a URL with several. */
export function urlsOf(url: string): readonly [string, ...string[]] {
  const hosts = severalHosts.exec(url)?.[1];
  if (hosts === undefined) return [url];
  const [first = '', ...others] = hosts.split(',').map((host) => url.replace(hosts, host));
  return [first, ...others];
}

/** The hosts and ports of a URL, for people. */
export const hostsOf = (url: string): string =>
  urlsOf(url)
    .map((one) => new URL(one).host)
    .join(', ');

/** The URL of a database with another role. */
export const withRole = (url: string, role: string, password: string): string =>
  changed(url, { username: role, password });

/** The URL of a database through a pooler in front of its server. */
export function throughPooler(url: string, poolerUrl: string): string {
  const { username, password, pathname } = new URL(urlsOf(url)[0]);
  return changed(poolerUrl, { username, password, pathname });
}

function changed(url: string, parts: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string {
  const own = Object.assign(new URL(urlsOf(url)[0]), parts);
  const hosts = severalHosts.exec(url)?.[1];
  return hosts === undefined ? own.href : own.href.replace(own.host, hosts);
}
