import { TrellisError } from "@trellis/kernel/errors.js";
import type { Authorized, PasskeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { translateRefusal } from "../custody/custodians.js";
import { faultTexts } from "../custody/passkey/fault-texts.js";
import { verifyPasskeyStamp } from "../custody/passkey/passkey-stamp.js";
import type { SigningPasskey } from "../custody/passkey/passkey-store.js";
import { originsIn } from "../tenants/relying-party.js";

export const passkeyRefused = (message: string) => new TrellisError("invalid_passkey", { message });

/** The passkey that made the assertion, with what its custodian opens a session for. Throws `invalid_passkey`. */
export function verifyPasskey(
  [passkey]: readonly SigningPasskey[],
  asked: Pick<Authorized, "payload" | "now" | "realNow"> & { readonly stamp: PasskeyStamp },
  network: Pick<Network, "name">,
): { readonly passkey: SigningPasskey; readonly grant: Authorized } {
  if (passkey === undefined) throw passkeyRefused("This passkey is not known here.");
  const origins = originsIn(network.name, passkey.terms);
  const verdict = verifyPasskeyStamp(asked.payload, asked.stamp, {
    publicKey: passkey.public_key,
    relyingParty: relyingPartyOf(passkey.rp_id, origins),
    // The custodian judges it.
    counter: undefined,
  });
  if (!verdict.ok) throw passkeyRefused(faultTexts[verdict.fault]);
  const authority = { kind: "passkey", passkeyId: passkey.id, origins } as const;
  return { passkey, grant: { ...asked, walletId: passkey.wallet_id, authority } };
}

/** What a custodian's failure to take a passkey's grant is to the caller. */
export function translateGrantRefusal(error: unknown): unknown {
  const translated = translateRefusal(error);
  return translated instanceof TrellisError && ["invalid_signature", "session_expired"].includes(translated.code)
    ? passkeyRefused("The custodian refused this passkey.")
    : translated;
}
