import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import {
  addressTexts,
  addressTypes,
  longestTags,
  mostAddresses,
  references,
  texts,
} from '../contact-fields.ts';
import { decorateProperty } from './decorate.ts';

function decorateTexts(target: object, lengths: Readonly<Record<string, number>>): void {
  for (const [name, most] of Object.entries(lengths))
    decorateProperty(target, name, IsOptional(), IsString(), MaxLength(most));
}

class AddressDto {}
decorateTexts(AddressDto.prototype, addressTexts);
decorateProperty(AddressDto.prototype, 'type', IsOptional(), IsIn(addressTypes));

export class ContactPatchDto {}
decorateTexts(ContactPatchDto.prototype, texts);
for (const name of references) decorateProperty(ContactPatchDto.prototype, name, IsOptional(), IsInt());

export class ContactDto extends ContactPatchDto {}
decorateTexts(ContactDto.prototype, { tags: longestTags });
decorateProperty(
  ContactDto.prototype,
  'addresses',
  IsOptional(),
  IsArray(),
  ArrayMaxSize(mostAddresses),
  ValidateNested({ each: true }),
  Type(() => AddressDto),
);
