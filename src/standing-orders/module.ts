import { limits } from "@trellis/kernel/limits.js";
import type { Module } from "@trellis/kernel/module.js";
import { noticeMandates } from "./mandate.js";
import { mandateStates, orderStates } from "./order-states.js";
import { payStandingOrders } from "./pay-orders.js";
import { payoutEvents } from "./payout-event.js";
import { runEvents } from "./run-event.js";
import { runStates } from "./run-states.js";
import { standingOrderEvents } from "./standing-order-event.js";

type Needs = Parameters<typeof payStandingOrders>[0] & Parameters<typeof noticeMandates>[0];

export const standingOrders: Module<Needs> = {
  name: "standing-orders",
  events: { ...payoutEvents, ...runEvents, ...standingOrderEvents },
  passes: (needs, network) => [
    {
      name: "pay_standing_orders",
      everyMs: limits.payStandingOrdersEveryMs,
      run: () => payStandingOrders(needs, network),
    },
  ],
  states: [
    { table: "standing_order", column: "status", states: orderStates },
    { table: "standing_order", column: "mandate", states: mandateStates },
    { table: "standing_order_run", column: "state", states: runStates },
  ],
  afterConfirmation: [
    {
      // An order begins when its limit has landed, and ends when that is removed.
      name: "notice_mandates",
      concerns: ({ changesSettings }) => changesSettings,
      run: (needs, network, { account, slot }) => noticeMandates(needs, network, account.address, slot),
    },
  ],
};
