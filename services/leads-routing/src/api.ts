/** All that leads and their routing may be asked. */
export const leadsRoutingApi = {};
