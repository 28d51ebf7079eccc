import type { Clock } from "@trellis/kernel/ports/clock.js";
import type { EnvironmentName } from "@trellis/kernel/ports/environment.js";
import type { Log } from "@trellis/kernel/ports/log.js";
import type { ServiceKey } from "@trellis/kernel/ports/network.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import type { KeyStores } from "../../config/key-stores.js";
import type { ConfiguredServiceKey, ServiceKeys } from "../../config/service-keys.js";
import { nameOfAwsKey, signByAwsKms } from "./aws-kms.js";
import { nameOfPkcs11Key, type SignByPkcs11 } from "./pkcs11.js";
import { openRemoteServiceKey, type RemoteKeyParts, type RemoteSigner } from "./remote-service-key.js";
import { doorTo, tokenFileOf } from "./sealed-master-key.js";
import { nameOfTransitKey, signByTransit } from "./vault-transit.js";

/** What opening keys of the service takes. */
export interface ServiceKeyNeeds {
  readonly stores: KeyStores;
  readonly signByPkcs11: SignByPkcs11;
  readonly realClock: Clock;
  readonly log: Log;
}

/** All keys of the service on one cluster. Throws UnusableEnvironmentError. */
export async function openServiceKeys(
  needs: ServiceKeyNeeds,
  environment: EnvironmentName,
  { feePayer, executor, formerFeePayer, formerExecutor, passkeyPayer }: ServiceKeys,
) {
  const open = (purpose: RemoteKeyParts["purpose"], key: ConfiguredServiceKey) =>
    openServiceKey(needs, environment, purpose, key);
  return {
    feePayer: await open("fee_payer", feePayer),
    executor: executor && (await open("executor", executor)),
    formerFeePayer: formerFeePayer ? await open("former_fee_payer", formerFeePayer) : undefined,
    formerExecutor: formerExecutor ? await open("former_executor", formerExecutor) : undefined,
    passkeyPayer: passkeyPayer ? await open("passkey_payer", passkeyPayer) : undefined,
  };
}

/** A key of the service: of its seed, or in a key store that has signed for its address. Throws UnusableEnvironmentError. */
export async function openServiceKey(
  needs: ServiceKeyNeeds,
  environment: EnvironmentName,
  purpose: RemoteKeyParts["purpose"],
  key: ConfiguredServiceKey,
): Promise<ServiceKey> {
  if (key.kind === "seed") return serviceKeyOf(key.seed);
  const signer = await signerOf(needs, key);
  return openRemoteServiceKey({ environment, purpose, address: key.address, signer, log: needs.log });
}

async function signerOf(
  { stores, signByPkcs11, realClock }: ServiceKeyNeeds,
  key: Exclude<ConfiguredServiceKey, { readonly kind: "seed" }>,
): Promise<RemoteSigner> {
  if (key.kind === "pkcs11") {
    return { store: nameOfPkcs11Key(key), sign: (message) => signByPkcs11(key, message) };
  }
  const ask = await doorTo(key, stores);
  if (key.kind === "aws-kms") {
    const { aws } = stores;
    return { store: nameOfAwsKey(key), sign: (message) => signByAwsKms({ ask, aws, realClock }, key, message) };
  }
  const tokenFile = tokenFileOf(stores);
  return { store: nameOfTransitKey(key), sign: (message) => signByTransit({ ask, tokenFile }, key, message) };
}
