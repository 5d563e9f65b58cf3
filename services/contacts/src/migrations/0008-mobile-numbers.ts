import { Migration } from '@mikro-orm/migrations';

export class MobileNumbers extends Migration {
  override up() {
    this.addSql(`
      create index contacts_mobile_e164 on contacts (mobile_phone_e164) where mobile_phone_e164 is not null;
    `);
  }
}
