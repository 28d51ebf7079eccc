import { assertOurs } from "@trellis/kernel/errors.js";
import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { Authorized, Custodians } from "@trellis/kernel/ports/custodian.js";
import type { Db } from "@trellis/kernel/ports/database.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { matchStamps } from "../custody/match-stamps.js";
import { encodePayload, type PasskeyDocument, type WalletDocument } from "../custody/payload.js";
import { readSignedPayload, type SubmittedPayload } from "../custody/signed-payload.js";
import type { CommandedWallet } from "./commanded-wallets.js";

export interface AuthorityNeeds {
  readonly db: Db;
  readonly custodians: Custodians;
  readonly realClock: Clock;
}

/** What differs from document to document. */
type Content<D> = D extends WalletDocument ? Omit<D, "version" | "environment" | "wallet"> : never;

/** What is to be signed by the holder of which wallet, and the signature. */
export interface AskedAuthority<D extends WalletDocument = PasskeyDocument> {
  readonly wallet: CommandedWallet;
  readonly document: Content<D>;
  readonly authorization: SubmittedPayload;
}

/** The text of a document about a wallet. */
export const encodeWalletDocument = (
  network: Pick<Network, "name">,
  wallet: Pick<CommandedWallet, "address">,
  document: Content<WalletDocument>,
): string =>
  encodePayload({ version: 1, environment: network.name, wallet: wallet.address, ...document } as WalletDocument);

/**
 * A document about a wallet with the signature of a session or a passkey of that wallet, as its custodian takes it and
 * checks it again. `about`: another wallet of the same holder's, whose custodian would not take it. `asksGuardian`: as for `matchStamps`. Throws what `matchStamps` throws.
 */
export async function requireAuthority(
  needs: AuthorityNeeds,
  network: Network,
  tenantId: string,
  asked: AskedAuthority<WalletDocument> & { readonly about?: CommandedWallet; readonly asksGuardian?: boolean },
): Promise<Authorized> {
  const { wallet, document, authorization, about = wallet, asksGuardian = false } = asked;
  const payload = encodeWalletDocument(network, about, document);
  const times = { now: network.clock.now(), realNow: needs.realClock.now() };
  const open = {
    id: "",
    provider: wallet.provider,
    wallet_id: wallet.walletId,
    address: wallet.address,
    payload,
    used_by: null,
  };
  const entry = readSignedPayload(authorization, "authorization");
  const [signed] = await matchStamps(needs, [open], [entry], {
    ...times,
    tenantId,
    environment: network.name,
    asksGuardian,
  });
  assertOurs(signed, "every payload that is open is signed");
  return { walletId: wallet.walletId, payload, stamp: signed.stamp, authority: signed.authority, ...times };
}
