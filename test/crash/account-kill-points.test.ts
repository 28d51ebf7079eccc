import { generateKeyPairSigner } from "@solana/kit";
import { generateEncryptionKeyPair, openSession, type TrellisClient } from "@trellis/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creationSteps } from "../../src/accounts/creation-steps.js";
import { postgresUrl } from "../support/test-database.js";
import { type CrashSite, openCrashSite, type ServiceProcess } from "./crashing-service.js";
import {
  accountsOnChain,
  answerOf,
  callAndDie,
  comeBack,
  type Holder,
  lamportsOf,
  outcomeOf,
  preparePayment,
  readCode,
  signIn,
  verifyRequest,
} from "./honest-client.js";
import { expectSoundAfterRecovery } from "./invariants.js";
import { killEverywhere, killEverywhereMs } from "./kill-everywhere.js";

let site: CrashSite;
let service: ServiceProcess;
let names = 0;

beforeAll(async () => {
  site = await openCrashSite();
  service = await site.start();
});

afterAll(() => site?.close());

describe.each(["before", "after"] as const)("a process killed %s any statement of a request", (side) => {
  // Both ways to retry are tried at every state, as the state before a statement is the state after the former one.
  const keyOf = (key: string) => (side === "before" ? key : undefined);

  it(
    "sends a code that works, when it was creating an account",
    async () => {
      const points = await killEverywhere(side, async (at, key) => {
        const email = newEmail();
        const create = (client: TrellisClient, options: { idempotencyKey?: string }) =>
          client.accounts.create({ type: "email", email }, options);
        const { died, process } = await callAndDie(service, site.start, at, (client) =>
          create(client, { idempotencyKey: key }),
        );
        service = process;
        if (died !== undefined) answerOf(await comeBack(keyOf(key), (options) => create(service.client, options)));
        const keyPair = generateEncryptionKeyPair();
        const code = await readCode(service.client, email);
        const verified = await service.client.accounts.verify(verifyRequest(email, code, keyPair));
        const session = await openSession(verified.authentication[0], keyPair);
        await expectUsable(service.client, { email, address: verified.address, session });
        return died;
      });
      expect(points.length).toBeGreaterThanOrEqual(3);
    },
    killEverywhereMs,
  );

  it(
    "makes one account for the address, when it was verifying the code",
    async () => {
      const points = await killEverywhere(
        side,
        async (at, key) => {
          const email = newEmail();
          await service.client.accounts.create({ type: "email", email });
          const code = await readCode(service.client, email);
          const keyPair = generateEncryptionKeyPair();
          const request = verifyRequest(email, code, keyPair);
          const before = await accountsOnChain(service);
          const { died, outcome, process } = await callAndDie(service, site.start, at, (client) =>
            client.accounts.verify(request, { idempotencyKey: key }),
          );
          service = process;
          const again =
            died === undefined
              ? outcome
              : await comeBack(keyOf(key), (options) => service.client.accounts.verify(request, options));
          // Once a session was opened for the code it is spent, and the client signs in as every user does.
          if (again.kind !== "answered") expect(again).toEqual({ kind: "refused", code: "invalid_otp" });
          const holder =
            again.kind === "answered"
              ? {
                  email,
                  address: again.value.address,
                  session: await openSession(again.value.authentication[0], keyPair),
                }
              : await signIn(service.client, email);
          expect((await accountsOnChain(service)) - before).toBe(1n);
          await expectUsable(service.client, holder);
          return died;
        },
        Object.values(endsStep),
      );
      expect(points.length, points.join("\n")).toBeGreaterThanOrEqual(7);
      // It died on either side of what ends each step.
      expect(Object.keys(endsStep)).toEqual(creationSteps.map(({ name }) => name));
      const missed = Object.values(endsStep).filter((text) => !points.some((point) => point.includes(`: ${text}`)));
      expect(missed, points.join("\n")).toEqual([]);
    },
    killEverywhereMs,
  );

  // On a server's database the key stays claimed for a while, and with another key it would be another account.
  it.runIf(postgresUrl === undefined)(
    "makes one account for the idempotency key, when it was creating one of keys",
    async () => {
      const points = await killEverywhere(side, async (at, key) => {
        const { address } = await generateKeyPairSigner();
        const before = await accountsOnChain(service);
        const create = (client: TrellisClient) =>
          client.accounts.create({ type: "signers", signers: [address], threshold: 1 }, { idempotencyKey: key });
        const { died, outcome, process } = await callAndDie(service, site.start, at, create);
        service = process;
        const created = answerOf(died === undefined ? outcome : await outcomeOf(create(service.client)));
        expect((await accountsOnChain(service)) - before).toBe(1n);
        expect((await service.client.accounts.get(created.address)).address).toBe(created.address);
        return died;
      });
      expect(points.length).toBeGreaterThanOrEqual(7);
    },
    killEverywhereMs,
  );
});

it(
  "leaves a store and a chain that agree",
  async () => {
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    await expectSoundAfterRecovery(site);
  },
  killEverywhereMs,
);

/** The statement that ends each step of a creation; the sandbox's chain is a database, too. */
const endsStep: Readonly<Record<string, string>> = {
  "store the bytes": "with open as",
  "confirm them": "with writer as",
  "write the account": "with final as",
};

const newEmail = () => {
  names += 1;
  return `holder-${names}@example.org`;
};

/** Fails the test unless the account is there once, and its holder can move its money. */
async function expectUsable(client: TrellisClient, holder: Holder): Promise<void> {
  const again = await outcomeOf(client.accounts.create({ type: "email", email: holder.email }));
  expect(again).toEqual({ kind: "refused", code: "grid_account_already_exists_for_user" });
  await client.sandbox.airdrop({ address: holder.address, currency: "sol", amount: "10000000" });
  const payment = await preparePayment(client, holder, holder.session.wallets[0]?.address ?? "", 1_000_000n);
  await client.transactions.submit(holder.address, payment.submit);
  expect(await lamportsOf(client, holder.address)).toBe(9_000_000n);
}
