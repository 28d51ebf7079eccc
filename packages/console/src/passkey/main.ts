/** The page on which a person opens, renews or ends a session of a passkey signer, or approves one transaction with it. Vanilla: it shows little, and nothing as markup. */
import "./style.css";
import { describeApproval, type ShownAct } from "./approval.js";
import { type AuthenticatorResponse, askPasskey, type MadePasskey, makePasskey } from "./ask-passkey.js";
import { type Approval, type Ceremony, type Refusal, refusalOf } from "./ceremony.js";
import { originOf, placeOf, returnAddress, withOutcome } from "./return-address.js";
import { type CarriedOut, completeCeremony, type OpenedSession, Refused, readCeremony } from "./service.js";

const element = <Kind extends HTMLElement = HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

/** A click that was meant for what stood here a moment ago does not count. */
const guardMs = 700;

const refusals: Readonly<Record<Refusal, string>> = {
  altered_address: "The address of this page says something else than what was asked for.",
  other_challenge: "What the passkey would sign is not what this page would show.",
  other_page: "Passkeys of this request belong to another page.",
};

async function begin(): Promise<void> {
  if (window.top !== window.self)
    return end("This page stands alone", "It works in a window of its own, not inside another page.");
  const query = new URLSearchParams(location.search);
  const challenge = query.get("challenge");
  if (challenge === null)
    return end("Nothing is asked for", "Your application opens this page when there is something to do.");
  const ceremony = await readCeremony(challenge, query.get("redirect-url"));
  const refusal = refusalOf(ceremony, { query, origin: location.origin, hostname: location.hostname });
  if (refusal !== undefined) {
    return end("Nothing was signed", `${refusals[refusal]} Close this page, and do not use the link again.`);
  }
  if (ceremony.ceremony_type === "approve") showApproval(ceremony);
  else show(ceremony);
}

function showApproval(approval: Approval): void {
  const acts = describeApproval(approval);
  const back = returnAddress(approval.redirect_url);
  if (acts === undefined) {
    end("Nothing was signed", "A part of what you would approve cannot be read here, so it cannot be shown to you.");
    if (back !== undefined) offerWayBack(back, { status: "error", message: "unreadable" });
    return;
  }
  say(
    "Approve this?",
    "It happens once, as soon as your passkey has signed. Nothing else can be done with your answer.",
  );
  for (const act of acts) element("acts").append(makeAct(act));
  element("acts").hidden = false;
  showFacts([
    ["From your account", approval.account_address, "address"],
    ...whoAsks(approval, back),
    ["The network's fee", "is paid by the service"],
    ["Network", networkOf(approval)],
  ]);
  if (acts.some(({ isUnseen }) => isUnseen)) {
    warn(
      "This page cannot see what the proposal does. Go on only if you have read it elsewhere, and trust what you read.",
    );
  }
  ask(approval, back, "Approve");
}

/** Addresses in full, each for itself: they are what is compared. */
function makeAct({ parts }: ShownAct): HTMLElement {
  const item = document.createElement("li");
  for (const part of parts) {
    if ("text" in part) item.append(part.text);
    else {
      const address = document.createElement("code");
      address.textContent = part.address;
      item.append(address);
    }
  }
  return item;
}

const whoAsks = ({ app_name, tenant_name }: Ceremony | Approval, back: URL | undefined): Fact[] => [
  ["The application calls itself", app_name],
  ["It is operated by", tenant_name],
  ["Your answer goes to", back === undefined ? "nobody: this page says when it is done" : placeOf(back)],
];

const networkOf = ({ environment }: Ceremony | Approval): string =>
  environment === "sandbox" ? "Sandbox: no money is real" : environment;

type Fact = readonly [label: string, value: string, style?: string];

function showFacts(rows: readonly Fact[]): void {
  for (const [label, value, style] of rows) element("facts").append(make("dt", label), make("dd", value, style));
  element("facts").hidden = false;
}

function warn(text: string): void {
  element("danger").textContent = text;
  element("danger").hidden = false;
}

/** The button, and the way back without it. */
function ask(ceremony: Ceremony | Approval, back: URL | undefined, button: string): void {
  if (back !== undefined) offerWayBack(back, { status: "error", message: "cancelled" }, "Cancel and go back");
  element("go").textContent = button;
  element("go").hidden = false;
  setTimeout(() => {
    element<HTMLButtonElement>("go").disabled = false;
  }, guardMs);
  const over = setTimeout(() => expire(back), ceremony.expires_in_seconds * 1_000);
  act(ceremony, back, () => clearTimeout(over));
  element("title").focus();
}

function show(ceremony: Ceremony): void {
  const { ceremony_type, session_seconds } = ceremony;
  const isEnd = session_seconds === 0;
  const back = returnAddress(ceremony.redirect_url);
  const isNew = ceremony_type === "create";
  say(
    isEnd ? "End a session?" : isNew ? "Create a passkey and open a session?" : "Open a session?",
    isEnd
      ? "After this, no key of an application signs for your passkey."
      : isNew
        ? "A session lets a key of an application sign in place of your new passkey."
        : "A session lets a key of an application sign in place of your passkey. One that you have opened before ends.",
  );
  showFacts([
    ...whoAsks(ceremony, back),
    [isEnd ? "Key named in the request" : "Key that signs for you", ceremony.session_key, "address"],
    ...(isEnd ? [] : [["It can spend", spendingTime(ceremony)] as const]),
    ["Network", networkOf(ceremony)],
  ]);
  if (!isEnd) {
    warn(
      "Until then this key can do everything that your passkey may do in your accounts, without asking you again: pay out all of the money, and change who may pay.",
    );
  }
  ask(ceremony, back, isEnd ? "End the session" : isNew ? "Create it and open the session" : "Open the session");
}

