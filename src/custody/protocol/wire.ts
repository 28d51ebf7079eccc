import { Buffer } from "node:buffer";
import type { Authorized, CustodianName, KeyStamp, Stamp } from "@trellis/kernel/ports/custodian.js";
import type { WireAuthorized } from "./schemas.js";

type WireStamp = WireAuthorized["stamp"];

/** A stamp as the protocol writes it: the members of every form, under their names on the wire. */
function toWireStamp(stamp: Stamp): WireStamp {
  if (stamp.form === "passkey") {
    return {
      form: "passkey",
      credential_id: stamp.credentialId,
      authenticator_data: stamp.authenticatorData,
      client_data_json: stamp.clientDataJson,
      signature: stamp.signature,
    };
  }
  const { form, signature, publicKey, timestampMs } = stamp as KeyStamp & Partial<Record<string, string>>;
  return {
    form,
    signature,
    ...(publicKey === undefined ? {} : { public_key: publicKey }),
    ...(timestampMs === undefined ? {} : { timestamp_ms: timestampMs }),
  };
}

/** The stamp that was received. `name`: of the custodian, the one form of a key's stamp there is. */
function fromWireStamp(stamp: WireStamp, name: CustodianName): Stamp {
  if ("credential_id" in stamp) {
    return {
      form: "passkey",
      credentialId: stamp.credential_id,
      authenticatorData: stamp.authenticator_data,
      clientDataJson: stamp.client_data_json,
      signature: stamp.signature,
    };
  }
  const { signature, public_key: publicKey = "", timestamp_ms: timestampMs = "" } = stamp;
  // What a form does not have, it does not read; what it lacks is in no encoding.
  const named = { form: stamp.form === name ? name : ("kms_" as CustodianName), signature, publicKey, timestampMs };
  return named;
}

/** A document that a holder signed, as the protocol writes it. */
export function toWireAuthorized({ payload, stamp, authority }: Omit<Authorized, "walletId">): WireAuthorized {
  return {
    payload,
    stamp: toWireStamp(stamp),
    authority:
      authority.kind === "session"
        ? { kind: "session", authorization_id: authority.authorizationKeyId }
        : { kind: "passkey", passkey_id: authority.passkeyId, origins: [...authority.origins] },
  };
}

/** The same, read by the custodian of this name. Its clocks are given: none that is sent counts here. */
export function fromWireAuthorized(
  { payload, stamp, authority }: WireAuthorized,
  context: {
    readonly name: CustodianName;
    readonly walletId: string;
    readonly now: number;
    readonly realNow: number;
    /** Undefined: the ones that were sent. */
    readonly origins: readonly string[] | undefined;
  },
): Authorized {
  const { name, walletId, now, realNow } = context;
  return {
    walletId,
    now,
    realNow,
    payload,
    stamp: fromWireStamp(stamp, name),
    authority:
      authority.kind === "session"
        ? { kind: "session", authorizationKeyId: authority.authorization_id }
        : { kind: "passkey", passkeyId: authority.passkey_id, origins: context.origins ?? authority.origins ?? [] },
  };
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
export const base64UrlOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
