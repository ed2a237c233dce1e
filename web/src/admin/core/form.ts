/* Input fields of an action as data, and the request body built from them. Pure. */

interface Any {
  /** Member of the body, as named by the pointer of a fault. */
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
}
export type Field = Any &
  /* `among`: suggestions while typing; they may arrive after the field is shown. */
  (
    | { kind: 'text'; value?: string; max: number; lines?: number; among?: () => readonly string[] }
    /* An object, typed as “ace=high, rounds=3”. */
    | { kind: 'members'; value?: string; max: number }
    | { kind: 'number'; value?: number; min: number; max: number }
    | { kind: 'flag'; value?: boolean }
    | { kind: 'choice'; value?: string; of: readonly string[] }
    | { kind: 'many'; value?: readonly string[]; of: readonly string[] }
  );

type Members = Readonly<Record<string, string | number>>;
export type Value = string | number | boolean | readonly string[] | Members;
export type Body = Record<string, Value>;
/** Contents of the inputs; numbers are kept as typed. */
export type Typed = Record<string, string | boolean | string[]>;

/** Initial contents of the inputs. */
export function typedOf(fields: readonly Field[]): Typed {
  const typed: Typed = {};
  for (const field of fields)
    if (field.kind === 'flag') typed[field.name] = field.value ?? false;
    else if (field.kind === 'many') typed[field.name] = [...(field.value ?? [])];
    else if (field.kind === 'choice')
      typed[field.name] = field.value ?? (field.optional ? '' : (field.of[0] ?? ''));
    else typed[field.name] = String(field.value ?? '');
  return typed;
}

/* An invalid value is sent unchanged; the server reports what is wrong with it. */
function membersOf(typed: string): Members {
  const pairs = typed.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=').trim();
      return [name.trim(), /^-?[0-9]{1,9}$/.test(value) ? Number(value) : value];
    }),
  );
}

function valueOf(field: Field, typed: Typed): Value | undefined {
  const raw = typed[field.name];
  if (field.optional && (raw === '' || raw === undefined)) return undefined;
  if (field.kind === 'number' && typeof raw === 'string') return Number(raw);
  if (field.kind === 'members' && typeof raw === 'string') return membersOf(raw);
  return raw;
}

/** All fields that were filled in. */
export function bodyOf(fields: readonly Field[], typed: Typed): Body {
  const body: Body = {};
  for (const field of fields) {
    const value = valueOf(field, typed);
    if (value !== undefined) body[field.name] = value;
  }
  return body;
}

/** A merge patch (RFC 7396): only the differences from the initial values. */
export function changesOf(fields: readonly Field[], typed: Typed): Body {
  const before = bodyOf(fields, typedOf(fields));
  const now = bodyOf(fields, typed);
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
