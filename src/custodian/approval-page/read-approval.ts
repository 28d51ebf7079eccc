import { Buffer } from "node:buffer";
import type { Address } from "@solana/kit";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { readTransaction } from "@trellis/solana/transaction-bytes.js";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { challengeFor } from "../../custody/passkey/passkey-stamp.js";
import { parsePayload, payloadExpiryMs } from "../../custody/payload.js";
import type { CustodianContext } from "../context.js";
import { classify } from "../policy/classify.js";
import { type Described, describeFacts, describeWaiting } from "./describe-facts.js";
import { isReturnAddress } from "./return-address.js";

/** What the page asks about: a payload, and where its answer goes: to an origin's window, or in the redirect form to an address. */
const AskedApproval = Type.Object(
  {
    payload: Type.String({ maxLength: 8_192 }),
    return_to: Type.String({ maxLength: 300 }),
    form: Type.Optional(Type.Literal("redirect")),
  },
  { additionalProperties: false },
);
const checker = Compile(AskedApproval);

/** What the page shows, and what the passkey signs. */
interface Approval {
  readonly environment: string;
  readonly wallet: string;
  readonly return_to: string;
  readonly what: readonly Described[];
  readonly rp_id: string;
  /** Base64url: the SHA-256 of the payload's canonical JSON. */
  readonly challenge: string;
  readonly is_over: boolean;
  /** Changes of settings that the wallet signs from an instant on, unless its holder cancels them. */
  readonly waiting: readonly { readonly from: string; readonly what: readonly Described[] }[];
}

/** Reads what is to be approved; undefined for anything that is no payload of a guarded wallet here, or whose answer would go where its wallet knows nobody. */
export async function readApproval(context: CustodianContext, asked: unknown): Promise<Approval | undefined> {
  if (!checker.Check(asked)) return undefined;
  const { payload, return_to, form } = asked;
  const document = parsePayload(payload);
  const challenge = challengeFor(payload);
  const read = document && readTransaction(Buffer.from(document.params.transaction, "base64"));
  if (document === undefined || challenge === undefined || read === undefined) return undefined;
  const row = await context.db
    .selectFrom("kms_wallet")
    .select("id")
    .where("address", "=", document.wallet)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { rp, environment, walletId, kind } = await context.terms.get(row.id);
  if (rp === null || environment !== document.environment) return undefined;
  const party = relyingPartyOf(rp.id, rp.origins);
  const appAddresses = context.pageApps.filter(({ id }) => id === rp.id).flatMap(({ addresses }) => addresses);
  const returns = { party, ownOrigin: context.pageOrigin, appAddresses };
  const isKnown = form === "redirect" ? isReturnAddress(return_to, returns) : party.allows(return_to);
  if (!isKnown) return undefined;
  const now = environment === "sandbox" ? await context.terms.advance(walletId, 0) : context.clock.now();
  const address = document.wallet as Address;
  const listed = await context.policies.peekPending({ wallet: { id: walletId, address, environment, kind }, now });
  const message = Uint8Array.from(read.transaction.messageBytes);
  return {
    environment,
    wallet: document.wallet,
    return_to,
    what: describeFacts(classify(message, address), environment),
    rp_id: rp.id,
    challenge: Buffer.from(challenge).toString("base64url"),
    is_over: payloadExpiryMs(document) <= now,
    waiting: (listed?.changes ?? []).map(({ from, change }) => ({
      from: new Date(from).toISOString(),
      what: describeWaiting(change),
    })),
  };
}
