import { randomUUID } from "node:crypto";
import type { Address } from "@solana/kit";
import { addressOfKey, generateEncryptionKeyPair, openSession, type SignerKey, signTransaction } from "@trellis/sdk";
import { publicKeyOf } from "../../support/test-network.js";
import { openSubmissions, type Stage, unexpectedAlarms } from "./stage.js";
import type { Answered } from "./world.js";

const api = "/api/service/v1";
const daySeconds = 86_400;
const dayMs = daySeconds * 1_000;

const newKey = (): SignerKey => crypto.getRandomValues(new Uint8Array(32));
const lost = ["transaction_not_prepared", "payload_expired", "blockhash_expired"];

/** An account of these keys, all of whom have to sign, with money. */
async function openAccount({ world, persist }: Stage, keys: readonly SignerKey[]): Promise<Address> {
  const body = { type: "signers", signers: keys.map((key) => addressOfKey(key)), threshold: keys.length };
  const key = randomUUID();
  const { status, data } = await persist("the account", 0, () => world.request("POST", `${api}/accounts`, body, key));
  if (status >= 300) throw new Error(`the scene does not stand: ${JSON.stringify(data)}`);
  await world.chain.sandbox?.airdrop(data.address, 10_000_000_000n);
  return data.address;
}

/**
 * Prepares something, signs and submits it, until it is confirmed: anew where the service has forgotten what it prepared, or
 * that ran out. Gives what the preparation answered; undefined where the last refusal was for good, which is reported.
 */
async function carryOut(
  stage: Stage,
  name: string,
  account: Address,
  path: string,
  body: object,
  keys: readonly SignerKey[],
) {
  const { world, draw, persist, wrong } = stage;
  for (let round = 0; round < 8; round += 1) {
    const prepareKey = randomUUID();
    const prepared = await persist(`${name} is prepared`, 20, () =>
      world.request("POST", `${api}/accounts/${account}${path}`, body, prepareKey),
    );
    if (prepared.status >= 300) return { prepared, submitted: undefined };
    world.clocks.pass(draw.between(100, 20_000));
    const { transaction = prepared.data.transactions[0] } = prepared.data;
    const signed = { transaction: signTransaction(transaction, keys), kms_payloads: [] };
    const submitKey = randomUUID();
    const submitted = await persist(`${name} is submitted`, 30, () =>
      world.request("POST", `${api}/accounts/${account}/submit`, signed, submitKey),
    );
    if (submitted.status < 300 && submitted.code === undefined) return { prepared, submitted };
    if (!lost.includes(submitted.code ?? "")) {
      wrong.add(`${name}: a submit was refused with ${submitted.code} ${JSON.stringify(submitted.data)}`);
      return { prepared, submitted };
    }
  }
  wrong.add(`${name} never comes about`);
  return undefined;
}

