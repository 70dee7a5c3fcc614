/** What a claim was worth at any instant: the picture of its two times, and the table of its facts. */
import { formatInstant, tryParseInstant } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { axisOf, renderTwoTimes, type Story, type View } from '@carecover/two-times';
import type { PageRequest } from '../page';
import { Amount, Instant, Table } from '../parts';

/** A fact with its reason and its evidence, which are not in the picture. */
type ClaimFact = Story['facts'][number] & {
  readonly reason_code: string | null;
  readonly evidence_references: readonly string[];
};

/** What the claims service returns about a claim for its picture. */
interface Timeline extends Omit<Story, 'time_zone' | 'facts'> {
  readonly facts: readonly ClaimFact[];
}

/** The timeline of a claim, in the time zone of its project. */
export type ClaimStory = Timeline & Pick<Story, 'time_zone'>;

/** Reads the facts of a claim and its valuations at every instant. They are final up to `now`, the time of the claims service. */
export function readTimeline({ calls, project }: PageRequest, claimId: string): Promise<Timeline> {
  return calls.service<Timeline>('claims', project, `/claims/${claimId}/timeline`);
}

/** Returns the cutoff in the address in epoch milliseconds; null if it is missing. @throws ApiError validation_failed */
function readCutoff(query: URLSearchParams, name: 'at' | 'compare', now: string): number | null {
  const text = (query.get(name) ?? '').trim();
  if (text === '') return null;
  const instant = tryParseInstant(text);
  const cutoff = name === 'at' ? 'A' : 'B';
  if (instant === undefined)
    throw new ApiError(
      'validation_failed',
      `The cutoff ${cutoff} ("${name}") must be an RFC 3339 date-time with an offset.`,
    );
  if (instant > Date.parse(now))
    throw new ApiError(
      'validation_failed',
      `The cutoff ${cutoff} ("${name}") must not be after now, which is ${now} on the server.`,
    );
  return instant;
}

/** Returns the view that the address names. @throws ApiError validation_failed if a cutoff is not an instant, or after `now` */
export function readView(query: URLSearchParams, now: string): View {
  return {
    at: readCutoff(query, 'at', now) ?? Date.parse(now),
    other: readCutoff(query, 'compare', now),
    axis: axisOf(query.get('known')),
  };
}

/** The picture with its controls, sentence, key and table of differences. @param address the path of the claim's page */
export function TwoTimes({ story, view, address }: { story: ClaimStory; view: View; address: string }) {
  // The page contains only what the picture shows: a fact of the service also has its evidence.
  const { currency, time_zone, now, known_then, known_now } = story;
  const facts = story.facts.map(
    ({ sequence, type, effective_at, recorded_at, previous_status, next_status, amount }) => ({
      ...{ sequence, type, effective_at, recorded_at, previous_status, next_status, amount },
    }),
  );
  const shown = { currency, time_zone, now, facts, known_then, known_now };
  const html = renderTwoTimes(shown, view, { address });
  // renderTwoTimes escapes every text.
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

/** All facts with both times; a link of each shows the claim as it was known when the fact was recorded. */
export function Facts({
  story,
  view,
  address,
  query,
}: {
  story: ClaimStory;
  view: View;
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
      caption={`All ${story.facts.length} facts that are known now`}
      columns={[
        { label: 'No.', isNumber: true, cell: ({ sequence }) => sequence },
        { label: 'Fact', cell: ({ type }) => type.replaceAll('_', ' ') },
        {
          label: 'Amount',
          isNumber: true,
          cell: ({ amount }) => <Amount value={amount} currency={story.currency} />,
        },
        { label: 'Effective', cell: ({ effective_at }) => <Instant at={effective_at} isPrecise /> },
        { label: 'Recorded', cell: ({ recorded_at }) => <Instant at={recorded_at} isPrecise /> },
        { label: 'Reason', cell: ({ reason_code }) => reason_code ?? <span class="none">none</span> },
        {
          label: 'Cutoff A',
          cell: ({ effective_at, recorded_at, sequence }) => {
            const cutoff = effective_at > recorded_at ? effective_at : recorded_at;
            return (
              <a
                href={addressAt(cutoff)}
                data-set={new URLSearchParams({ at: cutoff }).toString()}
                aria-label={`Show the claim after fact ${sequence}`}
                aria-current={cutoff === formatInstant(view.at) ? 'true' : undefined}
              >
                show
              </a>
            );
          },
        },
      ]}
      rows={story.facts}
    />
  );
}
