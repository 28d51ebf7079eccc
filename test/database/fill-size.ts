/**
 * How many rows each table gets: a hundred times what a statement may read, and a million with TRELLIS_MILLION_ROWS=1.
 */
export const rowCount = process.env.TRELLIS_MILLION_ROWS === "1" ? 1_000_000 : 200_000;
/** Of them so many have served their time. */
export const outdatedCount = 2_000;
