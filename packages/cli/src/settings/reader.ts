/** What the settings may ask of the system. */
export interface SettingsReader {
  /** The working directory, absolute. */
  cwd(): string;
  /**
   * Bytes of a file; `-` is standard input. Rejects with the system's error, or with one of its own
   * where there are more than `limitBytes`.
   */
  readInput(file: string, limitBytes: number): Promise<Uint8Array>;
}
