import { isDeepStrictEqual } from "node:util";
import { TrellisError } from "@trellis/kernel/errors.js";
import { deriveProposalAddress } from "@trellis/program-client";
import { createProposal } from "../../src/proposals/create-proposal.js";
import { executeProposal } from "../../src/proposals/execute-proposal.js";
import { createProposalFollower } from "../../src/proposals/follow-proposals.js";
import { getProposal } from "../../src/proposals/get-proposal.js";
import { listProposals } from "../../src/proposals/list-proposals.js";
import type { Proposal, ProposalDetails } from "../../src/proposals/proposal.js";
import { voteAndExecuteProposal } from "../../src/proposals/vote-and-execute.js";
import { voteOnProposal } from "../../src/proposals/vote-on-proposal.js";
import { advanceClock } from "../../src/sandbox-controls/advance-clock.js";
import type { TestNetwork } from "../support/test-network.js";
import {
  activate,
  applied,
  type ChainOutcome,
  canExecute,
  canInitiate,
  canVote,
  change,
  close,
  create,
  executableFrom,
  execute,
  isStale,
  type ModelAccount,
  type ModelAction,
  type ModelContent,
  type ModelProposal,
  may,
  mayActAtOnce,
  type VoteAction,
  vote,
  voters,
  votesNeeded,
  votesOf,
  votesToDecide,
  type WireStatus,
  wireStatus,
} from "./property-model.js";
import {
  type Collectors,
  chainTime,
  type OtherClient,
  openPlace,
  type People,
  type Place,
  payee,
  readChain,
  submit,
  wireAction,
} from "./property-world.js";

/** Everything a history is played on. */
export interface Stage {
  readonly test: TestNetwork;
  readonly people: People;
  readonly other: OtherClient;
  /** A number from 0 up to, and without, `count`. */
  readonly pick: (count: number) => number;
}

interface History extends Stage {
  readonly account: ModelAccount;
  readonly place: Place;
  /** Who paid for each proposal. */
  readonly collectors: Map<number, Collectors["rentCollector"]>;
  readonly told: string[];
}

const actions: readonly VoteAction[] = ["approve", "approve", "approve", "reject", "reject", "cancel"];
const timeLocks = [0, 0, 60, 3_600];
const unit = 100_000_000n;
/** The service pays for so many open ones of an account (gap 31). */
const openMax = 20;

