/**
 * The sandbox's RPC by Anchor's client, made from the on-chain program's own description (SMART_ACCOUNT_IDL): a smart
 * account is made, changed by vote, and read. Prints a line for each call: `ok`, or `failed` with the reason, then the name.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import anchor from "@coral-xyz/anchor";
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from "@solana/web3.js";

const { SANDBOX_RPC_URL: url, SANDBOX_WS_URL: wsEndpoint, SMART_ACCOUNT_IDL: idlPath } = process.env;
const { AnchorProvider, BN, BorshInstructionCoder, Program, Wallet } = anchor;
const connection = new Connection(url, { commitment: "confirmed", wsEndpoint });
const wallet = new Wallet(Keypair.generate());
const payer = wallet.publicKey;
const provider = new AnchorProvider(connection, wallet, { commitment: "confirmed" });
const idl = JSON.parse(readFileSync(idlPath, "utf8"));
const program = new Program(idl, provider);
const derive = (...seeds) =>
  PublicKey.findProgramAddressSync([Buffer.from("smart_account"), ...seeds], program.programId)[0];
const programConfig = new PublicKey("GmY9kVi3FhrCUn2MJkzzpE6C5618YoHuGsgqHU78cKus");
const settingsOf = (number) => derive(Buffer.from("settings"), number.toArrayLike(Buffer, "le", 16));
const everything = 7;

async function call(name, action) {
  try {
    await action();
    process.stdout.write(`ok\t${name}\n`);
  } catch (error) {
    process.stdout.write(`failed\t${name}\t${String(error).replace(/\s+/g, " ").slice(0, 400)}\n`);
  }
}

const pay = (to, lamports) =>
  new Transaction().add(SystemProgram.transfer({ fromPubkey: payer, toPubkey: to, lamports }));

/** Makes an account of the payer alone; several candidates, as others may use the first one. */
async function creation(threshold = 1) {
  const { smartAccountIndex, treasury } = await program.account.programConfig.fetch(programConfig);
  const candidates = [1, 2, 3].map((offset) => settingsOf(smartAccountIndex.addn(offset)));
  const made = program.methods
    .createSmartAccount(null, threshold, [{ key: payer, permissions: everything }], 0, null, null)
    .accountsPartial({ programConfig, treasury, creator: payer, program: program.programId })
    .remainingAccounts(candidates.map((pubkey) => ({ pubkey, isSigner: false, isWritable: true })));
  return { made, settings: candidates[0] };
}

/** The instructions that change the threshold's neighbour, the time lock, by a vote of the payer. */
function change(settings, index, timeLock) {
  const number = new BN(index);
  const seed = number.toArrayLike(Buffer, "le", 8);
  const transaction = derive(settings.toBuffer(), Buffer.from("transaction"), seed);
  const proposal = derive(settings.toBuffer(), Buffer.from("transaction"), seed, Buffer.from("proposal"));
  const common = { program: program.programId, creator: payer, rentPayer: payer, proposal, signer: payer };
  const { methods } = program;
  return {
    propose: methods
      .createSettingsTransaction([{ setTimeLock: { newTimeLock: timeLock } }], null)
      .accountsPartial({ ...common, settings, transaction }),
    open: methods.createProposal(number, false).accountsPartial({ ...common, consensusAccount: settings }),
    approve: methods
      .approveProposal(null)
      .accountsPartial({ ...common, consensusAccount: settings, systemProgram: SystemProgram.programId }),
    execute: methods
      .executeSettingsTransaction()
      .accountsPartial({ ...common, settings, transaction, systemProgram: SystemProgram.programId }),
    proposal,
  };
}

const other = Keypair.generate().publicKey;
let settings;
let created;

