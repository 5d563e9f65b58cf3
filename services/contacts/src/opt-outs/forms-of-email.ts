import { domainToASCII, domainToUnicode } from 'node:url';

/** The forms in which contacts may have an address, whose capitals do not matter. */
export function formsOf(email: string): string[] {
  const address = email.trim();
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const local = address.slice(0, at);
  const domains = [domain, domainToASCII(domain), domainToUnicode(domain)];
  const forms = domains.flatMap((one) => ['NFC', 'NFD', 'NFKC'].map((form) => (local + one).normalize(form)));
  return [...new Set([email, address, ...forms])];
}
