import type { Address } from "@solana/kit";
import { isAddress } from "@solana/kit";
import { endpoint } from "@trellis/kernel/endpoint.js";
import { TrellisError } from "@trellis/kernel/errors.js";
import { addressText } from "@trellis/kernel/wire-texts.js";
import { readPasskeys } from "@trellis/solana/read-passkeys.js";
import Type from "typebox";
import { PasskeyAccountOnChain, toWirePasskeyAccount } from "./passkey-session.js";

/** Gap 235. */
export const getPasskeySigner = endpoint(
  {
    operation: "getPasskeySigner",
    summary: "Read a passkey's account",
    description: "As the chain has it, also where it was made elsewhere.",
    tag: "Passkey signers",
    method: "GET",
    path: "/api/service/v1/passkeys/account/{passkey}",
    scope: "accounts:read",
    environment: "optional",
    params: Type.Object({ passkey: addressText() }),
    response: { status: 200, envelope: true, schema: Type.Object({ account: PasskeyAccountOnChain }) },
    errors: ["chain_unavailable", "invalid_address", "passkey_account_not_found"],
  },
  async (_: object, { params, network }) => {
    const address = params.passkey;
    if (!isAddress(address)) throw new TrellisError("invalid_address", { field: "passkey" });
    const passkey = (await readPasskeys(network, [address])).get(address);
    if (passkey === undefined) throw new TrellisError("passkey_account_not_found");
    return { data: { account: toWirePasskeyAccount(address as Address, passkey) } };
  },
);