/** Plays one history of so many steps; throws, with all that happened, where service, chain and model differ. */
export async function playHistory(stage: Stage, steps: number): Promise<void> {
  const account = randomAccount(stage);
  const place = await openPlace(stage.test, stage.people, account);
  const history: History = { ...stage, account, place, collectors: new Map(), told: [] };
  history.told.push(`account ${describeAccount(account)}`);
  try {
    for (let step = 0; step < steps; step += 1) {
      // A new slot, so that no two transactions are the same.
      stage.test.needs.realClock.advance(1_000);
      const touched = await playStep(history);
      await compare(history, touched);
    }
    await compareLists(history, ["Active", "Approved", "Executed", "Rejected", "Cancelled"]);
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n${history.told.join("\n")}`, { cause });
  }
}

function describeAccount({ members, threshold, timeLock, index, staleIndex }: ModelAccount): string {
  return JSON.stringify({ members: Object.fromEntries(members), threshold, timeLock, index, staleIndex });
}

function randomAccount({ people, pick }: Stage): ModelAccount {
  const count = 1 + pick(5);
  const names = shuffled(people.names, pick).slice(0, count);
  const members = new Map(names.map((name, at) => [name, at === 0 ? 7 : (1 + pick(7)) | (pick(2) === 0 ? 2 : 0)]));
  const account = { members, threshold: 1, timeLock: timeLocks[pick(timeLocks.length)] ?? 0, index: 0, staleIndex: 0 };
  const whole: ModelAccount = { ...account, lamports: 10n * unit, proposals: new Map() };
  whole.threshold = 1 + pick(Math.min(3, voters(whole).length));
  return whole;
}

function shuffled<T>(values: readonly T[], pick: Stage["pick"]): T[] {
  const left = [...values];
  return values.flatMap(() => left.splice(pick(left.length), 1));
}

/** Does one thing, by the service or past it; gives the proposal it was about. */
async function playStep(history: History): Promise<ModelProposal | undefined> {
  const { pick, account } = history;
  const proposal = randomProposal(history);
  if (proposal === undefined) return pick(3) === 0 ? createElsewhere(history) : createByService(history);
  const choice = pick(100);
  if (choice < 14) return createByService(history);
  if (choice < 22) return createElsewhere(history);
  if (choice < 42) return voteByService(history, proposal);
  if (choice < 54) return voteElsewhere(history, proposal);
  if (choice < 64) return executeByService(history, proposal);
  if (choice < 70) return executeElsewhere(history, proposal);
  if (choice < 76) return voteAndExecuteByService(history, proposal);
  if (choice < 80) return activateElsewhere(history, proposal);
  if (choice < 87) return closeElsewhere(history, proposal);
  if (choice < 90) return raceForVote(history, proposal);
  if (choice < 92) return raceForIndex(history);
  if (choice < 96 && account.timeLock === 0) return changeAtOnce(history);
  return moveClock(history);
}

/** Mostly one that is still open. */
function randomProposal({ account, pick }: History): ModelProposal | undefined {
  const all = [...account.proposals.values()];
  const open = all.filter(({ status, isClosed }) => !isClosed && ["draft", "active", "approved"].includes(status));
  const from = open.length > 0 && pick(10) < 8 ? open : all;
  return from.length === 0 ? undefined : from[pick(from.length)];
}

/** Mostly a member who may do it. */
function randomName({ account, people, pick }: History, bit: number): string {
  const able = [...account.members.keys()].filter((name) => may(account, name, bit));
  const from = pick(10) < 8 && able.length > 0 ? able : people.names;
  return from[pick(from.length)] ?? "";
}

function randomContent(history: History): ModelContent {
  const { pick } = history;
  if (pick(10) < 6) return { kind: "transaction", lamports: BigInt(1 + pick(4)) * unit };
  const count = 1 + pick(2);
  return { kind: "settings", actions: Array.from({ length: count }, () => randomAction(history)) };
}

function randomAction({ account, people, pick }: History): ModelAction {
  const signer = people.names[pick(people.names.length)] ?? "";
  switch (pick(4)) {
    case 0:
      return { type: "AddSigner", signer, mask: 1 + pick(7) };
    case 1:
      return { type: "RemoveSigner", signer };
    case 2:
      return { type: "ChangeThreshold", threshold: 1 + pick(Math.min(3, voters(account).length + 1)) };
    default:
      return { type: "SetTimeLock", seconds: timeLocks[pick(timeLocks.length)] ?? 0 };
  }
}

function addressOf({ place }: History, index: number): string {
  return deriveProposalAddress(place.settings, BigInt(index));
}

const now = ({ test }: History) => chainTime(test);

/** Demands that the service succeeds where nothing stands against it, and otherwise says one of what does. */
async function demand(history: History, what: string, codes: ReadonlySet<string>, call: Promise<unknown>) {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof TrellisError) return error.code;
      throw error;
    },
  );
  const expected = codes.size === 0 ? "success" : [...codes].join(" or ");
  history.told.push(`service: ${what}: ${outcome ?? "success"}`);
  const isExpected = outcome === undefined ? codes.size === 0 : codes.has(outcome);
  if (!isExpected) throw new Error(`the service answers ${outcome ?? "success"} instead of ${expected}`);
}

/** The same of the chain. */
function demandOfChain(history: History, what: string, expected: ChainOutcome, error: unknown): void {
  history.told.push(`elsewhere: ${what}: ${error === undefined ? "success" : customOf(error)}`);
  const isExpected =
    expected === undefined
      ? error === undefined
      : error !== undefined && (expected === "any" || customOf(error) === expected);
  if (!isExpected) throw new Error(`the chain answers ${customOf(error)} instead of ${expected ?? "success"}`);
}

/** The program's own code in a transaction's error. */
function customOf(error: unknown): unknown {
  const text = JSON.stringify(error, (_key, value) => (typeof value === "bigint" ? Number(value) : value));
  const code = /"Custom":(\d+)/.exec(text ?? "")?.[1];
  return code === undefined ? text : Number(code);
}

const paramsOf = (history: History, proposal?: ModelProposal) => ({
  address: history.place.address,
  ...(proposal === undefined ? {} : { proposal_address: addressOf(history, proposal.index) }),
});

interface Prepared {
  readonly transactions?: readonly string[];
  readonly transaction?: string;
  readonly transaction_signers: readonly string[];
  readonly signers?: readonly string[];
}

/** Signs and submits what was prepared, with the keys of those who have to. */
async function carryOut(history: History, prepared: Prepared): Promise<readonly string[]> {
  const { test, people, place } = history;
  const names = prepared.transaction_signers.map(people.nameOf);
  const single = prepared.transaction === undefined ? [] : [prepared.transaction];
  await submit(test, people, place, prepared.transactions ?? single, names);
  return (prepared.signers ?? []).map(people.nameOf);
}

function creationOf({ people }: History, signer: string, approve: boolean, content: ModelContent): object {
  const common = { signer: people.addressOf(signer), approve };
  return content.kind === "transaction"
    ? { ...common, type: "transfer", currency: "sol", amount: content.lamports.toString(), destination: payee }
    : { ...common, type: "settings", actions: content.actions.map((action) => wireAction(people, action)) };
}

async function createByService(history: History): Promise<ModelProposal | undefined> {
  const { account, test, pick } = history;
  const openCount = [...account.proposals.values()].filter(({ isClosed }) => !isClosed).length;
  if (openCount >= openMax) return moveClock(history);
  const signer = randomName(history, canInitiate);
  const approve = pick(2) === 0;
  const content = randomContent(history);
  const codes = new Set<string>();
  if (!may(account, signer, canInitiate)) codes.add("insufficient_permissions");
  if (approve && !may(account, signer, canVote)) codes.add("insufficient_permissions");
  if (content.kind === "settings") for (const code of objectionsTo(account, content.actions)) codes.add(code);
  const what = `${signer} proposes ${say(content)}${approve ? " and approves" : ""}`;
  const body = creationOf(history, signer, approve, content);
  await demand(history, what, codes, open());
  if (codes.size > 0) return undefined;
  const at = await now(history);
  create(account, signer, content, at);
  const proposal = account.proposals.get(account.index);
  if (proposal === undefined) throw new Error("the model made no proposal");
  history.collectors.set(proposal.index, test.network.feePayer.address);
  if (approve) vote(account, proposal, signer, "approve", at);
  return proposal;

  async function open(): Promise<void> {
    await carryOut(history, await test.call<Prepared>(createProposal, { params: paramsOf(history), body }));
  }
}

/** What the service says against a change of settings that is proposed (gaps 16, 23, 36). */
function objectionsTo(account: ModelAccount, wanted: readonly ModelAction[]): readonly string[] {
  const after = applied(account, wanted);
  if (after === undefined || addsMember(account, wanted)) return ["invalid_policies"];
  const isSame =
    after.threshold === account.threshold &&
    after.timeLock === account.timeLock &&
    isDeepStrictEqual(after.members, account.members);
  return isSame ? ["no_changes"] : [];
}

/** Whether an address is added that is a member by then: the service refuses also what the end of the list would mend. */
function addsMember(account: ModelAccount, wanted: readonly ModelAction[]): boolean {
  const members = new Set(account.members.keys());
  return wanted.some((action) => {
    if (action.type === "RemoveSigner") members.delete(action.signer);
    if (action.type !== "AddSigner") return false;
    if (members.has(action.signer)) return true;
    members.add(action.signer);
    return false;
  });
}

function say(content: ModelContent): string {
  return content.kind === "transaction" ? `a payment of ${content.lamports}` : JSON.stringify(content.actions);
}

async function createElsewhere(history: History): Promise<ModelProposal | undefined> {
  const { account, other, place, pick, people } = history;
  const name = randomName(history, canInitiate);
  const content = randomContent(history);
  const isDraft = pick(3) === 0;
  const what = `${name} proposes ${say(content)}${isDraft ? " as a draft" : ""}`;
  const error = await other.create(place, account.index + 1, name, content, isDraft);
  const expected = create(account, name, content, await now(history), isDraft);
  demandOfChain(history, what, expected, error);
  if (expected !== undefined) return undefined;
  history.collectors.set(account.index, people.addressOf("stranger"));
  await follow(history);
  return account.proposals.get(account.index);
}

const follow = ({ test }: History) => createProposalFollower(test.needs).tick(test.network);

/** What stands against votes, by the rules of the interface; undefined votes where something does. */
function objectionsToVotes(
  account: ModelAccount,
  proposal: ModelProposal,
  action: VoteAction,
  names: readonly string[],
): { readonly codes: Set<string>; readonly votes: readonly string[]; readonly opener: string | undefined } {
  const codes = new Set<string>();
  if (names.some((name) => !may(account, name, canVote))) codes.add("insufficient_permissions");
  const own = votesOf(proposal, action);
  const fresh = names.filter((name) => !own.has(name));
  if (fresh.length === 0) codes.add("already_voted");
  const isDraft = proposal.status === "draft" && action !== "cancel";
  const opener = isDraft ? fresh.find((name) => may(account, name, canInitiate)) : undefined;
  const wanted = action === "cancel" ? "approved" : "active";
  if (proposal.isClosed || (proposal.status !== wanted && opener === undefined)) codes.add("invalid_proposal_status");
  if (action !== "cancel" && isStale(account, proposal)) codes.add("stale_proposal");
  const counting = [...own].filter((name) => action !== "cancel" || account.members.has(name)).length;
  const left = Math.max(1, votesToDecide(account, action) - counting);
  return { codes, votes: fresh.slice(0, left), opener };
}

function randomNames(history: History, bit: number): readonly string[] {
  const count = 1 + history.pick(3);
  return [...new Set(Array.from({ length: count }, () => randomName(history, bit)))];
}

async function voteByService(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, test, people, pick } = history;
  const names = randomNames(history, canVote);
  const action = actions[pick(actions.length)] ?? "approve";
  const { codes, votes, opener } = objectionsToVotes(account, proposal, action, names);
  const body = { action, signers: names.map(people.addressOf) };
  let voted: readonly string[] = [];
  await demand(history, `${names.join()} ${action} ${proposal.index}`, codes, cast());
  if (codes.size > 0) return proposal;
  if (!isDeepStrictEqual(voted, votes)) throw new Error(`${voted.join()} voted instead of ${votes.join()}`);
  const at = await now(history);
  if (opener !== undefined) activate(account, proposal, opener, at);
  for (const name of votes) vote(account, proposal, name, action, at);
  return proposal;

  async function cast(): Promise<void> {
    const params = paramsOf(history, proposal);
    voted = await carryOut(history, await test.call<Prepared>(voteOnProposal, { params, body }));
  }
}

async function voteElsewhere(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, other, place, pick } = history;
  const name = randomName(history, canVote);
  const action = actions[pick(actions.length)] ?? "approve";
  const error = await other.vote(place, proposal, name, action);
  const expected = vote(account, proposal, name, action, await now(history));
  demandOfChain(history, `${name} ${action} ${proposal.index}`, expected, error);
  await follow(history);
  return proposal;
}

async function activateElsewhere(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, other, place } = history;
  const name = randomName(history, canInitiate);
  const error = await other.activate(place, proposal, name);
  const expected = activate(account, proposal, name, await now(history));
  demandOfChain(history, `${name} opens ${proposal.index}`, expected, error);
  await follow(history);
  return proposal;
}

async function executeElsewhere(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, other, place } = history;
  const name = randomName(history, canExecute);
  const error = await other.execute(place, proposal, name);
  const expected = execute(account, proposal, name, await now(history));
  demandOfChain(history, `${name} executes ${proposal.index}`, expected, error);
  await follow(history);
  return proposal;
}

/** What stands against an execution at this moment. */
function objectionsToExecution(
  account: ModelAccount,
  proposal: ModelProposal,
  at: number,
  executors: readonly string[],
): Set<string> {
  const codes = new Set<string>();
  if (!executors.some((name) => may(account, name, canExecute))) codes.add("insufficient_permissions");
  if (proposal.isClosed || proposal.status !== "approved") codes.add("invalid_proposal_status");
  else if (at < executableFrom(account, proposal)) codes.add("time_lock_not_released");
  const { content } = proposal;
  if (content.kind === "settings") {
    if (isStale(account, proposal)) codes.add("stale_proposal");
    else if (applied(account, content.actions) === undefined) codes.add("transaction_failed");
  } else if (content.lamports > account.lamports) codes.add("transaction_failed");
  return codes;
}

async function executeByService(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, test, people } = history;
  const name = randomName(history, canExecute);
  const at = await now(history);
  const codes = objectionsToExecution(account, proposal, at, [name]);
  const params = paramsOf(history, proposal);
  const body = { signer: people.addressOf(name) };
  const act = async () => {
    await carryOut(history, await test.call<Prepared>(executeProposal, { params, body }));
  };
  await demand(history, `${name} executes ${proposal.index}`, codes, act());
  if (codes.size === 0) execute(account, proposal, name, at);
  return proposal;
}

async function closeElsewhere(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, other, place, collectors } = history;
  const rentCollector = collectors.get(proposal.index);
  if (rentCollector === undefined) throw new Error(`nobody paid for ${proposal.index}`);
  const error = await other.closeStored(place, proposal, { rentCollector });
  demandOfChain(history, `somebody closes ${proposal.index}`, close(account, proposal), error);
  await follow(history);
  return proposal;
}

async function changeAtOnce(history: History): Promise<undefined> {
  const { account, other, place } = history;
  const names = [...account.members.keys()];
  const wanted = [randomAction(history)];
  if (!mayActAtOnce(account, names) || applied(account, wanted) === undefined) return moveClock(history);
  const error = await other.changeAtOnce(place, names, wanted);
  change(account, wanted);
  demandOfChain(history, `all change ${JSON.stringify(wanted)}`, undefined, error);
  await follow(history);
  return undefined;
}

async function moveClock(history: History): Promise<undefined> {
  const seconds = 1 + history.pick(4_000);
  await history.test.call(advanceClock, { body: { seconds } });
  history.told.push(`the clock moves by ${seconds} s`);
  return undefined;
}

async function voteAndExecuteByService(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, test, people } = history;
  const names = randomNames(history, canVote);
  const at = await now(history);
  const { codes, votes, opener, executor } = objectionsToBoth(account, proposal, at, names);
  const params = paramsOf(history, proposal);
  const body = { signers: names.map(people.addressOf) };
  const act = async () => {
    await carryOut(history, await test.call<Prepared>(voteAndExecuteProposal, { params, body }));
  };
  await demand(history, `${names.join()} approve and execute ${proposal.index}`, codes, act());
  if (codes.size > 0 || executor === undefined) return proposal;
  if (opener !== undefined) activate(account, proposal, opener, at);
  for (const name of votes) vote(account, proposal, name, "approve", at);
  execute(account, proposal, executor, at);
  return proposal;
}

/** What stands against approvals with an execution behind them. */
function objectionsToBoth(account: ModelAccount, proposal: ModelProposal, at: number, names: readonly string[]) {
  const codes = new Set<string>();
  if (names.some((name) => !may(account, name, canVote | canExecute))) codes.add("insufficient_permissions");
  const isApproved = proposal.status === "approved" && !proposal.isClosed;
  const fresh = names.filter((name) => may(account, name, canVote) && !proposal.approved.has(name));
  const plan =
    isApproved || fresh.length === 0
      ? { codes: new Set<string>(), votes: [], opener: undefined }
      : objectionsToVotes(account, proposal, "approve", fresh);
  for (const code of plan.codes) codes.add(code);
  const executor = [...plan.votes, ...names].find((name) => may(account, name, canExecute));
  const isOpen = !proposal.isClosed && (proposal.status === "active" || proposal.status === "draft");
  if (!isApproved && isOpen && proposal.approved.size + plan.votes.length < account.threshold) {
    codes.add("insufficient_permissions");
  }
  if (isOpen && account.timeLock > 0) codes.add("time_lock_not_released");
  const objections = objectionsToExecution(account, proposal, at, names);
  // Its own approvals count.
  if (isOpen) objections.delete("invalid_proposal_status");
  for (const code of objections) codes.add(code);
  return { codes, votes: plan.votes, opener: plan.opener, executor };
}

/** A vote that is prepared by the service, and follows something that another client did meanwhile. */
async function raceForVote(history: History, proposal: ModelProposal): Promise<ModelProposal> {
  const { account, test, people, place, other, pick } = history;
  const name = randomName(history, canVote);
  const action = actions[pick(actions.length)] ?? "approve";
  const before = objectionsToVotes(account, proposal, action, [name]);
  if (before.codes.size > 0 || before.opener !== undefined) return voteByService(history, proposal);
  const params = paramsOf(history, proposal);
  const body = { action, signers: [people.addressOf(name)] };
  const prepared = await test.call<Prepared>(voteOnProposal, { params, body });
  const rival = pick(2) === 0 ? name : randomName(history, canVote);
  const rivalAction = pick(2) === 0 ? action : (actions[pick(actions.length)] ?? "approve");
  const error = await other.vote(place, proposal, rival, rivalAction);
  const at = await now(history);
  const outcome = vote(account, proposal, rival, rivalAction, at);
  demandOfChain(history, `${rival} ${rivalAction} ${proposal.index}, first`, outcome, error);
  const { codes } = objectionsToVotes(account, proposal, action, [name]);
  await demand(history, `${name} ${action} ${proposal.index}, second`, codes, carryOut(history, prepared));
  if (codes.size === 0) vote(account, proposal, name, action, at);
  await follow(history);
  return proposal;
}

/** A proposal that is prepared by the service, and whose index another client takes. */
async function raceForIndex(history: History): Promise<ModelProposal | undefined> {
  const { account, test, people, place, other } = history;
  const content: ModelContent = { kind: "transaction", lamports: unit };
  const name = [...account.members.keys()].find((member) => may(account, member, canInitiate));
  if (name === undefined) return moveClock(history);
  const body = creationOf(history, name, false, content);
  const prepared = await test.call<Prepared>(createProposal, { params: paramsOf(history), body });
  const error = await other.create(place, account.index + 1, name, content, false);
  demandOfChain(history, `${name} takes the index`, create(account, name, content, await now(history)), error);
  history.collectors.set(account.index, people.addressOf("stranger"));
  const lost = carryOut(history, prepared);
  await demand(history, `${name} comes late`, new Set(["proposal_index_conflict"]), lost);
  await follow(history);
  return account.proposals.get(account.index);
}

/** Holds the model against the chain's accounts and the service's answers. */
async function compare(history: History, touched: ModelProposal | undefined): Promise<void> {
  const { test, people, place, account, pick } = history;
  const statuses: readonly WireStatus[] = ["Active", "Approved", "Executed", "Rejected", "Cancelled"];
  const chain = await readChain(test, people, place, account);
  demandSame("the chain", chain, chainOf(account));
  await compareLists(history, [statuses[pick(statuses.length)] ?? "Active"]);
  if (touched !== undefined) await compareDetails(history, touched);
}

function chainOf(account: ModelAccount) {
  const { threshold, timeLock, index, staleIndex, members } = account;
  return {
    settings: { threshold, timeLock, index, staleIndex, members: Object.fromEntries(members) },
    proposals: [...account.proposals.values()].map((proposal) => {
      if (proposal.isClosed) return { index: proposal.index, closed: true };
      const { status, since, room } = proposal;
      return { index: proposal.index, status, since, room, ...votesByKind(proposal) };
    }),
  };
}

function votesByKind({ approved, rejected, cancelled }: ModelProposal) {
  return { approved: [...approved].sort(), rejected: [...rejected].sort(), cancelled: [...cancelled].sort() };
}

/** The whole list, and the list by each of these statuses, newest first. */
async function compareLists(history: History, statuses: readonly WireStatus[]): Promise<void> {
  const { test, account } = history;
  const newestFirst = [...account.proposals.values()].reverse();
  const list = (query: object) => test.call<Proposal[]>(listProposals, { params: paramsOf(history), query });
  const all = await list({ limit: 100 });
  const listed = (proposals: readonly Proposal[]) => proposals.map((proposal) => wireView(history, proposal));
  const wanted = newestFirst.map((proposal) => modelView(history, proposal));
  demandSame("the list", listed(all), wanted);
  for (const status of statuses) {
    const some = await list({ limit: 100, status: [status] });
    const those = wanted.filter((view) => view.status === status);
    demandSame(`the list of ${status}`, listed(some), those);
  }
}

function wireView({ people }: History, proposal: Proposal) {
  const named = (list: readonly string[]) => list.map(people.nameOf).sort();
  const { transactionIndex, proposalAddress, status, statusTimestamp, stale, closed, kind } = proposal;
  const votes = {
    approved: named(proposal.approved),
    rejected: named(proposal.rejected),
    cancelled: named(proposal.cancelled),
  };
  return { index: transactionIndex, proposalAddress, status, since: statusTimestamp, stale, closed, kind, ...votes };
}

function modelView(history: History, proposal: ModelProposal) {
  const { index, content, since, isClosed } = proposal;
  const status = wireStatus(proposal);
  const isOpen = status === "Active" || status === "Approved";
  return {
    index,
    proposalAddress: addressOf(history, index),
    status,
    since,
    stale: isOpen && isStale(history.account, proposal),
    closed: isClosed,
    kind: content.kind,
    ...votesByKind(proposal),
  };
}

async function compareDetails(history: History, proposal: ModelProposal): Promise<void> {
  const { test, account } = history;
  const details = await test.call<ProposalDetails>(getProposal, { params: paramsOf(history, proposal), query: {} });
  demandSame("the proposal", wireView(history, details), modelView(history, proposal));
  demandSame("the missing votes", details.votesNeeded, votesNeeded(account, proposal));
  const isApproved = wireStatus(proposal) === "Approved";
  const until = new Date(executableFrom(account, proposal) * 1_000).toISOString();
  demandSame("the end of the time lock", details.executableAt, isApproved ? until : undefined);
  const { content } = proposal;
  const [effect] = details.summary;
  const said = effect?.type === "transfer" ? BigInt(effect.amount) : effect?.type;
  demandSame("the content", said, content.kind === "transaction" ? content.lamports : "settings_change");
}

function demandSame(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const text = (value: unknown) => JSON.stringify(value, (_key, v) => (typeof v === "bigint" ? String(v) : v), 1);
  throw new Error(`${what} differs\nactual:   ${text(actual)}\nexpected: ${text(expected)}`);
}
