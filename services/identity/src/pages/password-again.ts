import type { WebAnswer, WebRequest } from '@crm/contract';
import type { Context } from '@crm/service';
import type { PasswordAttempts } from '../sessions/password-attempts.ts';
import { type Checked, settleAttempt } from '../sessions/sign-in.ts';
import { type FormProblem, tooBusy } from './form.ts';
import { tooManyAttempts } from './sign-in.page.ts';
import { acting, type PagePath, submittedVisit, type Visit } from './visit.ts';

/** Settles the attempt and returns the problem to show; undefined if the password was right. */
export type Problem = () => Promise<FormProblem | undefined>;

interface Form<Prepared> {
  readonly path: PagePath;
  /** The name of the field with the password. */
  readonly nameOf: (request: WebRequest) => string;
  /** The message above the form if the password is refused. */
  readonly title: string;
  /** Other slow work, done before the transaction if the password is right. */
  readonly prepare?: (visit: Visit) => Promise<Prepared | undefined>;
  /** Must call `problem` before it changes anything. */
  readonly act: (visit: Visit, problem: Problem, prepared: Prepared | undefined) => Promise<WebAnswer>;
}

interface Facts<Prepared> {
  readonly checked: Checked;
  readonly prepared: Prepared | undefined;
}

/**
 * The steps of a form that requires the password again, because an open session is not enough for its action. The
 * password is compared before the transaction, because that is slow on purpose.
 */
export const passwordAgain =
  (publicUrl: string, passwords: PasswordAttempts) =>
  <Prepared = undefined>({ path, nameOf, title, prepare, act }: Form<Prepared>) => ({
    ask: async (ctx: Context, request: WebRequest): Promise<Facts<Prepared> | undefined> => {
      const visit = await submittedVisit(ctx, request, { publicUrl, path });
      const password = 'user' in visit ? passwordIn(visit, nameOf(request)) : '';
      if (!('user' in visit) || password === '') return undefined;
      const checked = await passwords.attempt(ctx.query, { ...attemptOf(visit), password });
      const isRight = typeof checked === 'object' && 'password_hash' in checked;
      return { checked, prepared: isRight ? await prepare?.(visit) : undefined };
    },
    act: (ctx: Context, request: WebRequest, facts: Facts<Prepared> | undefined): Promise<WebAnswer> =>
      acting(publicUrl, path, (visit) =>
        act(
          visit,
          () => problemOf(visit, { name: nameOf(request), title, checked: facts?.checked }),
          facts?.prepared,
        ),
      )(ctx, request),
  });

const passwordIn = ({ fields }: Visit, name: string): string => (fields.get(name) ?? '').slice(0, 1024);

const attemptOf = ({ user, request }: Visit) => ({ email: user.email, request });

interface Typed {
  readonly title: string;
  readonly name: string;
  readonly checked: Checked | undefined;
}

async function problemOf(visit: Visit, { name, title, checked }: Typed): Promise<FormProblem | undefined> {
  if (checked === undefined) return { status: 422, title, errors: { [name]: 'Enter your password.' } };
  const outcome = await settleAttempt(visit.ctx.query, attemptOf(visit), checked);
  if (outcome === 'wrong') return { status: 422, title, errors: { [name]: 'The password is wrong.' } };
  if (outcome === 'too many') return tooBusy;
  if ('userId' in outcome) return undefined;
  return tooManyAttempts(outcome.waitSeconds);
}
