import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type DataSource, IsNull, MoreThan } from 'typeorm';
import { tokenHashOf } from '../token-hash.ts';

export class TokenGuard implements CanActivate {
  private readonly database: DataSource;

  constructor(database: DataSource) {
    this.database = database;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest();
    const token_hash = tokenHashOf(request.headers.authorization);
    const found =
      token_hash &&
      (await this.database.getRepository<Record<string, unknown>>('Token').findOne({
        where: {
          token_hash,
          revoked_at: IsNull(),
          expires_at: MoreThan(new Date()),
          user: { disabled_at: IsNull() },
        },
        relations: { user: true },
      }));
    if (!found) throw new UnauthorizedException('Invalid access token.');
    request.user = found.user;
    return true;
  }
}
Injectable()(TokenGuard);
Inject(getDataSourceToken())(TokenGuard, undefined, 0);
