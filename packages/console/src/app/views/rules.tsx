import { type OwnedAccount, useAccount } from "@trellis/react";
import { AddressText } from "../../parts/address.js";
import { Rows } from "../../parts/list-view.js";
import { Card, Loading } from "../../parts/states.js";
import { Unhappy } from "../parts.js";
import { texts } from "../texts.js";
import { Named, type Names, useNames } from "./named.js";
import { accountPollMs } from "./read-states.js";
import { aloneIn, type Rules, rulesOf } from "./rules-difference.js";
import { RulesForm } from "./rules-form.js";
import { permissionsText, timeLockText } from "./rules-table.js";

const words = texts.rules;

/** Who decides about the account, by which rules, and how these become others. */
export default function Page() {
  const { data: account, error, refetch } = useAccount({ pollMs: accountPollMs });
  return (
    <>
      <h1>{texts.views.rules}</h1>
      {error ? <Unhappy error={error} onRetry={() => void refetch()} /> : null}
      {account === undefined ? error ? null : <Loading /> : <Known account={account} />}
    </>
  );
}

function Known({ account }: { readonly account: OwnedAccount }) {
  const { policies, own } = account;
  const { admin_address: admin } = policies;
  const rules = rulesOf(policies);
  const names = useNames([...rules.members.map(({ address }) => address), ...(admin === null ? [] : [admin])]);
  return (
    <>
      <Card title={words.members}>
        <Rows
          rows={rules.members}
          keyOf={({ address }) => address}
          caption={words.members}
          columns={[
            { title: words.member, cell: ({ address }) => <Named address={address} names={names} isWhole /> },
            { title: words.mayHere, cell: ({ permissions }) => permissionsText(permissions) },
          ]}
        />
        <Alone rules={rules} names={names} />
      </Card>
      <Card title={words.rulesTitle}>
        <RulesFacts account={account} rules={rules} names={names} />
      </Card>
      <Card title={words.propose}>
        {admin === null ? (
          <RulesForm key={account.address} rules={rules} own={own} names={names} />
        ) : (
          <p>{words.adminOnly}</p>
        )}
      </Card>
    </>
  );
}

function RulesFacts({
  account: { policies, protection },
  rules,
  names,
}: {
  readonly account: OwnedAccount;
  readonly rules: Rules;
  readonly names: Names;
}) {
  const { admin_address: admin } = policies;
  const voters = rules.members.filter(({ permissions }) => permissions.includes("CAN_VOTE")).length;
  return (
    <dl className="facts">
      <dt>{words.threshold}</dt>
      <dd>{words.ofVoters(rules.threshold, voters)}</dd>
      <dt>{words.timeLock}</dt>
      <dd>{rules.timeLockSeconds === 0 ? words.noTimeLock : words.timeLockIs(timeLockText(rules.timeLockSeconds))}</dd>
      <dt>{words.protection}</dt>
      <dd>{words.protections[protection]}</dd>
      <dt>{words.admin}</dt>
      <dd>
        {admin === null ? (
          words.noAdmin
        ) : (
          <>
            {words.hasAdmin} <AddressText address={admin} label={names.get(admin)} isWhole />
          </>
        )}
      </dd>
    </dl>
  );
}

/** Who can act with nobody else, in a sentence. */
function Alone({ rules, names }: { readonly rules: Rules; readonly names: Names }) {
  const alone = aloneIn(rules);
  if (alone.length === 0)
    return <p>{rules.threshold === 1 && rules.timeLockSeconds > 0 ? words.waitsForAll : words.nobodyAlone}</p>;
  return (
    <>
      <p>{words.aloneAre}</p>
      <ul>
        {alone.map((address) => (
          <li key={address}>
            <Named address={address} names={names} isWhole />
          </li>
        ))}
      </ul>
    </>
  );
}
