export { type Disturbance, type FaultyProxy, faultyProxy } from './faulty-proxy.ts';
export { type FreshDatabase, freshDatabase } from './fresh-database.ts';
export { type Holding, holdAt } from './hold-at.ts';
export { agentOf, someone, teammateOf } from './people.ts';
export { peopleIn } from './people-in.ts';
export { processEnding } from './process-ending.ts';
export { isEachInBoth, isInShape, seed } from './seed.ts';
export { startValkey, type TestValkey } from './start-valkey.ts';
export { untilWaiting } from './until-waiting.ts';
