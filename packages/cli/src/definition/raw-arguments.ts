/** A command line, taken apart and not judged yet. */

/** What every command takes. */
export interface CommonArguments {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly userDataDir: string | undefined;
  readonly app: string | undefined;
  readonly profile: string | undefined;
  readonly roots: readonly string[];
}

/** Options of `fe edit`, as they were typed. */
export interface EditOptionTexts {
  readonly oldString?: string;
  readonly newString?: string;
  readonly request?: string;
  readonly oldFile?: string;
  readonly newFile?: string;
  readonly replaceAll?: boolean;
  readonly expectedReplacements?: string;
  readonly expectedSha256?: string;
  readonly lineEndings?: string;
  readonly encoding?: string;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly wait?: string;
  readonly exclusive?: string;
  readonly maxFileSize?: string;
  readonly followSymlinks?: boolean;
}

/** One command, as it was typed. */
export type RawArguments = { readonly common: CommonArguments } & (
  | { readonly command: "edit"; readonly file?: string; readonly options: EditOptionTexts }
  | { readonly command: "recovery list" }
  | { readonly command: "recovery show"; readonly id: string; readonly version?: string }
  | {
      readonly command: "recovery resolve";
      readonly id: string;
      readonly keep?: string;
      readonly with?: string;
      readonly expectSha256?: string;
    }
  | {
      readonly command: "recovery diff";
      readonly id: string;
      readonly from?: string;
      readonly to?: string;
      readonly tool?: string;
    }
  | { readonly command: "recovery merge"; readonly id: string }
  | {
      readonly command: "recovery undo";
      readonly id: string;
      readonly wait?: string;
      readonly expectSha256?: string;
      readonly keep?: string;
    }
  | { readonly command: "identity"; readonly file: string }
  | { readonly command: "doctor"; readonly file?: string }
  | { readonly command: "completion"; readonly shell: string }
);

/** Where a command puts what was typed. */
export type Take = (raw: RawArguments) => void;
