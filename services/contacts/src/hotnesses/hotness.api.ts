import {
  color,
  emptyAsNull,
  find,
  forbidden,
  id,
  integer,
  notFound,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';

export const HotnessView = z.object({
  id,
  rank: emptyAsNull(integer).describe('Position in lists; 1 is the top'),
  user_id: id.describe('The user who created it'),
  name: text(45)
    .nullable()
    .meta({ examples: ['Hot'] }),
  color: emptyAsNull(color).describe('#rrggbb'),
});

const draft = HotnessView.pick({ name: true, rank: true, color: true }).partial();

export const hotnessApi = {
  find: operation({
    rest: 'GET /hotnesses',
    summary: 'List hotnesses, by user and rank by default',
    input: find(HotnessView),
    output: pageOf(HotnessView),
  }),
  get: operation({
    rest: 'GET /hotnesses/:id',
    summary: 'Read a hotness',
    input: record(HotnessView, { id }),
    output: HotnessView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /hotnesses',
    summary: 'Add a hotness',
    input: draft,
    output: HotnessView,
    refuses: [forbidden],
  }),
  patch: operation({
    rest: 'PATCH /hotnesses/:id',
    summary: 'Change a hotness',
    input: record(HotnessView, { id, ...draft.shape }),
    output: HotnessView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /hotnesses/:id',
    summary: 'Remove a hotness, also from the contacts that have it',
    input: record(HotnessView, { id }),
    output: HotnessView,
    refuses: [notFound, forbidden],
  }),
};
