/** This worker's browser, and the built page that it serves: { browser, origin, pageServer }. */
export const here = {};
