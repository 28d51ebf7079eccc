import { type EventObjects, example } from "@trellis/kernel/event-objects.js";
import type { Static } from "typebox";
import { PasskeyCeremonyOutcome } from "./ceremony-outcome.js";

const { account, at, signature, wallet } = example;

const opened: Static<typeof PasskeyCeremonyOutcome> = {
  challenge: "ErbkSXhGsVMTo0nFGPQkFMnJyf0ckWzXJ4pZmmSrvHo",
  ceremony_type: "auth",
  status: "completed",
  app_name: "Shop",
  session_key: wallet,
  session_seconds: 900,
  session_expires_at: "2026-01-15T12:15:00.000Z",
  passkey_account: "8FE27ioQh3T7o22QsYVT5Re8NnHFqmFNbdqwiF3ywuZQ",
  accounts: [account],
  signature,
  created_at: at,
  expires_at: "2026-01-15T12:01:00.000Z",
};

const shape = { schema: PasskeyCeremonyOutcome, of: PasskeyCeremonyOutcome };

/** What events about sessions of passkey signers carry: what the server that began them reads. */
export const ceremonyEvents = {
  "passkey_session.opened": { ...shape, example: opened },
  "passkey_session.ended": { ...shape, example: { ...opened, session_seconds: 0, session_expires_at: at } },
} as const satisfies EventObjects;
