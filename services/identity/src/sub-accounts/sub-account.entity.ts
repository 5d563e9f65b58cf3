import { brokerSwitches, eachSwitch } from '@crm/contract';
import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleSubAccounts } from './sub-account.policy.ts';

const SubAccountSchema = defineEntity({
  name: 'SubAccount',
  tableName: 'sub_accounts',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    broker_user_id: p.integer(),
    user_id: p.integer(),
    generation: p.integer(),
    ...eachSwitch(brokerSwitches, p.boolean()),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleSubAccounts),
});

/** A user who works for a broker, and the kinds of the broker's records that the user can use. */
export class SubAccount extends SubAccountSchema.class {}
SubAccountSchema.setClass(SubAccount);
