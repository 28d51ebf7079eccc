// Takes single checks out of a program, builds it, and sees whether a test notices. Not part of the gate: a mutant takes
// about twenty seconds.
//
//   npm run mutants [-- --only text] [--program smart_account_program or external_signature_program]
//
// Each mutant replaces one piece of text in a copy of the sources. For the smart account program the recorded transactions and the
// substitution tests are run first, then all unit tests; for the signature program its own. The names of those that no test noticed must be the ones in program/test/surviving-mutants.txt, which says why they
// survive; anything else ends with status 1. Mutants whose text is no longer in the sources fail too.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const program = fileURLToPath(new URL("..", import.meta.url));

/** [name, file below program, text, replacement] */
const MUTANTS = [
  [
    "transaction of another account executed",
    "src/instructions/execute_transaction.rs",
    "Pda::transaction(account.key(), transaction.index).require(transaction_account.key())?;",
    "",
  ],
  [
    "settings transaction of another account executed",
    "src/instructions/execute_settings_transaction.rs",
    "    Pda::transaction(account.key(), transaction.index)\n        .require_with_bump(transaction.bump, transaction_account.key())?;",
    "",
  ],
  ["another lookup table", "src/async_execution.rs", "if *account.key() != lookup.table {", "if false {"],
  [
    "batch transaction of another batch executed",
    "src/instructions/batch.rs",
    "        .require_with_bump(transaction.bump, transaction_account.key())?;",
    "        .find()?;",
  ],
  [
    "proposal of another account",
    "src/state/proposal.rs",
    "Pda::proposal(consensus, index).require_with_bump(self.bump, account.key())",
    "{ let _ = (consensus, index, account); Ok(()) }",
  ],
  ["owner of an account of ours", "src/accounts.rs", "if account.owner() != PROGRAM_ID {", "if false {"],
  ["type of an account", "src/accounts.rs", "if found != T::DISCRIMINATOR {", "if false {"],
  [
    "signature of a declared signer",
    "src/accounts.rs",
    "if account.is_signer() { Ok(account) } else { Err(Error::AccountNotSigner) }",
    "Ok(account)",
  ],
  ["signature of a member", "src/sync_consensus.rs", "if !signer.is_signer() {", "if false {"],
  ["votes of a synchronous consensus", "src/sync_consensus.rs", "if votes < settings.threshold {", "if false {"],
  ["time lock of a synchronous consensus", "src/sync_consensus.rs", "if settings.time_lock != 0 {", "if false {"],
  [
    "member twice in a synchronous consensus",
    "src/sync_consensus.rs",
    "if signers[..position].iter().any(|earlier| earlier.key() == signer.key()) {",
    "if false {",
  ],
  [
    "permission of a member",
    "src/state/settings.rs",
    "if member.has_any(permissions) { Ok(()) } else { Err(Error::Unauthorized) }",
    "{ let _ = (member, permissions); Ok(()) }",
  ],
  [
    "time lock of a proposal",
    "src/state/proposal.rs",
    "if now.saturating_sub(since) < settings.time_lock as i64 {",
    "if false {",
  ],
  [
    "votes on stale proposals",
    "src/instructions/vote.rs",
    "if settings.is_stale(proposal.transaction_index) { Err(Error::StaleProposal) } else { Ok(()) }",
    "Ok(())",
  ],
  [
    "stale changes of settings",
    "src/instructions/execute_settings_transaction.rs",
    "if settings.is_stale(transaction.index) {",
    "if false {",
  ],
  [
    "protected accounts",
    "src/async_execution.rs",
    "if inner.is_writable && protected.contains(inner.account.key()) {",
    "if false {",
  ],
  ["events logged from inside", "src/instructions/log_event.rs", "data.starts_with(&DISCRIMINATOR)", "false"],
  ["members sign inside", "src/sync_execution.rs", "(account.is_signer() && !is_member)", "account.is_signer()"],
  ["message keys", "src/async_execution.rs", "let fits = account.key() == key", "let fits = true"],
  ["limit of another account removed", "src/spending_limits.rs", "if limit.settings != *settings_key {", "if false {"],
  [
    "signer of a limit",
    "src/instructions/use_spending_limit.rs",
    "if !limit.signers.contains(signer.key()) {",
    "if false {",
  ],
  ["expiry of a limit", "src/instructions/use_spending_limit.rs", "if limit.has_expired(now) {", "if false {"],
  [
    "collector of a transaction's rent",
    "src/instructions/close.rs",
    "if transaction.rent_collector != *transaction_collector.key() {",
    "if false {",
  ],
  [
    "members who left keep their votes to cancel",
    "src/state/proposal.rs",
    "self.cancelled.retain(|voter| settings.member(voter).is_some());",
    "",
  ],
  [
    "content of a buffer",
    "src/state/transaction_buffer.rs",
    "if sha256(&self.buffer) != self.final_buffer_hash {",
    "if false {",
  ],
  ["creator of a batch", "src/instructions/batch.rs", "if batch.creator != *signer.key() {", "if false {"],
  ["rent factor above one", "src/sysvars.rs", "product.checked_shl(shift)", "Some(product)"],
  [
    "overflow of a multiplication",
    "build/lower.mjs",
    "select i1 %a_is_zero, i1 false, i1 %differs",
    "and i1 %differs, false",
  ],
];

