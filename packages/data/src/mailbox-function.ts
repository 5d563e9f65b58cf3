/** The limit of DNS. A longer label stays as it is, because encoding takes time proportional to the square of its length. */
const longestLabel = 63;

/**
 * The function of a service's schema that maps all forms of an e-mail address to one text, by which opt-outs are compared: in
 * lower case, composed, without spaces around it, and with the domain as mail programs send it (RFC 5891 and 3492). Local parts
 * that differ only in such forms count as one mailbox. It calls no other function, because indexes are restored without a search
 * path.
 */
export const mailboxFunction = String.raw`
  create function mailbox_of(address text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      plain text;
      local_part text;
      label text;
      labels text[] := '{}';
      points int[];
      encoded text;
      point int;
      code int;
      next_code int;
      delta int;
      bias int;
      basic int;
      done int;
      rest int;
      threshold int;
      place int;
    begin
      -- Nearly all addresses.
      if octet_length(address) = char_length(address) then
        return lower(btrim(address, E' \t\r\n') collate "C");
      end if;
      -- What cannot be seen is no part of a domain either.
      plain := regexp_replace(normalize(address, NFKC), '[\u00ad\u200b\u2060\ufe00-\ufe0f\ufeff]', '', 'g');
      plain := btrim(normalize(lower(plain collate "pg_c_utf8"), NFKC), E' \t\r\n');
      local_part := regexp_replace(plain, '@[^@]*$', '');
      -- JavaScript writes a sigma at the end of a word, and a dotted capital I, in another way than PostgreSQL.
      local_part := replace(replace(local_part, 'ς', 'σ'), E'i\u0307', 'i');
      if strpos(plain, '@') = 0 then
        return local_part;
      end if;
      foreach label in array string_to_array(replace(regexp_replace(plain, '^.*@', ''), '。', '.'), '.') loop
        if octet_length(label) > char_length(label) and char_length(label) <= ${longestLabel} then
          points := array(select ascii(letter) from unnest(string_to_array(label, null)) with ordinality l (letter, n) order by n);
          encoded := regexp_replace(label, '[^\u0001-\u007f]', '', 'g');
          basic := char_length(encoded);
          if basic > 0 then
            encoded := encoded || '-';
          end if;
          code := 128;
          delta := 0;
          bias := 72;
          done := basic;
          while done < cardinality(points) and char_length('xn--' || encoded) <= ${longestLabel} loop
            select min(p) into next_code from unnest(points) p where p >= code;
            delta := delta + (next_code - code) * (done + 1);
            code := next_code;
            foreach point in array points loop
              if point < code then
                delta := delta + 1;
              elsif point = code then
                rest := delta;
                place := 36;
                loop
                  threshold := least(greatest(place - bias, 1), 26);
                  exit when rest < threshold;
                  encoded := encoded || substr('abcdefghijklmnopqrstuvwxyz0123456789', 1 + threshold + (rest - threshold) % (36 - threshold), 1);
                  rest := (rest - threshold) / (36 - threshold);
                  place := place + 36;
                end loop;
                encoded := encoded || substr('abcdefghijklmnopqrstuvwxyz0123456789', 1 + rest, 1);
                delta := case when done = basic then delta / 700 else delta / 2 end;
                delta := delta + delta / (done + 1);
                bias := 0;
                while delta > 455 loop
                  delta := delta / 35;
                  bias := bias + 36;
                end loop;
                bias := bias + 36 * delta / (delta + 38);
                delta := 0;
                done := done + 1;
              end if;
            end loop;
            delta := delta + 1;
            code := code + 1;
          end loop;
          if char_length('xn--' || encoded) <= ${longestLabel} then
            label := 'xn--' || encoded;
          end if;
        end if;
        labels := labels || label;
      end loop;
      return local_part || '@' || array_to_string(labels, '.');
    end $$;
`;
