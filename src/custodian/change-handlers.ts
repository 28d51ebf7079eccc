import { signChangesCertificate } from "@trellis/kernel/custodian-changes-certificate.js";
import { CustodyRefusal, type Wallet } from "@trellis/kernel/ports/custodian.js";
import { isTimely, parseCancelChangeDocument } from "../custody/payload.js";
import type { OperationAnswer, OperationBody } from "../custody/protocol/operations.js";
import { authorizedOf, type CustodianContext, getWallet, termsOf, timeOf } from "./context.js";
import type { CancelFault, WaitingChanges } from "./policy/waiting-changes.js";
import { alteredRecord, documentExpired, judged } from "./policy-handlers.js";

type Params = Readonly<Record<string, string>>;

/** Certifies the changes of settings that wait at a wallet. */
export async function readChanges(
  context: CustodianContext,
  { params, body }: { readonly params: Params; readonly body: OperationBody<"readChanges"> },
): Promise<OperationAnswer<"readChanges">> {
  const terms = await termsOf(context, params);
  const wallet = await getWallet(context, terms);
  const now = await timeOf(context, terms, body.now);
  const waiting = await context.policies.listPending({ wallet: judged(terms, wallet), now });
  return { certificate: certify(context, wallet, waiting ?? "altered", body.nonce) };
}

/** Ends one, as a live passkey of the wallet has signed. */
export async function cancelChange(
  context: CustodianContext,
  { params, body }: { readonly params: Params; readonly body: OperationBody<"cancelChange"> },
): Promise<OperationAnswer<"cancelChange">> {
  const terms = await termsOf(context, params);
  const wallet = await getWallet(context, terms);
  const now = await timeOf(context, terms, body.now);
  const authorized = authorizedOf(context, terms, body.authorization, now);
  const document = parseCancelChangeDocument(authorized.payload);
  if (document?.wallet !== wallet.address || document.environment !== terms.environment) {
    throw new CustodyRefusal("invalid_payload", "The document does not cancel a change of this wallet.");
  }
  if (!isTimely(document, now)) throw documentExpired();
  await context.custodian.requirePasskey(authorized);
  const passkeyId = authorized.authority.kind === "passkey" ? authorized.authority.passkeyId : "";
  const asked = { wallet: judged(terms, wallet), id: document.params.change_id, passkeyId, now };
  return { certificate: certify(context, wallet, await context.policies.cancelPending(asked), document.nonce) };
}

function certify(
  { identity }: CustodianContext,
  { id, address }: Wallet,
  waiting: WaitingChanges | CancelFault,
  nonce: string | null,
) {
  if (typeof waiting === "string") throw faults[waiting]();
  const iso = (at: number) => new Date(at).toISOString();
  return signChangesCertificate(identity, {
    wallet: id,
    address,
    changes: waiting.changes.map(({ id: changeId, from, until, change }) => ({
      id: changeId,
      from: iso(from),
      until: iso(until),
      content: change === null ? null : JSON.parse(change),
    })),
    nonce,
    as_of: iso(waiting.asOf),
  });
}

const faults: Readonly<Record<CancelFault, () => CustodyRefusal>> = {
  altered: alteredRecord,
  not_found: () => new CustodyRefusal("change_not_found", "No such change waits."),
  over: () => new CustodyRefusal("change_over", "The change was signed, or its time is over."),
};