const inSignature = (file) => `external-signature/src/${file}`;

/** The same of the signature program. */
const SIGNATURE_MUTANTS = [
  [
    "caller of the signature program",
    inSignature("dispatch.rs"),
    "if stack_height() != TOP_LEVEL {",
    "if stack_height() > 9 {",
  ],
  [
    "place of a signature check",
    inSignature("assertion.rs"),
    "if instruction.array()? != SECP256R1_PROGRAM.0 {",
    "if instruction.array()? == [1; 32] {",
  ],
  ["number of checked signatures", inSignature("assertion.rs"), "signature_count != 1", "signature_count == 0"],
  [
    "parts of a signature check elsewhere",
    inSignature("assertion.rs"),
    "[signature_in, key_in, message_in] != [THIS_INSTRUCTION; 3]",
    "[signature_in, key_in, message_in] == [7; 3]",
  ],
  [
    "sysvar of the instructions",
    inSignature("assertion.rs"),
    "if *instructions.key() != INSTRUCTIONS_SYSVAR {",
    "if instructions.key().is_zero() {",
  ],
  ["key that was checked", inSignature("assertion.rs"), "|| checked.key != passkey.key", ""],
  ["key of the arguments", inSignature("assertion.rs"), "self.key != passkey.key || ", ""],
  [
    "relying party of an assertion",
    inSignature("assertion.rs"),
    "if data.relying_party_hash != passkey.relying_party.hash {",
    "if data.relying_party_hash == [0; 32] {",
  ],
  [
    "presence of the user",
    inSignature("assertion.rs"),
    "if data.flags & USER_PRESENT == 0 {",
    "if data.flags == 0xff {",
  ],
  ["text that was signed", inSignature("assertion.rs"), "!= *client_data_hash {", "== [0; 32] {"],
  [
    "slot that was used",
    inSignature("passkey.rs"),
    "if slot.slot as u32 <= self.last_slot {",
    "if slot.slot as u32 == u32::MAX {",
  ],
  ["counter", inSignature("passkey.rs"), "if counter <= self.counter {", "if counter == u64::MAX {"],
  [
    "owner of a passkey's account",
    inSignature("passkey.rs"),
    "if account.owner() != PROGRAM_ID {",
    "if account.owner().0 == [9; 32] {",
  ],
  [
    "version of a passkey's account",
    inSignature("passkey.rs"),
    "if reader.array()? != [VERSION, SCHEME] {",
    "if reader.array()? == [9; 2] {",
  ],
  ["size of a passkey's account", inSignature("passkey.rs"), "if data.len() != SPACE {", "if data.len() == 7 {"],
  ["age of a slot", inSignature("slot_hashes.rs"), "(1..=MAX_AGE).contains(&age)", "(1..=SLOT_MODULUS).contains(&age)"],
  [
    "sysvar of the slot hashes",
    inSignature("slot_hashes.rs"),
    "if *sysvar.key() != SLOT_HASHES_SYSVAR {",
    "if sysvar.key().is_zero() {",
  ],
  ["key of a session", inSignature("session.rs"), "if self.key != *signer {", "if signer.is_zero() {"],
  ["end of a session", inSignature("session.rs"), "if clock_seconds() < self.expiration {", "if true {"],
  ["length of a first session", inSignature("session.rs"), "self.expiration <= clock_seconds() + MAX_SECONDS", "true"],
  [
    "length of a next session",
    inSignature("session.rs"),
    "if self.expiration > MAX_SECONDS {",
    "if self.expiration == 1 << 60 {",
  ],
  [
    "signature of a session key",
    inSignature("instructions/execute_by_session.rs"),
    "if !session_key.is_signer() {",
    "if false {",
  ],
  ["signature of a nonce key", inSignature("instructions/execute.rs"), "if !nonce_signer.is_signer() {", "if false {"],
  [
    "signature of a nonce key of a session",
    inSignature("instructions/refresh_session.rs"),
    "if !nonce_signer.is_signer() {",
    "if false {",
  ],
  [
    "accounts and rights that were signed",
    inSignature("inner_calls.rs"),
    "            account.is_writable().write(out);",
    "            false.write(out);",
  ],
  [
    "address of a new passkey",
    inSignature("instructions/initialize.rs"),
    "if *account.key() != address {",
    "if account.key().is_zero() {",
  ],
  [
    "passkey that is there already",
    inSignature("instructions/initialize.rs"),
    "if account.owner() != SYSTEM_PROGRAM || account.data_len() != 0 {",
    "if false {",
  ],
  ["characters of a host", inSignature("client_data.rs"), "!name.iter().all(is_host)", "!name.iter().any(is_host)"],
];