/** A standing order with due dates while the database loses a second now and then. */
export async function playOrder(stage: Stage): Promise<void> {
  const { world, seed, draw, counts, wrong, rest } = stage;
  const key = newKey();
  const account = await openAccount(stage, [key]);
  const payee = publicKeyOf(`payee of order ${seed}`);
  await world.chain.sandbox?.airdrop(payee, 1_000_000n);
  const dues = draw.between(2, 5);
  const startAt = world.clocks.real.now() + draw.between(300, 3_600) * 1_000;
  const body = {
    amount: "2000000",
    frequency: "daily",
    source: { account, currency: "sol" },
    destination: { address: payee, currency: "sol" },
    start_date: new Date(startAt).toISOString(),
    end_date: new Date(startAt + (dues - 1) * dayMs + 1_000).toISOString(),
    transaction_signers: [addressOfKey(key)],
  };
  const made = await carryOut(stage, "the order", account, "/standing-order-intent", body, [key]);
  if (made?.submitted === undefined) {
    wrong.add(`the order was refused: ${made?.prepared.code}`);
    return;
  }
  const { id } = made.prepared.data;
  await rest(30_000);
  world.clocks.pass(startAt - world.clocks.real.now());
  for (let day = 0; day < dues; day += 1) {
    for (let round = 0; round < 4; round += 1) await rest(draw.between(1_000, 40_000), 35);
    world.clocks.pass(startAt + (day + 1) * dayMs - world.clocks.real.now());
  }
  for (let round = 0; round < 8; round += 1) await rest(40_000, 0);

  const runs = await world.request("GET", `${api}/accounts/${account}/standing-order/${id}/runs`);
  const got = (await world.chain.rpc.getBalance(payee).send()).value - 1_000_000n;
  const times = Number(got / 2_000_000n);
  if (runs.status === 404) {
    // Its row was lost with the answer that the client had heard.
    if (times > 0) wrong.add(`an order that nobody knows paid ${times} times`);
    return;
  }
  const list = runs.data as readonly {
    due_at: string;
    state: string;
    signature: string | null;
    error: string | null;
  }[];
  const order = (await world.request("GET", `${api}/accounts/${account}/standing-order/${id}`)).data;
  const view = list.map(({ due_at, state, error }) => `${due_at} ${state} ${error ?? ""}`).join(", ");
  const paid = list.filter(({ state }) => state === "paid");
  if (paid.length !== times) wrong.add(`the payee was paid ${times} times, and the order says: ${view}`);
  if (new Set(paid.map(({ signature }) => signature)).size !== paid.length) wrong.add("one payment for two due dates");
  if (new Set(list.map(({ due_at }) => due_at)).size !== list.length) wrong.add("one due date twice");
  if (list.length !== dues)
    wrong.add(`${list.length} due dates instead of ${dues}: ${view} (${order.status} ${order.reason})`);
  if (list.some(({ state }) => state !== "paid" && state !== "missed")) wrong.add(`a due date has no end: ${view}`);
  if (list.some(({ state }) => state === "missed")) wrong.add(`a due date was missed: ${view}`);
  if (order.status !== "completed") wrong.add(`the order ended as ${order.status} ${order.reason}`);
  counts.dues += list.length;
  for (const line of await openSubmissions(world, account)) wrong.add(line);
  const expected = counts.failovers > 0 ? ["payment was found on chain that the database did not know"] : [];
  for (const line of unexpectedAlarms(stage, expected)) wrong.add(line);
}

/** A payment that two members vote on, while the database loses a second now and then. */
export async function playProposal(stage: Stage): Promise<void> {
  const { world, seed, draw, counts, wrong, rest } = stage;
  const keys = [newKey(), newKey()] as const;
  const [first, second] = keys;
  const account = await openAccount(stage, keys);
  const payee = publicKeyOf(`payee of proposal ${seed}`);
  const proposing = {
    type: "transfer",
    amount: "3000000",
    currency: "sol",
    destination: payee,
    signer: addressOfKey(first),
  };
  const made = await carryOut(stage, "the proposal", account, "/proposals", proposing, [first]);
  if (made?.submitted === undefined) {
    wrong.add(`the proposal was refused: ${made?.prepared.code}`);
    return;
  }
  const proposal: string = made.prepared.data.proposalAddress;
  const read = () => world.request("GET", `${api}/accounts/${account}/proposals/${proposal}`);
  const statusOf = async () => (await read()).data.status as string | undefined;
  const steps: readonly {
    readonly path: string;
    readonly body: object;
    readonly by: SignerKey;
    readonly until: string;
  }[] = [
    { path: "/vote", body: { action: "approve", signers: [addressOfKey(first)] }, by: first, until: "" },
    { path: "/vote", body: { action: "approve", signers: [addressOfKey(second)] }, by: second, until: "Approved" },
    { path: "/execute", body: { signer: addressOfKey(first) }, by: first, until: "Executed" },
  ];
  for (const { path, body, by, until } of steps) {
    const done = await carryOut(stage, `the step ${path}`, account, `/proposals/${proposal}${path}`, body, [by]);
    // A step that is confirmed, whose client got no answer, is refused as done.
    if (
      done?.submitted === undefined &&
      !["invalid_request", "proposal_not_votable", "already_voted"].includes(done?.prepared.code ?? "")
    )
      stage.note(`the step ${path} is refused: ${done?.prepared.code}`);
    if (draw.percent(50)) await rest(draw.between(500, 30_000), 20);
    if (until !== "" && (await statusOf()) !== until)
      wrong.add(`after ${path} it is ${await statusOf()}, not ${until}`);
  }
  for (let round = 0; round < 6; round += 1) await rest(35_000, 0);
  if ((await statusOf()) !== "Executed") wrong.add(`the proposal ended as ${await statusOf()}`);
  const got = (await world.chain.rpc.getBalance(payee).send()).value;
  if (got !== 3_000_000n) wrong.add(`the payee of the proposal has ${got}`);
  const listed = await world.request("GET", `${api}/accounts/${account}/proposals`);
  const inList = (listed.data as readonly { readonly proposalAddress: string; readonly status: string }[]).filter(
    (one) => one.proposalAddress === proposal,
  );
  if (inList.length !== 1 || inList[0]?.status !== "Executed") wrong.add(`the list says ${JSON.stringify(inList)}`);
  counts.proposals += 1;
  for (const line of await openSubmissions(world, account)) wrong.add(line);
  for (const line of unexpectedAlarms(stage, [])) wrong.add(line);
}

