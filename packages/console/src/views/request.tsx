import { ApiError } from "../parts/api.js";
import { Moment } from "../parts/moment.js";
import { OutsideText } from "../parts/outside-text.js";
import { useRead } from "../parts/reads.js";
import { hrefOf } from "../parts/route.js";
import { usePlace } from "../parts/session.js";
import { Card, Failure, Loading, State } from "../parts/states.js";
import { texts } from "../texts.js";

const words = texts.requests;

/** A request as the service keeps it for a day. */
export interface KeptRequest {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly account?: string | null;
  readonly environment?: string | null;
  readonly error_code?: string | null;
  readonly error_message?: string | null;
  readonly duration_ms: number;
  readonly api_key_id?: string | null;
  readonly remote_address?: string | null;
}

/** The latest request of an id. */
export function RequestPage({ id }: { readonly id: string }) {
  const { environment } = usePlace();
  const found = useRead<KeptRequest>(`/requests/${encodeURIComponent(id)}`);
  const request = found.data;
  const isMissing = found.error instanceof ApiError && found.error.status === 404;
  return (
    <>
      <h1>{words.one}</h1>
      <p className="faint">{words.kept}</p>
      {isMissing ? <p>{words.noRequest}</p> : null}
      {found.error && !isMissing ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : null}
      {request === undefined ? (
        found.error ? null : (
          <Loading />
        )
      ) : (
        <Card title={`${request.method} ${request.path}`}>
          <dl className="facts">
            <dt>{words.id}</dt>
            <dd>
              <OutsideText text={request.request_id} />
            </dd>
            <dt>{texts.account.when}</dt>
            <dd>
              <Moment at={request.at} />
            </dd>
            <dt>{words.answer}</dt>
            <dd>
              <RequestOutcome of={request} />
            </dd>
            <dt>{words.why}</dt>
            <dd>
              <OutsideText text={request.error_message ?? texts.none} />
            </dd>
            <dt>{texts.payments.account}</dt>
            <dd>
              {request.account == null ? (
                texts.none
              ) : (
                <a href={hrefOf(request.environment ?? environment, ["accounts", request.account])}>
                  <code>{request.account}</code>
                </a>
              )}
            </dd>
            <dt>{texts.environment}</dt>
            <dd>{request.environment ?? texts.none}</dd>
            <dt>{words.key}</dt>
            <dd>
              <OutsideText text={request.api_key_id ?? texts.none} />
            </dd>
            <dt>{words.from}</dt>
            <dd>
              <OutsideText text={request.remote_address ?? texts.none} />
            </dd>
            <dt>{words.took}</dt>
            <dd>{texts.webhooks.ms(request.duration_ms)}</dd>
          </dl>
        </Card>
      )}
    </>
  );
}

/** What was answered: the status, and the code of an error. */
export function RequestOutcome({ of: { status, error_code } }: { readonly of: KeptRequest }) {
  return (
    <>
      <State value={String(status)} tone={status < 400 ? "good" : "bad"} /> <code>{error_code}</code>
    </>
  );
}