const { values } = parseArgs({ options: { only: { type: "string", default: "" }, program: { type: "string" } } });
const scratch = mkdtempSync(join(tmpdir(), "mutants-"));
const artifact = (name) => join(scratch, `program/artifact/${name}.so`);
const survivorsFile = join(program, "test/surviving-mutants.txt");
const known = new Set(
  readFileSync(survivorsFile, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#")),
);

/** Whether these tests fail on the build in the scratch directory. */
function notices(...tests) {
  const env = {
    ...process.env,
    TRELLIS_SANDBOX_PROGRAM: artifact("smart_account_program"),
    TRELLIS_SANDBOX_SIGNATURE_PROGRAM: artifact("external_signature_program"),
  };
  const args = ["node_modules/vitest/vitest.mjs", "run", "--maxWorkers=1", "--testTimeout=300000", ...tests];
  return spawnSync(process.execPath, args, { cwd: join(program, ".."), env, stdio: "ignore" }).status !== 0;
}

const PROGRAMS = [
  {
    name: "smart_account_program",
    mutants: MUTANTS,
    tests: [
      ["program/test/substitution.test.ts", "program/test/conformance.test.ts"],
      ["program/test", "--exclude", "**/fuzz*", "--exclude", "**/histories*", "--exclude", "**/passkeys*"],
    ],
  },
  {
    name: "external_signature_program",
    mutants: SIGNATURE_MUTANTS,
    tests: [["program/test/passkeys.test.ts"]],
  },
];
const all = PROGRAMS.flatMap(({ name, mutants, tests }) => mutants.map((mutant) => ({ program: name, mutant, tests })));

cpSync(program, join(scratch, "program"), { recursive: true });
let failed = false;
const complain = (text) => {
  failed = true;
  console.log(text);
};
for (const { program: changed, mutant, tests } of all) {
  const [name, file, text, replacement] = mutant;
  if (!name.includes(values.only) || (values.program ?? changed) !== changed) continue;
  const place = join(scratch, "program", file);
  const source = readFileSync(place, "utf8");
  if (!source.includes(text)) {
    complain(`${name}: its text is gone from ${file}`);
    continue;
  }
  writeFileSync(place, source.replace(text, replacement));
  const built = spawnSync("bash", [join(scratch, "program/build/build.sh"), changed], { encoding: "utf8" });
  writeFileSync(place, source);
  if (built.status !== 0) {
    complain(`${name}: does not build\n${built.stderr.slice(-500)}`);
    continue;
  }
  const isNoticed = tests.some((files) => notices(...files));
  // The next mutant may be of the other program, which is tried with this one as it is.
  cpSync(join(program, "artifact"), join(scratch, "program/artifact"), { recursive: true });
  console.log(`${name}: ${isNoticed ? "noticed" : "survives"}`);
  if (isNoticed === known.has(name)) complain(`${name}: surviving-mutants.txt says otherwise`);
}
rmSync(scratch, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;
