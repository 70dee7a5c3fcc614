export interface Certificate {
  /** Paths of PEM files. */
  authority: string;
  leaf: string;
  key: string;
}
/** The folder's certificate; made anew when there is none, or it ends within a month. */
export declare function certificateIn(folder: string): Promise<Certificate>;
