import { BadRequestException } from '@nestjs/common';
import {
  type FindOperator,
  ILike,
  In,
  LessThan,
  LessThanOrEqual,
  MoreThan,
  MoreThanOrEqual,
  Not,
} from 'typeorm';
import { integers, largestPage, shown, usualPage } from '../contact-fields.ts';

type Value = string | number;

const operators: Readonly<Record<string, (value: Value | Value[]) => FindOperator<unknown>>> = {
  $in: (value) => In([value].flat()),
  $nin: (value) => Not(In([value].flat())),
  $ne: (value) => Not(value),
  $like: (value) => ILike(value),
  $lt: (value) => LessThan(value),
  $lte: (value) => LessThanOrEqual(value),
  $gt: (value) => MoreThan(value),
  $gte: (value) => MoreThanOrEqual(value),
};

/** The find options that a query string asks for. */
export function readQuery(query: Readonly<Record<string, unknown>>) {
  const { $limit, $skip, $sort, ...filters } = query;
  const where = Object.entries(filters).map(([field, asked]) => {
    if (!shown.includes(field)) throw new BadRequestException(`Unknown field "${field}".`);
    return [field, conditionOn(field, asked)] as const;
  });
  const order = Object.entries(Object($sort)).map(([field, direction]) => {
    if (!shown.includes(field)) throw new BadRequestException(`Unknown field "${field}" in $sort.`);
    return [field, direction === '-1' ? 'DESC' : 'ASC'] as const;
  });
  return {
    where: Object.fromEntries(where),
    order: { ...Object.fromEntries(order), id: order.at(-1)?.[1] ?? ('ASC' as const) },
    take: Math.min(wholeNumber($limit, usualPage), largestPage),
    skip: wholeNumber($skip, 0),
  };
}

function conditionOn(field: string, asked: unknown): unknown {
  if (typeof asked === 'string') return typed(field, asked);
  const [[name, value] = ['', undefined], ...others] = Object.entries(Object(asked));
  const operator = operators[name];
  if (!operator || others.length > 0) throw new BadRequestException(`Unknown condition on "${field}".`);
  return operator(Array.isArray(value) ? value.map((one) => typed(field, one)) : typed(field, value));
}

function typed(field: string, value: unknown): Value {
  if (typeof value !== 'string') throw new BadRequestException(`The value of "${field}" is invalid.`);
  if (!integers.includes(field)) return value;
  if (!/^-?\d{1,15}$/.test(value)) throw new BadRequestException(`"${field}" must be a whole number.`);
  return Number(value);
}

function wholeNumber(value: unknown, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value);
  throw new BadRequestException('$limit and $skip must be whole numbers.');
}
