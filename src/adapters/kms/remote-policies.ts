import { readPolicyCertificate } from "@trellis/kernel/custodian-policy-certificate.js";
import { type Custodian, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { CertifiedPolicy } from "@trellis/kernel/ports/wallet-policy.js";
import { parsePolicyDocument } from "../../custody/payload.js";
import type { OperationAnswer } from "../../custody/protocol/operations.js";
import { toWireAuthorized } from "../../custody/protocol/wire.js";
import { type CustodianClient, failed } from "./custodian-client.js";
import type { KeyFolder } from "./key-folder.js";

/** Policies of a custodian's wallets: the service carries what a passkey has signed, and hands out what the custodian certifies. */
export function createRemotePolicies(parts: {
  readonly client: CustodianClient;
  readonly keys: Pick<KeyFolder, "peer">;
  /** Throws CustodyRefusal for a wallet that is not there. */
  readonly getWallet: (walletId: string) => Promise<{ readonly id: string; readonly address: string }>;
}): Required<Pick<Custodian, "readPolicy" | "setPolicy">> {
  const { client, keys, getWallet } = parts;

  /** What was certified, if it is about this wallet and this question. */
  const read = (
    { certificate }: OperationAnswer<"readPolicy">,
    wallet: { readonly id: string; readonly address: string },
    nonce: string | null,
  ): CertifiedPolicy => {
    const content = readPolicyCertificate(keys.peer, certificate);
    const isAsked = content?.wallet === wallet.id && content.address === wallet.address && content.nonce === nonce;
    if (content === undefined || !isAsked) throw failed("its certificate is not one of this wallet's policy");
    return { certificate, content };
  };

  return {
    async readPolicy({ walletId, nonce, now }) {
      const wallet = await getWallet(walletId);
      return read(await client.ask("readPolicy", { wallet_id: wallet.id }, { nonce, now }), wallet, nonce);
    },

    async setPolicy(request) {
      const wallet = await getWallet(request.walletId);
      const document = parsePolicyDocument(request.payload);
      if (document === undefined) throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
      const asked = { authorization: toWireAuthorized(request), now: request.now };
      return read(await client.ask("setPolicy", { wallet_id: wallet.id }, asked), wallet, document.nonce);
    },
  };
}
