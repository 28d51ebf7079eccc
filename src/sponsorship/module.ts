import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { sponsorshipEvents } from "./sponsorship-event.js";

const { kept } = limits;

export const sponsorship: Module<unknown> = {
  name: "sponsorship",
  events: sponsorshipEvents,
  retention: [
    {
      table: "sponsored_cost",
      since: "reserved_on",
      keptMs: kept.sponsoredCostMs,
      clock: "real",
      unit: "day",
      // Not rent that is still out.
      only: "not (is_recoverable and returned_at is null and spent_lamports is distinct from 0)",
    },
    { table: "sponsorship_budget", since: "day", keptMs: kept.sponsorshipBudgetMs, clock: "real", unit: "day" },
  ],
};
