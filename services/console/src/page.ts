/** Defines pages and acts; an act is a change that a person requests by a form. README.md describes how to add one. */
import type { Readable } from 'node:stream';
import type { ComponentChildren } from 'preact';
import type { CsvTable } from './csv';
import type { FormReader, Labels, Preview, RejectedForm } from './form-reader';
import type { PersonsCalls, Project } from './operations';
import type { Permission } from './roles';
import type { Session } from './sessions';

/** A request to show a page or to execute an act. */
export interface PageRequest {
  readonly session: Session;
  readonly calls: PersonsCalls;
  /** The project whose ID is in the path. */
  readonly project: Project;
  /** The services' time when the project was read, before anything else of the page: an instant that has passed for every service. */
  readonly now: string;
  /** The other parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /**
   * The path of the page. Links and forms of the page must contain it: if a form was rejected, the browser's address is that of the act, where
   * there is no page.
   */
  readonly address: string;
  /** If the page is shown again because its form was rejected or should be changed: the form. Otherwise null. */
  readonly rejected: RejectedForm | null;
  /** The uploaded file that the form of an act names; null if it names none, or if the file is not kept any more. */
  readonly file: Buffer | null;
  /** What forms of the session suggest in this project, such as the policy of the last adjudication, by the name of the field. */
  readonly memory: Map<string, string>;
  /** The address of Temporal's UI; null if it is not configured. */
  readonly temporalUi: string | null;
}

export interface PageContent {
  readonly title: string;
  readonly body: ComponentChildren;
  /** Compute the tables that the page offers as CSV, by the name in the parameter `csv` of the address. */
  readonly csv?: ReadonlyMap<string, () => CsvTable>;
  /** The names of the scripts in `assets/` that the page uses. */
  readonly scripts?: readonly string[];
  /** The names of the stylesheets in `assets/` that the page uses beside the console's. */
  readonly styles?: readonly string[];
}

/** An executed act: the path of the page to show next, and a sentence that says what happened. */
export interface Executed {
  readonly path: string;
  readonly done: string;
}

/** A page, at `GET /projects/:project` + path. */
export interface Page {
  readonly path: string;
  /** The label of the page in the menu; a page without a label is reached by links. */
  readonly menu?: string;
  readonly permission: Permission;
  readonly render: (request: PageRequest) => Promise<PageContent>;
}

/** A file, at `GET /projects/:project` + path, which is sent while it arrives from a service. */
export interface Download {
  readonly path: string;
  readonly permission: Permission;
  readonly mediaType: string;
  /** Returns the name under which the browser saves the file; it has no characters that a header quotes. */
  readonly nameOf: (params: Readonly<Record<string, string>>) => string;
  readonly open: (request: PageRequest) => Promise<Readable>;
}

/** What the audit log records before the console executes an act. */
interface AuditedAct {
  /** The action, such as `claim.adjudicate`. */
  readonly action: string;
  /** Returns the ID of the resource to be changed, and details without any secret. The parameters contain the project's ID as `project`. */
  readonly describe: (
    params: Readonly<Record<string, string>>,
    form: URLSearchParams,
  ) => { readonly subject: string; readonly details: Record<string, unknown> };
}

/**
 * A change that the gateway makes. The gateway records it in the audit log in the same transaction. The gateway's route has no idempotency
 * key, so the console rejects a form that is sent twice.
 */
interface GatewayAct {
  readonly action: null;
}

/** A change, at `POST /projects/:project` + path. If the change is rejected, the page is shown again with the fields as they were sent. */
export type Act = (AuditedAct | GatewayAct) & {
  readonly path: string;
  readonly permission: Permission;
  /** The page that has the form. Its parameters are a subset of the act's parameters. */
  readonly page: Page;
  /** Whether the form has a file, which {@link PageRequest.file} contains. */
  readonly takesFile?: true;
  /** The labels of the form's fields. A field of the body of the API has the name of its field in the form. */
  readonly labels?: Labels;
  /** Returns the label of a field that `labels` does not have, because the number of fields varies. */
  readonly labelOf?: (field: string) => string | undefined;
  /** Returns the field of the form for the steps of a JSON pointer, if the names in the body of the API are others. */
  readonly fieldOf?: (steps: readonly string[]) => string | undefined;
  /** Computes what the act would change. With a preview, the act is executed only after the person has confirmed it. */
  readonly preview?: (request: PageRequest, form: FormReader) => Promise<Preview>;
  /**
   * Executes the change. Returns the page to show next, or the content of a page that has no path, such as that with a new secret.
   */
  readonly execute: (request: PageRequest, form: FormReader) => Promise<Executed | PageContent>;
};

/** Returns the address of a page in a project. */
export function projectPath(project: Pick<Project, 'id'>, path: string): string {
  return `/projects/${project.id}${path}`;
}
