/**
 * Validates objects against the schemas of Kubernetes, CloudNativePG and KEDA, which come from their Go modules. An unknown field is an error,
 * as for `kubectl apply` with strict validation. Rules in CEL are not evaluated.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import { parse } from 'yaml';
import { type GoModuleFiles, goModuleFiles } from '../../local/src/toolchain';
import type { Manifest } from './helm';

const KUBERNETES: GoModuleFiles = {
  module: 'k8s.io/kubernetes',
  version: 'v1.37.1',
  checksum: 'h1:LTUzSbp9n0W7649oVKBYfC48zcoD3vCk++1PZQn28q8=',
  files: [
    'api__v1',
    'apis__apps__v1',
    'apis__autoscaling__v2',
    'apis__batch__v1',
    'apis__networking.k8s.io__v1',
    'apis__policy__v1',
  ].map((name) => `api/openapi-spec/v3/${name}_openapi.json`),
};

const CLOUDNATIVE_PG: GoModuleFiles = {
  module: 'github.com/cloudnative-pg/cloudnative-pg',
  version: 'v1.28.0',
  checksum: 'h1:vkv0a0ewDSfJOPJrsyUr4uczsxheReAWf/k171V0Dm0=',
  files: ['clusters', 'databases'].map((name) => `config/crd/bases/postgresql.cnpg.io_${name}.yaml`),
};

const KEDA: GoModuleFiles = {
  module: 'github.com/kedacore/keda/v2',
  version: 'v2.21.0',
  checksum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
  files: ['scaledobjects', 'triggerauthentications'].map((name) => `config/crd/bases/keda.sh_${name}.yaml`),
};

/** Part of a schema in the dialect of OpenAPI 3 and of custom resource definitions. */
// biome-ignore lint/suspicious/noExplicitAny: the schemas' own form
type Schema = any;

/** Returns a copy of a schema that rejects unknown fields, unless the schema allows them. Descriptions and defaults are removed. */
function withoutUnknownFields(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(withoutUnknownFields);
  if (schema === null || typeof schema !== 'object') return schema;
  const { description: _, default: __, ...rest } = schema;
  const strict = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      // The keys below `properties` are names of fields, not keywords of the schema, so a field that is named `default` is kept.
      key === 'properties'
        ? Object.fromEntries(Object.entries(value as object).map(([k, v]) => [k, withoutUnknownFields(v)]))
        : withoutUnknownFields(value),
    ]),
  );
  const isOpen =
    strict.properties === undefined ||
    strict.additionalProperties !== undefined ||
    strict['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? strict : { ...strict, additionalProperties: false };
}

/** Returns the problems of an object, one sentence per problem. */
export type Validate = (manifest: Manifest) => string[];

/** Reads the schemas, and downloads them if they are not cached. */
export async function loadSchemas(): Promise<Validate> {
  const [kubernetes, cloudNativePg, keda] = await Promise.all(
    [KUBERNETES, CLOUDNATIVE_PG, KEDA].map((files) => goModuleFiles(files)),
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const components: Record<string, Schema> = {};
  const references = new Map<string, Schema>();
  for (const file of KUBERNETES.files) {
    const { schemas } = JSON.parse(readFileSync(join(kubernetes ?? '', file), 'utf8')).components;
    for (const [name, schema] of Object.entries<Schema>(schemas)) {
      components[name] = withoutUnknownFields(schema);
      for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
        const reference = { $ref: `kubernetes#/components/schemas/${name}` };
        references.set(`${group === '' ? '' : `${group}/`}${version} ${kind}`, reference);
      }
    }
  }
  ajv.addSchema({ components: { schemas: components } }, 'kubernetes');
  const definitions = [
    ...CLOUDNATIVE_PG.files.map((file) => join(cloudNativePg ?? '', file)),
    ...KEDA.files.map((file) => join(keda ?? '', file)),
  ];
  for (const file of definitions) {
    const { spec } = parse(readFileSync(file, 'utf8'));
    for (const { name, schema } of spec.versions)
      references.set(
        `${spec.group}/${name} ${spec.names.kind}`,
        withoutUnknownFields(schema.openAPIV3Schema),
      );
  }
  const results = new WeakMap<Manifest, string[]>();
  return (manifest) => {
    const result = results.get(manifest) ?? validate(manifest);
    results.set(manifest, result);
    return result;
  };

  function validate(manifest: Manifest): string[] {
    const { apiVersion, kind, metadata } = manifest;
    const schema = references.get(`${apiVersion} ${kind}`);
    if (schema === undefined) return [`${kind} ${metadata?.name}: no schema of ${apiVersion}`];
    const check = ajv.compile(schema);
    check(manifest);
    return (check.errors ?? []).map((error) => `${kind} ${metadata.name}${describe(error)}`);
  }
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath}: ${message} ${JSON.stringify(params)}`;
}
