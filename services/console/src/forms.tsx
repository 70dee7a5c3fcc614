/**
 * The parts of forms: fields with their labels, values and problems; the summary of a rejected form; and the page that shows the effect of an
 * act before the act is executed.
 *
 * Failure policy: a rejected form is shown again with everything that the person typed. The summary has the focus, and links each problem to
 * its field.
 */
import type { ComponentChildren } from 'preact';
import { confirmedForm, type Labels, type Preview, type RejectedForm } from './form-reader';
import { FormToken } from './parts';
import type { Session } from './sessions';

/** The summary of a rejected form, at the top of the page and with the focus. @param labels the labels of the fields by name */
export function Rejection({
  rejected: { problems, message },
  labelOf,
  wasSent,
}: {
  rejected: RejectedForm;
  labelOf: (field: string) => string | undefined;
  /** Whether the form was sent before with a result that is not known. */
  wasSent: boolean;
}) {
  return (
    <section class="rejection" role="alert" tabIndex={-1} autofocus aria-labelledby="rejection-title">
      <h2 id="rejection-title">{wasSent ? 'Nothing more was changed' : 'Nothing was changed'}</h2>
      {wasSent && <p>The form was sent before. The page shows whether that has changed something.</p>}
      {message !== null && <p>{message}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ field, problem }) => (
            <li key={field}>
              <a href={`#${field}`}>{labelOf(field) ?? field}</a> {problem}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/**
 * The button that Enter in a field presses: the first one of a form. It stands before other buttons that submit the form, and is not shown. The
 * script `result.js` lets it always show the effect first.
 */
export function DefaultButton({ name, value, label }: { name: string; value: string; label: string }) {
  return (
    <button type="submit" class="default" name={name} value={value} tabIndex={-1} aria-hidden="true">
      {label}
    </button>
  );
}

/** What the last act did, at the top of the page and with the focus. */
export function Done({ text }: { text: string }) {
  return (
    <p class="done" role="status" tabIndex={-1} autofocus>
      {text}
    </p>
  );
}

/** Returns the attributes of a field that is marked as wrong after its form was rejected. */
export function problemAttributes(rejected: RejectedForm | null, name: string, hint?: string) {
  const isWrong = rejected?.problems.some(({ field }) => field === name) === true;
  const described = [
    ...(isWrong ? [`${name}-problem`] : []),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  return {
    ...(isWrong ? { 'aria-invalid': true } : {}),
    ...(described.length === 0 ? {} : { 'aria-describedby': described.join(' ') }),
  };
}

/** What is wrong with a field, beside the field. */
export function Problem({ rejected, name }: { rejected: RejectedForm | null; name: string }) {
  const found = rejected?.problems.find(({ field }) => field === name);
  return found === undefined ? null : (
    <p class="problem" id={`${name}-problem`}>
      {found.problem}
    </p>
  );
}

interface FieldProps {
  readonly labels: Labels;
  readonly name: string;
  readonly rejected: RejectedForm | null;
  readonly hint?: string;
}

/** The label of a field, its hint, and what is wrong with it. */
function Frame({
  labels,
  name,
  rejected,
  hint,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={name}>{labels[name] ?? name}</label>
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {children}
      <Problem rejected={rejected} name={name} />
    </div>
  );
}

/** A field for one line of text, with what the person typed before the form was rejected. Its ID is its name. */
export function TextField({
  usual = '',
  isRequired = true,
  inputMode,
  maxLength,
  ...props
}: FieldProps & {
  /** The value that the form suggests. */
  readonly usual?: string;
  readonly isRequired?: boolean;
  readonly inputMode?: 'numeric' | 'decimal';
  readonly maxLength?: number;
}) {
  const { name, rejected, hint } = props;
  return (
    <Frame {...props}>
      <input
        id={name}
        name={name}
        required={isRequired}
        inputmode={inputMode}
        maxlength={maxLength}
        autocomplete="off"
        value={rejected?.form.get(name) ?? usual}
        {...problemAttributes(rejected, name, hint)}
      />
    </Frame>
  );
}

/** A field for a file. A file that is kept from an earlier form stays chosen until another one replaces it. */
export function FileField({
  isKept,
  accept,
  ...props
}: FieldProps & {
  readonly hint: string;
  /** Whether the file that the rejected form names is kept. */
  readonly isKept: boolean;
  /** The endings of names that the browser offers. */
  readonly accept: string;
}) {
  const { name, rejected, hint } = props;
  const kept = isKept ? (rejected?.form.get(name) ?? '') : '';
  return (
    <>
      {kept !== '' && (
        <>
          <input type="hidden" name={name} value={kept} />
          <input type="hidden" name="upload" value={rejected?.form.get('upload') ?? ''} />
        </>
      )}
      <Frame {...props} hint={kept === '' ? hint : `${kept} is kept; another file replaces it. ${hint}`}>
        <input
          id={name}
          name={name}
          type="file"
          accept={accept}
          required={kept === ''}
          {...problemAttributes(rejected, name, hint)}
        />
      </Frame>
    </>
  );
}

/** A field for an amount in major units. */
export function AmountField({
  currency,
  ...props
}: Parameters<typeof TextField>[0] & { readonly currency: string }) {
  return <TextField {...props} inputMode="decimal" hint={props.hint ?? `In ${currency}, such as 3,000.50`} />;
}

/** A list of choices. Its first choice is empty if nothing is chosen yet. */
export function Choice({
  options,
  usual,
  isRequired = true,
  ...props
}: FieldProps & {
  /** The values and their words. */
  readonly options: readonly (readonly [string, string])[];
  readonly usual?: string;
  readonly isRequired?: boolean;
}) {
  const { name, rejected, hint } = props;
  const chosen = rejected?.form.get(name) ?? usual;
  return (
    <Frame {...props}>
      <select id={name} name={name} required={isRequired} {...problemAttributes(rejected, name, hint)}>
        {usual === undefined && <option value="">choose</option>}
        {options.map(([value, words]) => (
          <option key={value} value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </Frame>
  );
}

/** The page of a preview: the effect, and a form with two buttons that has all fields of the act. @param path the path of the act */
export function PreviewPage({
  preview,
  path,
  session,
  form,
  hasChanged,
}: {
  preview: Preview;
  path: string;
  session: Session;
  form: URLSearchParams;
  /** Whether the person has confirmed another effect before. */
  hasChanged: boolean;
}) {
  const fields = [...confirmedForm(form, preview)].filter(
    ([name]) => name !== 'confirmed' && name !== 'change',
  );
  return (
    <>
      <section class="effect" tabIndex={-1} autofocus role={hasChanged ? 'alert' : 'status'}>
        {hasChanged && (
          <p class="late">Something has changed since you saw the effect. This is the effect now:</p>
        )}
        {preview.effect}
      </section>
      <form class="confirm" method="post" action={path}>
        <FormToken session={session} />
        {fields.map(([name, value], index) => (
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="confirmed" value={preview.basis} />
        <button type="submit" class="main">
          {preview.confirm}
        </button>
        <button type="submit" name="change" value="yes">
          Change
        </button>
      </form>
    </>
  );
}
