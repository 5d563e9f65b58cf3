import type { WorkerContext } from '@crm/service';

/** The context with a database that can commit a transaction whose end is not confirmed, as when a connection breaks then. */
export function losingCommits(context: WorkerContext) {
  const { orm } = context.database;
  let isLosing = false;
  const fork = () => {
    const em = orm.em.fork();
    const transactional = em.transactional.bind(em);
    em.transactional = async (...work) => {
      const value = await transactional(...work);
      if (!isLosing) return value;
      isLosing = false;
      throw new Error('Connection terminated unexpectedly');
    };
    return em;
  };
  const losing = Object.create(orm, { em: { value: Object.create(orm.em, { fork: { value: fork } }) } });
  return {
    context: { ...context, database: { ...context.database, orm: losing as typeof orm } },
    /** The next commit is not confirmed. */
    loseNext: () => {
      isLosing = true;
    },
  };
}
