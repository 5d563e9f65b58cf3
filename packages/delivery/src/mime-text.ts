import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type MimeNode from 'nodemailer/lib/mime-node';
import { encode as encodeQuoted, wrap as wrapQuoted } from 'nodemailer/lib/qp';

/**
 * A message as nodemailer writes it, but built at once: nodemailer's own chain of streams for each part costs more than the
 * connection. Throws for content that is not a string, which nodemailer would read from files or from the web.
 */
export function mimeText(message: MimeNode): string {
  foldSubject(message);
  const text = partOf(message);
  return text.endsWith('\n') ? text : `${text}\r\n`;
}

/** A run of characters that does not fit into a line and that nodemailer would not break. */
const isLong = /[!-~]{60,}/;

/** Breaks a subject with a long run into encoded words: no line may have more than 998 characters (RFC 5322, 2.1.1). */
function foldSubject(message: MimeNode): void {
  const subject = message.getHeader('Subject');
  if (typeof subject !== 'string' || !isLong.test(subject)) return;
  const value = encodeWord(subject, 'Q', 60).replaceAll('?= =?', '?=\r\n =?');
  message.setHeader('Subject', { prepared: true, value });
}

function partOf(node: MimeNode): string {
  const headers = `${node.buildHeaders()}\r\n\r\n`;
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${partOf(child)}`);
  if (node.multipart) return `${headers}${parts.join('\r\n')}\r\n--${node.boundary}--\r\n`;
  return headers + encoded(node.content ?? '', node.getTransferEncoding());
}

function encoded(content: MimeNode['content'] | '', encoding: string | false): string {
  if (typeof content !== 'string')
    throw new TypeError('Access rejected: a part of the message is not a text.');
  if (encoding === 'base64') return wrapBase64(encodeBase64(content));
  if (encoding === 'quoted-printable') return wrapQuoted(encodeQuoted(content));
  return content;
}
