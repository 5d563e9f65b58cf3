/** All that tasks and communications may be asked. */
export const schedulingApi = {};
