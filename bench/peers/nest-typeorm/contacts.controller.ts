import {
  Body,
  Controller,
  Get,
  Inject,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Query,
  Req,
  UseGuards,
} from '@nestjs/common';
import { ContactDto, ContactPatchDto } from './contact.dto.ts';
import { ContactsService } from './contacts.service.ts';
import { decorateRoute } from './decorate.ts';
import { TokenGuard } from './token.guard.ts';

interface UserRequest {
  readonly user: { readonly id: number };
}

export class ContactsController {
  private readonly service: ContactsService;

  constructor(service: ContactsService) {
    this.service = service;
  }

  find({ user }: UserRequest, query: Record<string, unknown>) {
    return this.service.find(user.id, query);
  }

  get({ user }: UserRequest, id: number) {
    return this.service.get(user.id, id);
  }

  create({ user }: UserRequest, body: ContactDto) {
    return this.service.create(user.id, body);
  }

  patch({ user }: UserRequest, id: number, body: ContactPatchDto) {
    return this.service.patch(user.id, id, body);
  }
}

const { prototype } = ContactsController;
const id = Param('id', ParseIntPipe);
decorateRoute(prototype, 'find', { method: Get(), parameters: [Req(), Query()], types: [Object, Object] });
decorateRoute(prototype, 'get', { method: Get(':id'), parameters: [Req(), id], types: [Object, Number] });
decorateRoute(prototype, 'create', {
  method: Post(),
  parameters: [Req(), Body()],
  types: [Object, ContactDto],
});
decorateRoute(prototype, 'patch', {
  method: Patch(':id'),
  parameters: [Req(), id, Body()],
  types: [Object, Number, ContactPatchDto],
});
UseGuards(TokenGuard)(ContactsController);
Controller('contacts')(ContactsController);
Inject(ContactsService)(ContactsController, undefined, 0);
