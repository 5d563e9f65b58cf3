import { output } from '@crm/kubernetes';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

const files = output();

const Named = z.object({ name: z.string(), optional: z.boolean().default(false) });
const Pod = z.looseObject({
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.looseObject({ runAsNonRoot: z.boolean(), runAsUser: z.number() }),
  containers: z.array(
    z.looseObject({
      args: z.array(z.string()),
      image: z.string(),
      envFrom: z.array(z.object({ secretRef: Named.optional(), configMapRef: Named.optional() })),
      securityContext: z.object({
        allowPrivilegeEscalation: z.literal(false),
        readOnlyRootFilesystem: z.literal(true),
        capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
      }),
      resources: z.object({
        requests: z.object({ cpu: z.string(), memory: z.string() }),
        limits: z.object({ memory: z.string() }),
      }),
      lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }).optional(),
    }),
  ),
});
export const Peers = z.array(
  z.looseObject({
    podSelector: z
      .looseObject({
        matchExpressions: z.array(z.object({ key: z.string(), values: z.array(z.string()) })).optional(),
      })
      .optional(),
  }),
);
const Resource = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}).optional(),
});
export const documentsIn = (text: string) =>
  parseAllDocuments(text).map((document) => Resource.parse(document.toJS()));
export const rendered = ['rendered/crm.yaml', 'rendered/migrations.yaml', 'rendered/everything.yaml'].flatMap(
  (path) => documentsIn(files[path] ?? '').map((resource) => ({ path, ...resource })),
);
export const ofKind = (wanted: string, path = 'rendered/everything.yaml') =>
  rendered.filter((one) => one.kind === wanted && one.path === path);
export const pods = rendered
  .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  .map(({ path, metadata, spec }) => {
    const { template } = z.looseObject({ template: z.looseObject({ spec: Pod }) }).parse(spec);
    return [`${path}: ${metadata.name}`, template.spec] as const;
  });

/** ConfigMaps that a process reads if they exist. */
export const mapsOf = (process: string) => {
  const [, pod] = pods.find(([name]) => name === `rendered/everything.yaml: ${process}`) ?? [];
  const sources = pod?.containers[0]?.envFrom ?? [];
  return sources.flatMap(({ configMapRef }) => (configMapRef?.optional ? configMapRef.name : []));
};
