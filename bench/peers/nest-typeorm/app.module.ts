import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { connectionOptions } from '../environment.ts';
import { ContactsController } from './contacts.controller.ts';
import { ContactsService } from './contacts.service.ts';
import { entities } from './entities.ts';
import { TokenGuard } from './token.guard.ts';

export function appModule(databaseUrl: string, poolSize: number) {
  class AppModule {}
  Module({
    imports: [
      TypeOrmModule.forRoot({
        type: 'postgres',
        url: databaseUrl,
        entities,
        synchronize: false,
        poolSize,
        extra: { options: connectionOptions },
      }),
    ],
    controllers: [ContactsController],
    providers: [ContactsService, TokenGuard],
  })(AppModule);
  return AppModule;
}
