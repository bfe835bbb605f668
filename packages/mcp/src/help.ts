/** What `--help` prints. */
export const help: string = `Usage: fe-mcp --root DIR [--root DIR]... [options]

MCP server over stdio: edits files in place below the given directories, so that both
versions can be had back if an edit is cut short. A client starts it; see README.md.

Options:
  --root DIR             directory that tools may touch; may be repeated, needed once.
                         Roots that the client tells can only narrow these
  --allow-resolve        let recovery_resolve settle recovery records, and
                         recovery_undo take that back
  --user-data-dir DIR    where recovery records are kept (default: by platform, or
                         FE_USER_DATA_DIR)
  --app NAME             application whose records are shared (default: FE_APP_NAME or fe)
  --profile NAME         profile whose records are shared (default: FE_PROFILE or default)
  --max-file-size SIZE   limit for a file before and after, each: bytes, or 64KiB, 16MiB,
                         1GiB; off leaves the recovery store's limit of 128 MiB
  --no-follow-symlinks   refuse a symbolic link as last component of a path
  -h, --help             this text
  -V, --version          the version

Standard output carries the protocol and nothing else; messages go to standard error.

Exit codes:
  0  the client closed standard input, or SIGINT, SIGTERM or SIGHUP came; running edits
     had ended
  1  the server could not go on
  2  the command line is wrong, or a root cannot be used
`;
