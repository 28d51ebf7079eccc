import { TrellisError } from "@trellis/kernel/errors.js";
import type { Authority, PasskeyStamp } from "@trellis/kernel/ports/custodian.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import { relyingPartyOf } from "@trellis/kernel/relying-party.js";
import { originsIn } from "../../tenants/relying-party.js";
import { faultTexts } from "./fault-texts.js";
import { isAbout, verifyPasskeyStamp } from "./passkey-stamp.js";
import { minuteMs, type SigningPasskey } from "./passkey-store.js";

/** What may have been signed. */
interface Signable {
  readonly provider: string;
  readonly wallet_id: string;
  readonly address: string;
  readonly payload: string;
}

/** The payload that an assertion is over, with the passkey that made it. */
export interface Asserted<P extends Signable> {
  readonly payload: P;
  readonly authority: Authority;
  readonly isUseNoted: boolean;
}

/**
 * The one open payload that an assertion is over, by a live passkey of that payload's wallet. One signature is verified. How far the
 * passkey has counted is the custodian's to judge. Throws `invalid_signature`, which says what is wrong.
 */
export function findAsserted<P extends Signable>(
  entry: { readonly provider: string; readonly stamp: PasskeyStamp; readonly field: string },
  payloads: readonly P[],
  passkeys: readonly SigningPasskey[],
  { environment, now }: { readonly environment: EnvironmentName; readonly now: number },
): Asserted<P> {
  const refuse = (message: string) => new TrellisError("invalid_signature", { field: entry.field, message });
  const ofProvider = payloads.filter(({ provider }) => provider === entry.provider);
  const payload = ofProvider.find((each) => isAbout(entry.stamp, each.payload));
  if (payload === undefined) {
    throw refuse(
      "The challenge of this assertion is not that of any open payload of its provider: it has to be the SHA-256 of the " +
        "canonical JSON of the payload's document.",
    );
  }
  const passkey = passkeys.find(
    ({ wallet_id, credential_id }) => wallet_id === payload.wallet_id && credential_id === entry.stamp.credentialId,
  );
  if (passkey === undefined) throw refuse(`No passkey of ${payload.address} has this credential_id.`);
  const origins = originsIn(environment, passkey.terms);
  const verdict = verifyPasskeyStamp(payload.payload, entry.stamp, {
    publicKey: passkey.public_key,
    relyingParty: relyingPartyOf(passkey.rp_id, origins),
    counter: undefined,
  });
  if (!verdict.ok) throw refuse(faultTexts[verdict.fault]);
  const isUseNoted = passkey.last_used_at !== null && now - Number(passkey.last_used_at) < minuteMs;
  return { payload, authority: { kind: "passkey", passkeyId: passkey.id, origins }, isUseNoted };
}
