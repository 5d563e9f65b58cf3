import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import type MimeNode from 'nodemailer/lib/mime-node';
import { encode as encodeQuoted, wrap as wrapQuoted } from 'nodemailer/lib/qp';

/**
 * A message as nodemailer writes it, at once: its own way is a chain of streams for each part, which costs more than the
 * connection. Throws for content that is not a string, which nodemailer would look for in files or on the web.
 */
export function mimeText(message: MimeNode): string {
  const text = partOf(message);
  return text.endsWith('\n') ? text : `${text}\r\n`;
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
