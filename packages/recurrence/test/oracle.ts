import { RRuleTemporal } from 'rrule-temporal';
import { instantOf, type Rule, textOf } from '../src/index.ts';

/** The moments that rrule-temporal computes, in a window of at most three years. */
export function oracleOccurrences(
  rule: Rule,
  start: Temporal.PlainDateTime,
  zone: string,
  { until, limit }: { until: Temporal.Instant; limit: number },
): string[] {
  const instants: string[] = [];
  const series = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${basic(start)}\nRRULE:${textOf(withUntilInUtc(rule, zone))}`,
    // The number of periods without a match after which it throws; more than fit into the window.
    maxIterations: 1100,
    cache: false,
  });
  try {
    series.all(({ epochMilliseconds }) => {
      if (instants.length === limit || epochMilliseconds >= until.epochMilliseconds) return false;
      instants.push(Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toString());
      return true;
    });
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('Maximum iterations'))) throw error;
  }
  return instants;
}

// The only form of a date-time in UNTIL that the oracle accepts if the start has a zone.
function withUntilInUtc(rule: Rule, zone: string): Rule {
  if (!rule.until?.includes('T') || rule.until.endsWith('Z')) return rule;
  return { ...rule, until: basic(instantOf(Temporal.PlainDateTime.from(rule.until), zone)) };
}

function basic(time: Temporal.PlainDateTime | Temporal.Instant): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
