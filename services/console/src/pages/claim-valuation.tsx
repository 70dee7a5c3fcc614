/** What a claim was worth at a cutoff: its amounts, the difference to another cutoff, and its facts by effective and recorded time. */
import { type ClaimValuation, formatInstant, tryParseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/platform';
import type { PageRequest } from '../page';
import { Amount, formatPrecisely, Instant, Status, Table } from '../parts';

type Name = keyof ClaimValuation['amount'];

const AMOUNTS: readonly (readonly [Name, string])[] = [
  ['billed', 'Billed'],
  ['payer_liability', 'Payer liability'],
  ['patient_responsibility', 'Patient'],
  ['adjustment', 'Adjustment'],
  ['remitted', 'Remitted'],
  ['settled', 'Settled'],
  ['outstanding', 'Outstanding'],
];

/** Reads the valuation; null if the claim did not exist at the cutoff. */
export async function readValuation(
  { calls, project }: PageRequest,
  claimId: string,
  at: string,
): Promise<ClaimValuation | null> {
  try {
    return await calls.execute(project, 'getClaimValuation', {
      params: { claim_id: claimId },
      query: { valuation_at: at },
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'resource_not_found') return null;
    throw error;
  }
}

/**
 * Returns the cutoff in the address in the form of the API; null if it is missing. @throws ApiError validation_failed if the text is not an
 * instant
 */
export function readCutoff(query: URLSearchParams, name: string): string | null {
  const text = query.get(name) ?? '';
  if (text === '') return null;
  const instant = tryParseInstant(text);
  if (instant === undefined)
    throw new ApiError(
      'validation_failed',
      `The cutoff "${name}" must be an RFC 3339 date-time with an offset.`,
    );
  return formatInstant(instant);
}

/** The amounts as bars. The length of a bar is relative to the largest amount. */
function Bars({ valuation }: { valuation: ClaimValuation }) {
  const { amount, currency } = valuation;
  const largest = Math.max(1, ...AMOUNTS.map(([name]) => amount[name] ?? 0));
  return (
    <table class="bars">
      <caption>
        Amounts at <Instant at={valuation.valuation_at} isPrecise />, status{' '}
        <Status value={valuation.status} />
      </caption>
      <tbody>
        {AMOUNTS.map(([name, label]) => (
          <tr key={name} data-name={name} data-value={amount[name] ?? 'null'}>
            <th scope="row">{label}</th>
            <td class="bar">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class={name} width={((amount[name] ?? 0) / largest) * 100} height="10" />
              </svg>
            </td>
            <td class="number">
              <Amount value={amount[name]} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The differences between the valuations at two cutoffs. */
function Differences({ from, to }: { from: ClaimValuation; to: ClaimValuation }) {
  const rows = AMOUNTS.filter(([name]) => from.amount[name] !== to.amount[name]);
  const facts = to.events.length - from.events.length;
  return (
    <Table
      caption={`Changed amounts, and ${Math.abs(facts)} ${facts < 0 ? 'fewer' : 'more'} facts`}
      none="The amounts are equal."
      columns={[
        { label: 'Amount', cell: ([, label]) => label },
        {
          label: 'First cutoff',
          isNumber: true,
          cell: ([name]) => <Amount value={from.amount[name]} currency={from.currency} />,
        },
        {
          label: 'Second cutoff',
          isNumber: true,
          cell: ([name]) => <Amount value={to.amount[name]} currency={to.currency} />,
        },
      ]}
      rows={rows}
    />
  );
}

const SIZE = 100;

/** The facts as points: effective time to the right, recorded time upwards. The facts in the shaded square count at the cutoff. */
function TwoAxes({ all, at }: { all: ClaimValuation; at: number }) {
  const points = all.events.map((event) => ({
    ...event,
    x: Date.parse(event.effective_at),
    y: Date.parse(event.recorded_at),
  }));
  const times = points.flatMap(({ x, y }) => [x, y]);
  const [first, last] = [Math.min(...times), Math.max(...times, at)];
  const scale = (time: number) => (last === first ? SIZE : ((time - first) / (last - first)) * SIZE);
  const cutoff = Math.max(0, Math.min(SIZE, scale(at)));
  return (
    <figure class="axes">
      <svg viewBox="-11 -4 115 115" role="img" aria-label="Facts by effective time and recorded time">
        <rect class="known" x="-2" y={SIZE - cutoff - 2} width={cutoff + 4} height={cutoff + 4} />
        <path class="axis" d="M-3 -3V103H103" />
        <text x={SIZE} y="109" text-anchor="end">
          effective
        </text>
        <text x="0" y="-6" text-anchor="end" transform="rotate(-90)">
          recorded
        </text>
        {points.map(({ sequence, type, x, y }) => (
          <circle
            key={sequence}
            class={x <= at && y <= at ? 'fact counted' : 'fact'}
            cx={scale(x)}
            cy={SIZE - scale(y)}
            r="2"
          >
            <title>{`${sequence} ${type}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption>
        Each point is a fact: to the right when it took effect, upwards when it was recorded. The shaded facts
        count at the cutoff. Both axes are from {formatPrecisely(new Date(first).toISOString())} to{' '}
        {formatPrecisely(new Date(last).toISOString())}.
      </figcaption>
    </figure>
  );
}

/** The form of the cutoffs. Its slider is shown by the script of the page. @param address the path of the claim's page */
export function Cutoffs({
  address,
  first,
  at,
  compare,
  now,
}: {
  address: string;
  first: string;
  at: string;
  compare: string | null;
  now: string;
}) {
  return (
    <form class="cutoffs" method="get" action={address} id="cutoffs">
      <label for="slider">Cutoff</label>
      <input
        id="slider"
        type="range"
        min={Date.parse(first)}
        max={Date.parse(now)}
        value={Date.parse(at)}
        step="1"
        aria-valuetext={formatPrecisely(at)}
        hidden
      />
      <label for="at">Effective and recorded until</label>
      <input id="at" name="at" value={at} spellcheck={false} autocomplete="off" />
      <label for="compare">Compare with (optional)</label>
      <input id="compare" name="compare" value={compare ?? ''} spellcheck={false} autocomplete="off" />
      <button type="submit">Show</button>
    </form>
  );
}

/** The text that the page's script announces to a screen reader after it has loaded the picture of another cutoff. */
function summarize(valuation: ClaimValuation | null, at: string): string {
  if (valuation === null) return `The claim did not exist at ${formatPrecisely(at)}.`;
  return `Status ${valuation.status.replaceAll('_', ' ')} at ${formatPrecisely(at)}.`;
}

/** The place where the page's script writes the summary of the picture. It is empty until then: a screen reader announces its changes. */
export function ShownCutoff() {
  return <p id="shown-cutoff" class="for-screen-readers" role="status" />;
}

export function Picture({
  valuation,
  other,
  all,
  at,
}: {
  valuation: ClaimValuation | null;
  other: ClaimValuation | null;
  all: ClaimValuation;
  at: string;
}) {
  return (
    <div id="picture" data-at={at} data-summary={summarize(valuation, at)}>
      {valuation === null ? (
        <p class="none">The claim did not exist at this cutoff.</p>
      ) : (
        <div class="columns">
          <Bars valuation={valuation} />
          <TwoAxes all={all} at={Date.parse(at)} />
        </div>
      )}
      {valuation !== null && other !== null && (
        <>
          <h3>Difference to the other cutoff</h3>
          <Differences from={other} to={valuation} />
        </>
      )}
    </div>
  );
}

export function Facts({
  all,
  at,
  address,
  query,
}: {
  all: ClaimValuation;
  at: string;
  address: string;
  query: URLSearchParams;
}) {
  const addressAt = (cutoff: string) => {
    const changed = new URLSearchParams(query);
    changed.set('at', cutoff);
    return `${address}?${changed}`;
  };
  return (
    <Table
      caption={`All ${all.events.length} facts that are known now`}
      columns={[
        { label: 'No.', isNumber: true, cell: ({ sequence }) => sequence },
        { label: 'Fact', cell: ({ type }) => type.replaceAll('_', ' ') },
        { label: 'Effective', cell: ({ effective_at }) => <Instant at={effective_at} isPrecise /> },
        { label: 'Recorded', cell: ({ recorded_at }) => <Instant at={recorded_at} isPrecise /> },
        { label: 'Reason', cell: ({ reason_code }) => reason_code ?? <span class="none">none</span> },
        {
          label: 'Cutoff',
          cell: ({ effective_at, recorded_at, sequence }) => {
            const cutoff = effective_at > recorded_at ? effective_at : recorded_at;
            return cutoff === at ? (
              'shown'
            ) : (
              <a href={addressAt(cutoff)} aria-label={`Show the claim after fact ${sequence}`}>
                show
              </a>
            );
          },
        },
      ]}
      rows={all.events}
    />
  );
}
