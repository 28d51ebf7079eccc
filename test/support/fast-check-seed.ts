import fc from "fast-check";

/** The same cases in every run. TRELLIS_TEST_FAST_CHECK_SEED draws others; fast-check names it where a property fails. */
fc.configureGlobal({ seed: Number(process.env.TRELLIS_TEST_FAST_CHECK_SEED ?? 1) });
