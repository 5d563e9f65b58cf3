import { z } from 'zod';

const limits = { least: 2, most: 100, words: 8 };

/** A run of digits with the spaces and signs used in phone numbers, not part of a word. */
const numberRun = /(?<![\p{L}\d])\+?\(?\d[\d\s()./+-]*\d(?![\p{L}\d])/gu;

/** Shorter numbers are compared as they are, because each group of their digits is part of a number. */
const leastDigits = 7;

/**
 * The words of a search, without accents, case and punctuation, just as the database function `search_words` returns them for the
 * searched texts. A phone number is one word in any notation.
 */
export function searchWords(text: string): string[] {
  const numbers: string[] = [];
  const others = text.normalize('NFKD').replaceAll(numberRun, (run) => {
    const digits = run.replaceAll('(0)', '').replaceAll(/\D/g, '');
    if (digits.length < leastDigits) return run;
    numbers.push(withoutPrefix(digits));
    return ' ';
  });
  return [...new Set([...plain(others).split(' '), ...numbers])].filter((word) => word !== '');
}

/** Without a trunk prefix or the North American country code: stored numbers contain the rest, however they are written. */
function withoutPrefix(digits: string): string {
  const dialed = digits.replace(/^0+/, '');
  if (dialed === '') return digits;
  return /^1\d{10}$/.test(dialed) ? dialed.slice(1) : dialed;
}

const letters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' };

function plain(text: string): string {
  return text
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[øłđıς]/g, (letter) => letters[letter] ?? letter)
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll(
      /[^\u0030-\u0039\u0061-\u007a\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u1fff\u2070-\u2fff\u3004-\u{10ffff}]+/gu,
      ' ',
    );
}

/** The parameter `$search` of a list. */
export const search = z
  .string({ error: 'must be a text, given once' })
  .trim()
  .refine((text) => [...text].length >= limits.least && [...text].length <= limits.most, {
    error: `must have ${limits.least} to ${limits.most} characters`,
    abort: true,
  })
  .transform(searchWords)
  .refine((words) => words.length > 0, { error: 'must contain a letter or a digit', abort: true })
  .refine((words) => words.length <= limits.words, { error: `must have at most ${limits.words} words` });
