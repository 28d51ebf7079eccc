import { dateTime, type EventObjects, example, maybe } from "@trellis/kernel/event-objects.js";
import { addressText, amountText, signatureText } from "@trellis/kernel/wire-texts.js";
import Type from "typebox";

const { account, at, signature, wallet } = example;

const transferObject = Type.Object(
  {
    account: addressText(),
    mint: addressText({ description: "The system program's address is SOL." }),
    amount: amountText(),
    decimals: Type.Integer(),
    from: addressText(),
    to: addressText(),
    token_account: maybe(addressText()),
    transaction_signature: signatureText(),
    confirmed_at: dateTime,
  },
  { $id: "ReceivedTransfer" },
);

/** What events about money that has arrived carry. */
export const transferEvents = {
  "transfer.received": {
    schema: transferObject,
    example: {
      account,
      mint: "11111111111111111111111111111111",
      amount: "1000000",
      decimals: 9,
      from: wallet,
      to: account,
      transaction_signature: signature,
      confirmed_at: at,
    },
  },
} as const satisfies EventObjects;