/** Until when, and how long that is. The instant is by the clock of the environment. */
function spendingTime({ session_expires_at, session_seconds }: Ceremony): string {
  const length = durationOf(session_seconds);
  if (session_expires_at === null) return `for ${length} from now`;
  return `for ${length}, until ${new Date(session_expires_at).toLocaleString()}`;
}

const units: readonly (readonly [seconds: number, one: string])[] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
];

/** The two largest units: 5400 is "1 hour, 30 minutes". */
function durationOf(seconds: number): string {
  let left = seconds;
  const parts = units.flatMap(([size, one]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${one}${count === 1 ? "" : "s"}`];
  });
  return parts.slice(0, 2).join(", ");
}

function act(ceremony: Ceremony | Approval, back: URL | undefined, stopClock: () => void): void {
  const go = element<HTMLButtonElement>("go");
  // A passkey that was made stays the one that is asked, however often its holder tries.
  let made: MadePasskey | undefined;
  go.onclick = async () => {
    go.disabled = true;
    tell("Waiting for your passkey.");
    let answered: AuthenticatorResponse;
    try {
      if (ceremony.ceremony_type === "create") made ??= await makePasskey(ceremony);
      answered = await askPasskey(ceremony, made);
    } catch {
      // Browsers do not say why: no passkey, no finger, or no wish.
      go.disabled = false;
      if (made !== undefined) go.textContent = "Sign with the new passkey";
      return tell("Your passkey has not signed. You can try again.");
    }
    stopClock();
    // From here on there is nothing that could be cancelled.
    go.hidden = true;
    element("back").replaceChildren();
    tell(`One moment: ${ceremony.ceremony_type === "approve" ? "it" : "the session"} is written to the chain.`);
    await complete(ceremony, back, answered);
  };
}

async function complete(
  ceremony: Ceremony | Approval,
  back: URL | undefined,
  answered: AuthenticatorResponse,
): Promise<void> {
  try {
    const opened = await completeCeremony(answered);
    giveBack(ceremony, back, answered, opened);
  } catch (error) {
    if (!(error instanceof Refused)) {
      end(
        "It is not known whether this was done",
        "The service does not answer. Go back to the application, which can find out.",
      );
      if (back !== undefined) offerWayBack(back, { status: "error", message: "outcome_unknown" });
      return;
    }
    if (error.code === "passkey_ceremony_not_found" || error.code === "passkey_challenge_over") return expire(back);
    end("The service did not accept it", `Go back to the application, and ask again. It says: ${error.code}.`);
    if (back !== undefined) offerWayBack(back, { status: "error", message: error.code });
  }
}

/** To the page that has opened this one and is of the address that the ceremony names; and by that address itself. */
function giveBack(
  ceremony: Ceremony | Approval,
  back: URL | undefined,
  authenticator_response: AuthenticatorResponse,
  done: OpenedSession | CarriedOut,
): void {
  end(
    "Done",
    back === undefined
      ? "You can close this page, and go back to the application."
      : "The application goes on with it.",
  );
  if (back === undefined) return;
  const origin = originOf(back);
  const { ceremony_type } = ceremony;
  const passkey_account = ceremony.ceremony_type === "approve" ? ceremony.passkey_address : undefined;
  const outcome = { status: "success", ceremony_type, ...(passkey_account && { passkey_account }), ...done };
  if (origin !== undefined && window.opener !== null) {
    const message = { type: "trellis.passkey", ...outcome, authenticator_response };
    (window.opener as Window).postMessage(message, origin);
  }
  const { session_key, ...texts } = { session_key: undefined, ...outcome };
  location.replace(
    offerWayBack(back, {
      ...texts,
      ...(session_key && { session_key: session_key.key, expiration: String(session_key.expiration) }),
    }),
  );
}

function expire(back: URL | undefined): void {
  end("This took too long", "A request counts for a minute. Go back to the application, and ask again.");
  if (back !== undefined) offerWayBack(back, { status: "error", message: "expired" });
}

/** Systems open an application by what its user touches, and not always by a script: so the way back is a link. */
function offerWayBack(back: URL, outcome: Readonly<Record<string, string>>, text = "Back to the application"): string {
  const link = document.createElement("a");
  link.href = withOutcome(back, outcome);
  link.textContent = text;
  element("back").replaceChildren(link);
  return link.href;
}

function say(title: string, text: string): void {
  element("title").textContent = title;
  document.title = title;
  element("text").textContent = text;
}

/** Nothing is left to do here. */
function end(title: string, text: string): void {
  say(title, text);
  for (const id of ["acts", "facts", "danger", "go"]) element(id).hidden = true;
  element("back").replaceChildren();
  tell("");
  element("title").focus();
}

function tell(text: string): void {
  element("status").textContent = text;
}

function make(name: "dt" | "dd", text: string, style = ""): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  made.dir = "auto";
  if (style !== "") made.className = style;
  return made;
}

begin().catch((error: unknown) => {
  if (error instanceof Refused)
    return end(
      "This request is over",
      "It was completed, took longer than a minute, or was not made here. Go back to the application, and ask again.",
    );
  end("The service does not answer", "Close this page, and try again in a minute.");
});
