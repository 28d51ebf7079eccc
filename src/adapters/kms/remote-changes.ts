import { readChangesCertificate } from "@trellis/kernel/custodian-changes-certificate.js";
import { type Custodian, CustodyRefusal } from "@trellis/kernel/ports/custodian.js";
import type { CertifiedChanges } from "@trellis/kernel/ports/wallet-policy.js";
import { Compile } from "typebox/compile";
import { parseCancelChangeDocument } from "../../custody/payload.js";
import type { OperationAnswer } from "../../custody/protocol/operations.js";
import { ChangesDocument } from "../../custody/protocol/schemas.js";
import { toWireAuthorized } from "../../custody/protocol/wire.js";
import { type CustodianClient, failed } from "./custodian-client.js";
import type { KeyFolder } from "./key-folder.js";

const checker = Compile(ChangesDocument);

/** Changes of settings that wait at a custodian's wallets: the service hands out what the custodian certifies. */
export function createRemoteChanges(parts: {
  readonly client: CustodianClient;
  readonly keys: Pick<KeyFolder, "peer">;
  /** Throws CustodyRefusal for a wallet that is not there. */
  readonly getWallet: (walletId: string) => Promise<{ readonly id: string; readonly address: string }>;
}): Required<Pick<Custodian, "listChanges" | "cancelChange">> {
  const { client, keys, getWallet } = parts;

  /** What was certified, if it is about this wallet and this question. */
  const read = (
    { certificate }: OperationAnswer<"readChanges">,
    wallet: { readonly id: string; readonly address: string },
    nonce: string | null,
  ): CertifiedChanges => {
    const content = readChangesCertificate(keys.peer, certificate);
    const isAsked = content?.wallet === wallet.id && content.address === wallet.address && content.nonce === nonce;
    if (content === undefined || !isAsked || !checker.Check(content)) {
      throw failed("its certificate is not one of what waits at this wallet");
    }
    return { certificate, content };
  };

  return {
    async listChanges({ walletId, nonce, now }) {
      const wallet = await getWallet(walletId);
      return read(await client.ask("readChanges", { wallet_id: wallet.id }, { nonce, now }), wallet, nonce);
    },

    async cancelChange(request) {
      const wallet = await getWallet(request.walletId);
      const document = parseCancelChangeDocument(request.payload);
      if (document === undefined) throw new CustodyRefusal("invalid_payload", "The document is not well formed.");
      const asked = { authorization: toWireAuthorized(request), now: request.now };
      return read(await client.ask("cancelChange", { wallet_id: wallet.id }, asked), wallet, document.nonce);
    },
  };
}