await call("connection.requestAirdrop", async () => {
  const signature = await connection.requestAirdrop(payer, 100 * LAMPORTS_PER_SOL);
  await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) });
});
await call("provider.sendAndConfirm", async () => {
  await provider.sendAndConfirm(pay(other, LAMPORTS_PER_SOL));
  assert.equal(await connection.getBalance(other), LAMPORTS_PER_SOL);
});
await call("provider.sendAll", async () => {
  const sent = await provider.sendAll([{ tx: pay(other, 1) }, { tx: pay(other, 2) }]);
  assert.equal(sent.length, 2);
});
await call("provider.simulate", async () => {
  const simulated = await provider.simulate(pay(other, 3));
  assert.equal(simulated.unitsConsumed, 150);
});
await call("account.fetch", async () => {
  assert.ok((await program.account.programConfig.fetch(programConfig)).treasury instanceof PublicKey);
});
await call("account.fetchAndContext", async () => {
  assert.ok((await program.account.programConfig.fetchAndContext(programConfig)).context.slot > 0);
});
await call("account.fetchNullable", async () => {
  assert.equal(await program.account.settings.fetchNullable(other), null);
});
await call("account.getAccountInfo", async () => {
  assert.ok((await program.account.programConfig.getAccountInfo(programConfig)).owner.equals(program.programId));
});
await call("methods.instruction", async () => {
  const { made } = await creation();
  assert.ok((await made.instruction()).programId.equals(program.programId));
});
await call("methods.simulate", async () => {
  const { made } = await creation();
  assert.ok((await made.simulate()).raw.length > 0);
});
await call("methods.rpc", async () => {
  const creating = await creation();
  created = await creating.made.rpc();
  settings = creating.settings;
});
await call("account.fetch of what was made", async () => {
  const { threshold, signers, timeLock } = await program.account.settings.fetch(settings);
  assert.deepEqual([threshold, timeLock, signers.length, signers[0].key.equals(payer)], [1, 0, 1, true]);
});
await call("methods.rpc, refused", async () => {
  const { made } = await creation(2);
  const error = await made.rpc().then(
    () => undefined,
    (refused) => refused,
  );
  assert.ok(
    idl.errors.some(({ name }) => String(error).includes(name)),
    String(error),
  );
});
await call("methods.transaction, signed by hand", async () => {
  const { made } = await creation();
  await provider.sendAndConfirm(await made.transaction());
});
await call("account.fetchMultiple", async () => {
  const found = await program.account.settings.fetchMultiple([settings, Keypair.generate().publicKey]);
  assert.equal(found[0].threshold, 1);
  assert.equal(found[1], null);
});
await call("account.all", async () => {
  const all = await program.account.settings.all();
  assert.ok(all.some(({ publicKey }) => publicKey.equals(settings)));
});
await call("account.all, filtered", async () => {
  const { seed } = await program.account.settings.fetch(settings);
  const bytes = anchor.utils.bytes.bs58.encode(seed.toArrayLike(Buffer, "le", 16));
  const [only, ...more] = await program.account.settings.all([{ memcmp: { offset: 8, bytes } }]);
  assert.ok(only.publicKey.equals(settings) && more.length === 0);
});
await call("methods.rpcAndKeys with other instructions before", async () => {
  const { propose, open, approve, proposal } = change(settings, 1, 0);
  const before = [await propose.instruction(), await open.instruction()];
  const { pubkeys } = await approve.preInstructions(before).rpcAndKeys();
  assert.ok(pubkeys.proposal.equals(proposal));
  assert.ok("approved" in (await program.account.proposal.fetch(proposal)).status);
});
await call("methods.rpc, executed by vote", async () => {
  const { execute, proposal } = change(settings, 1, 0);
  await execute.rpc();
  assert.ok("executed" in (await program.account.proposal.fetch(proposal)).status);
});
await call("account.subscribe", async () => {
  const told = new Promise((resolve) => program.account.settings.subscribe(settings).on("change", resolve));
  // The client subscribes in its own time, and does not say when it has.
  let heard;
  void told.then((state) => {
    heard = state;
  });
  for (let index = 2; heard === undefined && index < 1_000; index += 1) await change(settings, index, 0).propose.rpc();
  assert.ok(heard.transactionIndex.gten(2));
  await program.account.settings.unsubscribe(settings);
});
await call("connection.onLogs of the program", async () => {
  let heard;
  const id = connection.onLogs(program.programId, (told) => {
    heard = told;
  });
  for (let times = 0; heard === undefined && times < 1_000; times += 1) {
    const { made } = await creation();
    await made.rpc();
  }
  assert.equal(heard.err, null);
  await connection.removeOnLogsListener(id);
});
await call("coder: instructions of what landed", async () => {
  const { transaction } = await connection.getTransaction(created, { maxSupportedTransactionVersion: 0 });
  const coder = new BorshInstructionCoder(program.idl);
  const [{ data }] = transaction.message.compiledInstructions;
  const { name, data: read } = coder.decode(Buffer.from(data));
  assert.deepEqual([name, read.threshold], ["createSmartAccount", 1]);
});
await call("coder: accounts", async () => {
  const { data } = await connection.getAccountInfo(settings);
  assert.equal(program.coder.accounts.decode("settings", data).threshold, 1);
});
process.exit(0);
