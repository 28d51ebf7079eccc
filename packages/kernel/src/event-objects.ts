import Type, { type TSchema } from "typebox";

/** What an event of a type has as its `data.object`, and one made up. */
export interface EventObject {
  readonly schema: TSchema;
  readonly example: object;
}

/** By the type of event. */
export type EventObjects = Readonly<Record<string, EventObject>>;

export const dateTime = Type.String({ format: "date-time" });
export const maybe = (schema: TSchema) => Type.Optional(schema);

/** What made-up events are about: one account, its wallet, and one payment. */
export const example = {
  account: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  settings: "5xot9PVkphiX2adznghwrAuxGs2zeWisNSxMW6hU6Hkj",
  wallet: "7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2",
  id: "7b0c1f6e-4f7e-4f0a-9a57-0f4f5d1f6a10",
  signature: "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
  at: "2026-01-15T12:00:00.000Z",
  coin: "usdc",
  primaryCustodian: "kms_a",
  backupCustodian: "kms_b",
} as const;
