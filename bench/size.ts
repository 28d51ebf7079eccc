/** A run of a few minutes that shows whether all of it works; its figures say little. */
export const isShort = process.env.BENCH_SHORT === "1";

/** How much of something is measured. */
export const sized = (usual: number, short: number): number => (isShort ? short : usual);
