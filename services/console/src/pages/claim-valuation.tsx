/** What a claim was worth at any instant: the picture of its two times, and the table of its facts. */
import { formatInstant, readInstantText } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { axisOf, renderTwoTimes, type Story, type View } from '@carecover/two-times';
import type { Project } from '../operations';
import type { PageRequest } from '../page';
import { Amount, Instant, Table } from '../parts';
import { wordsOf } from '../words';

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

/** The project's language and time zone, by which cutoffs are read, and the time of the claims service. */
type Reading = Pick<Project, 'locale' | 'time_zone'> & { readonly now: number };

/**
 * Returns the cutoff in the address in epoch milliseconds, as a person types it or as a link has it; null if it is missing. A day means its end.
 *
 * @throws ApiError validation_failed
 */
function readCutoff(query: URLSearchParams, name: 'at' | 'compare', reading: Reading): number | null {
  const text = (query.get(name) ?? '').trim();
  if (text === '') return null;
  const { locale, time_zone: timeZone, now } = reading;
  const read = readInstantText(text, { locale, timeZone, now, edge: 'end', isPast: true });
  if (read.ok) return read.at;
  const cutoff = name === 'at' ? 'A' : 'B';
  throw new ApiError('validation_failed', `The cutoff ${cutoff} ("${name}") ${read.problem}.`);
}

/** Returns the view that the address names. @throws ApiError validation_failed if a cutoff is not an instant, or after `now` */
export function readView(query: URLSearchParams, project: Project, now: string): View {
  const reading = { locale: project.locale, time_zone: project.time_zone, now: Date.parse(now) };
  return {
    at: readCutoff(query, 'at', reading) ?? reading.now,
    other: readCutoff(query, 'compare', reading),
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
      name="facts"
      caption={`All ${story.facts.length} facts that are known now`}
      columns={[
        { label: 'No.', isNumber: true, cell: ({ sequence }) => sequence },
        { label: 'Fact', cell: ({ type }) => wordsOf(type) },
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
