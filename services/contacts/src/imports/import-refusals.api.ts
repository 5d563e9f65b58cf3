import { refusal } from '@crm/contract';

export const tooManyImports = refusal('Conflict', 'Too many imports are waiting. Wait until one has ended.', {
  reason: 'too_many_imports',
  when: 'The user has reached the maximum number of unfinished imports.',
  fix: 'Wait until one has ended (see `GET /imports`), or cancel one.',
  example: 'POST /imports\nContent-Type: text/csv\n\nfirst_name,email\n…',
  given: 'several are waiting',
});

export const endedBeforeFile = refusal('Conflict', 'The import ended before its file arrived.', {
  reason: 'ended_before_file',
  when: 'The import was canceled or has failed while its file was being sent.',
  fix: 'Read the import (see `GET /imports`). To import the file after all, send it again with a new Idempotency-Key.',
  example: 'POST /imports\nContent-Type: text/csv\n\nfirst_name,email\n…',
  given: 'the import is canceled in the meantime',
});