/** Accounts that are made while the database loses a second now and then. */
export async function playCreations(stage: Stage): Promise<void> {
  const { world, seed, draw, counts, wrong, rest, persist } = stage;
  const addresses: string[] = [];
  if (draw.percent(50)) {
    const body = { type: "signers", signers: [addressOfKey(newKey())], threshold: 1 };
    const key = randomUUID();
    const made = await persist("an account", 60, () => world.request("POST", `${api}/accounts`, body, key));
    if (made.status >= 300) wrong.add(`an account was refused: ${made.code}`);
    else addresses.push(made.data.address);
  } else {
    const made = await openByMail(stage, `creation-${seed}@example.org`);
    if (made === undefined) wrong.add("an account by mail never comes about");
    else addresses.push(made);
  }
  for (let round = 0; round < 6; round += 1) await rest(30_000, round < 3 ? 20 : 0);
  for (const address of addresses) {
    const { status, data } = await world.request("GET", `${api}/accounts/${address}`);
    // A client that has its answer asks no more, and the database may have lost what it answered.
    if (status === 404 && counts.failovers > 0) continue;
    if (status !== 200) wrong.add(`an account that was answered is ${status}`);
    const there = await world.chain.rpc.getAccountInfo(data.settings_address, { encoding: "base64" }).send();
    if (there.value === null) wrong.add("an account that was answered is not on chain");
  }
  const open = await world.db
    .selectFrom("account_creation")
    .select(["id", "state"])
    .where("state", "not in", ["landed", "failed"])
    .execute();
  for (const { id, state } of open) wrong.add(`the creation ${id} stays ${state}`);
  counts.creations += addresses.length;
  for (const line of unexpectedAlarms(stage, [])) wrong.add(line);
}

async function openByMail({ world, persist, note }: Stage, email: string): Promise<string | undefined> {
  for (let round = 0; round < 8; round += 1) {
    const asked: Answered = await persist("a code", 30, () =>
      world.request("POST", `${api}/accounts`, { type: "email", email }, randomUUID()),
    );
    if (asked.status >= 300) note(`a code is refused: ${asked.code}`);
    const keyPair = generateEncryptionKeyPair();
    const code = world.mails.findLast(({ to }) => to === email)?.text.match(/\b\d{6}\b/)?.[0];
    const body = {
      email,
      otp_code: code,
      kms_provider_config: { encryption_public_key: keyPair.publicKeySpkiBase64 },
    };
    const key = randomUUID();
    const made = await persist("the account by mail", 50, () =>
      world.request("POST", `${api}/accounts/verify`, body, key),
    );
    if (made.status < 300) {
      await openSession(made.data.authentication[0], keyPair);
      return made.data.address;
    }
    world.clocks.pass(90_000);
  }
  return undefined;
}
