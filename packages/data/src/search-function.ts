/**
 * The function of a service's schema that makes words of a text, in the same way as `searchWords` of the contract does
 * for what is searched.
 */
export const searchFunction = String.raw`
  create function search_words(text) returns text language sql immutable parallel safe return
    btrim(regexp_replace(
      replace(replace(replace(translate(
        lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g') collate "pg_c_utf8"),
        'øłđıς', 'oldiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') collate "C",
      '[\u0001-/:-@\[-${'`'}{-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3003]+', ' ', 'g'));
`;
