import { createHash } from "node:crypto";
import { signPolicyCertificate } from "@trellis/kernel/custodian-policy-certificate.js";
import { type Authorized, CustodyRefusal, type Wallet } from "@trellis/kernel/ports/custodian.js";
import { challengeFor } from "../custody/passkey/passkey-stamp.js";
import { parsePolicyDocument } from "../custody/payload.js";
import type { OperationAnswer, OperationBody } from "../custody/protocol/operations.js";
import { authorizedOf, type CustodianContext, getWallet, termsOf, timeOf } from "./context.js";
import type { HeldPolicy, OrderFault, PolicyOrder } from "./policy/set-policy.js";
import { parseWalletPolicy } from "./policy/wallet-policy.js";
import type { PolicyWallet } from "./signing-policy.js";
import type { WalletTerms } from "./wallet-terms.js";

type Params = Readonly<Record<string, string>>;

/** Certifies the policy of a wallet. */
export async function readPolicy(
  context: CustodianContext,
  { params, body }: { readonly params: Params; readonly body: OperationBody<"readPolicy"> },
): Promise<OperationAnswer<"readPolicy">> {
  const terms = await termsOf(context, params);
  const wallet = await getWallet(context, terms);
  const now = await timeOf(context, terms, body.now);
  const held = await context.policies.readPolicy({ wallet: judged(terms, wallet), now });
  return { certificate: certify(context, wallet, held ?? "altered", body.nonce) };
}

/** Takes a policy that a passkey of a guarded wallet has signed for. */
export async function setPolicy(
  context: CustodianContext,
  { params, body }: { readonly params: Params; readonly body: OperationBody<"setPolicy"> },
): Promise<OperationAnswer<"setPolicy">> {
  const terms = await termsOf(context, params);
  if (terms.kind !== "guarded") {
    // Its service can add a passkey: one in wrong hands could lock the wallet by a policy.
    throw new CustodyRefusal("not_granted", "A session wallet keeps the policy of its kind.");
  }
  const wallet = await getWallet(context, terms);
  const now = await timeOf(context, terms, body.now);
  const authorized = authorizedOf(context, terms, body.authorization, now);
  const { order, nonce } = readOrder(terms, wallet, authorized);
  await context.custodian.requirePasskey(authorized);
  const held = await context.policies.setPolicy({ wallet: judged(terms, wallet), order, now });
  return { certificate: certify(context, wallet, held, nonce) };
}

/** What was signed, if it is a policy for this wallet. Throws CustodyRefusal. */
function readOrder(
  { environment }: WalletTerms,
  { address }: Wallet,
  { payload }: Authorized,
): { readonly order: PolicyOrder; readonly nonce: string } {
  const document = parsePolicyDocument(payload);
  const challenge = challengeFor(payload);
  if (document === undefined || challenge === undefined) {
    throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
  }
  if (document.wallet !== address || document.environment !== environment) {
    throw new CustodyRefusal("invalid_payload", "The document is about another wallet.");
  }
  const { policy: asked, replaces } = document.params;
  const policy = parseWalletPolicy(asked);
  if (policy === undefined) throw new CustodyRefusal("invalid_policy", "The policy is not one of the schema.");
  const documentHash = createHash("sha256").update(challenge).digest("hex");
  const order = { policy, replaces, expiresAt: Date.parse(document.expires_at), documentHash };
  return { order, nonce: document.nonce };
}

export const judged = ({ environment, kind }: WalletTerms, { id, address }: Wallet): PolicyWallet => ({
  id,
  address,
  environment,
  kind,
});

function certify(
  { identity }: CustodianContext,
  { id, address }: Wallet,
  held: HeldPolicy | OrderFault,
  nonce: string | null,
) {
  if (typeof held === "string") throw faults[held]();
  const { policy, version, next, asOf } = held;
  return signPolicyCertificate(identity, {
    wallet: id,
    address,
    policy,
    version,
    next: next && { policy: next.policy, from: new Date(next.from).toISOString() },
    nonce,
    as_of: new Date(asOf).toISOString(),
  });
}

export function alteredRecord(): CustodyRefusal {
  const text = "Records of this wallet were altered outside the custodian.";
  return new CustodyRefusal("policy", text, { rule: "altered_record" });
}

export function documentExpired(): CustodyRefusal {
  return new CustodyRefusal("payload_expired", "The document has expired, or ends more than an hour ahead.");
}

const faults: Readonly<Record<OrderFault, () => CustodyRefusal>> = {
  altered: alteredRecord,
  expired: documentExpired,
  outdated: () =>
    new CustodyRefusal("policy_outdated", "The document replaces another version than the one that holds."),
};
