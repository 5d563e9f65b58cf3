import { expect, it } from 'vitest';
import { repositoryFiles, textOf } from './sources.ts';

/** Words that a reader would have to learn, and what to write instead. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\w*neighbou?r\w*/i, 'peers'],
  [/\bfaces?\b/i, 'transports'],
  [/\bsurroundings\b/i, 'runtime, context or participants'],
  [/\baskAround|\bask-around/, 'loadParticipants'],
  [/\bhears?\b|\bheard\b|\bhearings?\b/i, 'consumes, consumed by, subscribes to'],
  [/\bsaid when\b|\bsaidWhen\b/i, 'published when'],
  [/\bspeakers?\b/i, 'publisher'],
  [/\bwritingOf\b|[:<{,] Writing\b/, 'contextOf, TransactionContext'],
  [/\bsayWhatBecame|\bsay-what-became|\bwhat became of\b/i, 'outcome'],
  [/\bgoOn[A-Z]?|\bgo-on\b|\bGoingOn\b/, 'continue, Continuation'],
  [/\bCourse\b/, 'Recurrence'],
  [/\bwalls?\b|\b(on|of)TheWall|\bwallClock/i, 'local time'],
  [/\blast look\b|\blastLook\b/i, 'final check'],
  [/\bhand(s|ed|ing)? over\b|\bhand(s|ed)?Over\b/i, 'send, sent to the provider'],
  [/\bEnding\b/, 'outcome'],
  [/\btroubled\b/i, 'failing'],
  [/\bforesee\w*|\bforesight\b/i, 'preview, simulate'],
  [/\bcomplain\w*/i, 'validation error'],
  [/\bwhatIsWrong\w*/i, 'validationErrors'],
  [/\bAnswerPlace\b/i, 'ResponseTarget'],
  [/\b(down|up)hill\b/i, 'to the services below or above'],
  [/\b(is|are|was|were) not there\b/i, 'does not exist'],
  [/\b(is|are|was|were|all) gone\b/i, 'was removed'],
  [/\blets? (\w+ ){1,3}go\b/i, 'removes'],
  [/\bwho is no(ne)?\b|\bis none any (more|longer)\b/i, 'a relative clause that names the person'],
  [/\bany more\b(?! than)/i, 'no longer, any longer'],
  [/\b(needs?|needed|arrives?|waits?|counts?|counted|texted|one) no more\b(?! than)/i, 'no longer'],
  [/\bthose first that\b/i, 'the order: longest waiting first'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\b(type|interface) Asked\b/, 'what is asked for: a search, a page, a request'],
  [
    /\b(recognis|normalis|synchronis|authoris)\w+|\b(dialled|labelled|misspelt|colours?)\b|\bfor ever\b/i,
    'American',
  ],
  [/[«»’]/, '" or \''],
];

/** Generated from the sources, or the list itself. */
const exempt = /(^|\/)(package-lock|openapi|asyncapi|contract)\.json$|^test\/boundaries\/words\.test\.ts$/;

function foundIn(name: string, text: string): string[] {
  return words.flatMap(([pattern, instead]) => {
    const [word] = pattern.exec(text) ?? [];
    return word === undefined ? [] : [`${name}: "${word}", write: ${instead}`];
  });
}

it('the files of the repository use plain words', () => {
  const files = repositoryFiles(/\.(ts|mjs|md|sh|json|ya?ml)$|^Dockerfile$/).filter(
    (file) => !exempt.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    [file, ...textOf(file).split('\n')].flatMap((line, number) => foundIn(`${file}:${number}`, line)),
  );
  expect(found).toEqual([]);
});
