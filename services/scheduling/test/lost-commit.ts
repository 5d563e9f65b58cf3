import type { WorkerContext } from '@crm/service';

/**
 * The context with a database that can commit a transaction without a confirmation, as when a connection breaks at that moment,
 * and that can be unavailable for some transactions.
 */
export function losingCommits(context: WorkerContext) {
  const { orm } = context.database;
  let losing: (() => Promise<unknown>) | undefined;
  let failing = 0;
  const fork = () => {
    const em = orm.em.fork();
    const transactional = em.transactional.bind(em);
    em.transactional = async (...work) => {
      if (failing > 0) {
        failing -= 1;
        throw new Error('Connection terminated unexpectedly');
      }
      const value = await transactional(...work);
      if (!losing) return value;
      const meanwhile = losing;
      losing = undefined;
      await meanwhile();
      throw new Error('Connection terminated unexpectedly');
    };
    return em;
  };
  const losingOrm = Object.create(orm, { em: { value: Object.create(orm.em, { fork: { value: fork } }) } });
  return {
    context: { ...context, database: { ...context.database, orm: losingOrm as typeof orm } },
    /** The next commit is not confirmed, and something happens until that is noticed. */
    loseNext: (meanwhile: () => Promise<unknown> = async () => undefined) => {
      losing = meanwhile;
    },
    /** This many transactions from now on do not even begin. */
    failNext: (transactions: number) => {
      failing = transactions;
    },
  };
}
