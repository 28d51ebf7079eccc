import { type EventObjects, eventShape, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { SplItem } from "./list-transfers.js";

const { account, at, id, signature, wallet } = example;

const shape = eventShape(SplItem, { id: "ReceivedTransfer" });

const transfer: Static<typeof shape.schema> = {
  Spl: {
    id,
    grid_user_id: id,
    main_account_address: account,
    mint: "11111111111111111111111111111111",
    is_token_2022: false,
    signature,
    confirmation_status: "finalized",
    from_address: wallet,
    to_address: account,
    amount: "1000000",
    ui_amount: "0.001",
    decimals: 9,
    confirmed_at: at,
    created_at: at,
    updated_at: at,
    direction: "inflow",
    environment: "sandbox",
    instruction_index: 0,
  },
};

/** What events about money that has arrived carry: the item that the list of transfers has. */
export const transferEvents = {
  "transfer.received": { ...shape, example: transfer },
} as const satisfies EventObjects;
