import type { Address, RpcTransport } from "@solana/kit";
import type { MailMessage } from "@trellis/kernel/ports/mail.js";
import type { Network } from "@trellis/kernel/ports/network.js";
import { serviceKeyOf } from "@trellis/solana/service-key.js";
import { createAccount } from "../../src/accounts/create-account.js";
import { verifyAccount } from "../../src/accounts/verify-account.js";
import { type ClusterOptions, openClusterNetwork } from "../../src/adapters/chain/cluster/cluster-network.js";
import { preparePayment } from "../../src/payments/prepare-payment.js";
import {
  createClientKey,
  type HeldAccount,
  hashOf,
  importAuthorizationKey,
  sessionOf,
  stampKmsA,
  type TestNetwork,
  type Verified,
} from "./test-network.js";

/** The sandbox's USDC, which the cluster played here has as well. */
export const playedUsdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** One JSON-RPC request as a node receives it. */
export interface PlayedRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a node makes of a request; `honest` is what the chain answers. Honest where it gives undefined. */
export type PlayedNode = (
  request: PlayedRequest,
  honest: () => Promise<{ readonly result: unknown }>,
) => Promise<object | undefined> | undefined;

/** A cluster whose nodes all stand before the test's sandbox chain, and what they were asked. */
export interface PlayedCluster {
  readonly network: Network;
  /** `method`, or `method of node` where there are several, in the order asked. */
  readonly asked: string[];
  /** How often each method was asked since the list was emptied last. */
  count(): Record<string, number>;
  /** How long the adapter paused between rounds, milliseconds. */
  readonly pausesMs: number[];
}

/** Opens a cluster over as many nodes as are given; one honest one by default. */
export async function openPlayedCluster(
  test: TestNetwork,
  nodes: readonly PlayedNode[] = [() => undefined],
  more: Partial<Pick<ClusterOptions, "mints" | "timings" | "sponsorship">> = {},
): Promise<PlayedCluster> {
  const { sandbox, rpc } = test.network;
  const asked: string[] = [];
  const pausesMs: number[] = [];
  const connect =
    (url: string): RpcTransport =>
    async <Response>({ payload }: { readonly payload: unknown }) => {
      const number = Number(new URL(url).pathname.slice(1));
      const request = payload as PlayedRequest;
      asked.push(nodes.length === 1 ? request.method : `${request.method} of ${number}`);
      const honest = async () => (await sandbox?.handleRpc(payload)) as { readonly result: unknown };
      return ((await nodes[number - 1]?.(request, honest)) ?? (await honest())) as Response;
    };
  const network = await openClusterNetwork({
    name: "devnet",
    urls: nodes.map((_, i) => `http://node.test/${i + 1}`),
    feePayer: serviceKeyOf(hashOf("the fee payer of the played cluster")),
    executor: serviceKeyOf(hashOf("the executor of the played cluster")),
    genesisHash: await rpc.getGenesisHash().send(),
    mints: new Map([["usdc", playedUsdc as never]]),
    sponsorship: test.network.sponsorship,
    realClock: test.needs.realClock,
    pause: async (ms) => {
      pausesMs.push(ms);
    },
    log: test.needs.log,
    connect,
    ...more,
  });
  await sandbox?.airdrop(network.feePayer.address, 100_000_000_000n);
  asked.length = 0;
  return {
    network,
    asked,
    pausesMs,
    count: () => {
      const counts: Record<string, number> = {};
      for (const method of asked) counts[method] = (counts[method] ?? 0) + 1;
      return counts;
    },
  };
}

/** Creates and verifies an e-mail account there, as a client would. */
export async function openPlayedAccount(test: TestNetwork, network: Network, email: string): Promise<HeldAccount> {
  const letters: MailMessage[] = [];
  const mailer = { senderName: "Trellis", send: async (mail: MailMessage) => void letters.push(mail) };
  await test.call(createAccount, { network, needs: { mailer }, body: { type: "email", email } });
  const clientKey = await createClientKey();
  const verified = await test.call<Verified>(verifyAccount, {
    network,
    body: {
      email,
      otp_code: /\b\d{6}\b/.exec(letters.at(-1)?.text ?? "")?.[0],
      kms_provider_config: { encryption_public_key: clientKey.spki },
    },
  });
  const opened = await clientKey.open(sessionOf(verified).session.encrypted_authorization_key);
  return {
    email,
    address: verified.address as Address,
    verified,
    clientKey,
    authorizationKey: importAuthorizationKey(opened),
  };
}

/** A payment as it is asked for. */
export function paymentOf(from: HeldAccount, currency: string, to: string, amount = "1000000") {
  const { address } = from.verified;
  return {
    params: { address },
    body: { amount, source: { account: address, currency }, destination: { address: to, currency } },
  };
}

/** Prepares a payment and signs it: what submit is then called with. */
export async function signedPaymentOf(
  test: TestNetwork,
  network: Network,
  from: HeldAccount,
  payment: ReturnType<typeof paymentOf>,
) {
  const prepared = await test.call<{
    readonly transaction: string;
    readonly kms_payloads: readonly { readonly payload: string }[];
  }>(preparePayment, { network, ...payment });
  const signature = stampKmsA(prepared.kms_payloads[0]?.payload ?? "", from.authorizationKey);
  return {
    params: payment.params,
    body: {
      transaction: prepared.transaction,
      kms_payloads: [{ provider: "kms_a", kms_signed_payload: { signature } }],
    },
  };
}
