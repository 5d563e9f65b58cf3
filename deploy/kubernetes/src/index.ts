export { queriesOf, queuesOf } from './autoscaling.ts';
export { everything, output } from './chart.ts';
export { secretNames } from './outside.ts';
export { processes, services } from './processes.ts';
export { valuesWith } from './values.ts';
