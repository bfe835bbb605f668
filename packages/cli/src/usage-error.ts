/**
 * What is wrong with the command line itself.
 *
 * It is no `FeError`: that class comes with the engine, which is loaded only for a command that is
 * well formed. `run.ts` turns it into `FE_INVALID_REQUEST`.
 */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to do about it. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
