import base, { longTests } from "./vitest.config.js";

// What `npm test` leaves out.
export default { ...base, test: { ...base.test, include: longTests } };
