const words = String.raw`
    btrim(regexp_replace(
      replace(replace(replace(translate(
        lower(regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]', '', 'g') collate "pg_c_utf8"),
        'øłđıς', 'oldiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') collate "C",
      '[\u0001-/:-@\[-${'`'}{-\u00bf\u00d7\u00f7\u2000-\u206f\u3000-\u3003]+', ' ', 'g'))`;

const digits = `regexp_replace(coalesce($1, ''), '[^0-9]', '', 'g') || ' '`;

/**
 * The function of a service's schema that makes words of a text, in the same way as `searchWords` of the contract does
 * for what is searched.
 */
export const searchFunction = `
  create function search_words(text) returns text language sql immutable parallel safe return ${words};
`;

/**
 * `search_words`, and `search_digits`, which makes words of numbers, in PL/pgSQL. PostgreSQL would inline functions in SQL into
 * the generated columns and plan them in each statement that writes a row, which costs more than all the rest of it.
 */
export const calledSearchFunctions = Object.entries({ search_words: words, search_digits: digits })
  .map(
    ([name, result]) => `
  create or replace function ${name}(text) returns text language plpgsql immutable parallel safe
    as $$ begin return ${result}; end $$;`,
  )
  .join('');

/** Of a text of ASCII characters, which has nothing to be decomposed. */
const wordsOfAscii = String.raw`btrim(regexp_replace(lower($1 collate "C"), '[\u0001-/:-@\[-${'`'}{-\u007f]+', ' ', 'g'))`;

/** `search_words` and `search_digits` with short ways for texts of ASCII characters and for missing numbers, as most are. */
export const shorterSearchFunctions = `
  create or replace function search_words(text) returns text language plpgsql immutable parallel safe
    as $$ begin
      if octet_length($1) = char_length($1) then return ${wordsOfAscii}; end if;
      return ${words};
    end $$;
  create or replace function search_digits(text) returns text language plpgsql immutable parallel safe
    as $$ begin
      if $1 is null then return ' '; end if;
      return ${digits};
    end $$;
`;
