/**
 * Security descriptors of Windows as they were recorded, each with its source, and what the judge
 * has to say of them.
 *
 * Numbers of a machine or domain are replaced, the same by the same: who uses the machine is `me`,
 * other accounts have other last numbers. Where a source shows the access list alone, the owner is
 * added, and `added` says so. Sources:
 *
 * Z  github.com/Zhaopudark/PSComputerManagementZp, documentation of Get-DefaultSddl; it says that
 *    they were taken from a system as it was installed
 * M  Microsoft All-In-One Code Framework, sample CppCheckSD, ReadMe: output for `c:\`
 * D  Microsoft, "Ask the Directory Services Team", The Security Descriptor Definition Language of
 *    Love (Part 2), techcommunity.microsoft.com/…/395258: a shared folder, shown with CACLS /S
 * B  marcusoh.blogspot.com, How to decipher SDDL for useful stuff: a file in C:\temp in a domain
 * W  recorded with `Get-Acl`, `icacls /save` or Seatbelt, as the test data or notes of public
 *    repositories have it; not from a page of Microsoft's
 */

export const me = "S-1-5-21-1111111111-2222222222-3333333333-1001";
const machine = "S-1-5-21-1111111111-2222222222-3333333333";
const other = `${machine}-1002`;
const installer = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
const capability = "S-1-15-3-65536-599108337-2355189375-1353122160-3480128286-1-2-3-4";

/** What a directory of the user's profile inherits. */
const profile = `(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${me})`;

export interface Recorded {
  readonly what: string;
  readonly source: "Z" | "M" | "D" | "B" | "W";
  readonly sddl: string;
  /** The owner is not in the source. */
  readonly added?: "owner";
  /** Empty: it is private. Else a part of each reason, in order. */
  readonly reasons: readonly string[];
}

export const recorded: readonly Recorded[] = [
  {
    what: "the user's profile directory",
    source: "Z",
    sddl: `O:BAG:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${me})`,
    reasons: [],
  },
  {
    what: "the profile directory of Windows 11, which apps with one capability may pass through",
    source: "W",
    sddl:
      `O:SYG:SYD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${me})` +
      `(A;;0x100020;;;${capability})`,
    reasons: [],
  },
  {
    what: "a directory in the profile, such as AppData\\Roaming",
    source: "Z",
    sddl: `O:${me}G:${me}D:AI${profile}`,
    reasons: [],
  },
  {
    what: "AppData\\Local\\Microsoft\\WindowsApps, as a tool printed it without flags",
    source: "W",
    sddl: `O:${me}D:${profile}`,
    reasons: [],
  },
  {
    what: "a directory of a domain user, whose group is Domain Users",
    source: "W",
    sddl: `O:${me}G:DUD:${profile}`,
    reasons: [],
  },
  {
    what: "the same place where a second account was let in",
    source: "W",
    sddl: `O:${me}D:AI${profile}(A;OICIID;FA;;;${other})`,
    reasons: [`${other} may read`],
  },
  {
    what: "a directory that its user shared with a domain group, for reading",
    source: "W",
    added: "owner",
    sddl: `O:${me}D:AI(A;OICI;0x1200a9;;;${machine}-1105)${profile}`,
    reasons: [`${machine}-1105 may read (0x1200a9)`],
  },
  {
    what: "a link in the profile made by an elevated process: the administrators own it",
    source: "Z",
    sddl: `O:BAG:${me}D:AI${profile}`,
    reasons: [],
  },
  {
    what: "a temporary directory in the profile",
    source: "W",
    added: "owner",
    sddl: `O:${me}D:${profile}`,
    reasons: [],
  },
  {
    what: "a directory that everybody was let pass through (icacls /grant *S-1-1-0:(OI)(CI)(X))",
    source: "W",
    added: "owner",
    sddl: `O:${me}D:AI(A;OICI;WP;;;WD)${profile}`,
    reasons: [],
  },
  {
    what: "a directory of the built-in administrator on a hosted runner, named by the alias LA",
    source: "W",
    added: "owner",
    sddl: `O:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;LA)`,
    reasons: ["An account without a SID may read"],
  },
  {
    what: "a directory for administrators alone",
    source: "W",
    sddl: "O:SYD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)",
    reasons: [],
  },
  {
    what: "System Volume Information",
    source: "Z",
    sddl: "O:BAG:SYD:PAI(A;OICI;FA;;;SY)",
    reasons: [],
  },
  {
    what: "C:\\ProgramData of Windows 11: users read it and add to it",
    source: "W",
    sddl:
      "O:SYG:SYD:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)" +
      "(A;OICI;0x1200a9;;;BU)(A;CI;DCLCRPCR;;;BU)",
    reasons: ["Users (S-1-5-32-545) may read", "Users (S-1-5-32-545) may write"],
  },
  {
    what: "a directory that was made in C:\\ProgramData",
    source: "W",
    sddl:
      "O:BAD:AI(A;OICIIOID;GA;;;CO)(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)" +
      "(A;OICIID;0x1200a9;;;BU)(A;CIID;0x116;;;BU)",
    reasons: ["Users (S-1-5-32-545) may read", "Users (S-1-5-32-545) may write"],
  },
  {
    what: "C:\\ of Windows 7, with an integrity label",
    source: "M",
    sddl:
      `O:${installer}G:${installer}D:PAI(A;;FA;;;BA)(A;OICIIO;GA;;;BA)(A;;FA;;;SY)` +
      "(A;OICIIO;GA;;;SY)(A;OICI;0x1200a9;;;BU)(A;OICIIO;SDGXGWGR;;;AU)(A;;LC;;;AU)" +
      "S:(ML;OINPIO;NW;;;HI)",
    reasons: [
      "belongs to TrustedInstaller",
      "Users (S-1-5-32-545) may read",
      "Authenticated Users (S-1-5-11) may read, write",
      "Authenticated Users (S-1-5-11) may write (0x4)",
    ],
  },
  {
    what: "C:\\ of Windows 11",
    source: "W",
    sddl:
      `O:${installer}G:SYD:PAI(A;;LC;;;AU)(A;OICIIO;SDGXGWGR;;;AU)(A;OICI;FA;;;SY)` +
      `(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;BU)(A;;0x1000a1;;;${capability})`,
    reasons: [
      "belongs to TrustedInstaller",
      "may write (0x4)",
      "may read, write, write attributes, delete (0xe0010000) what is",
      "Users (S-1-5-32-545) may read",
      `${capability} may read (0x1000a1)`,
    ],
  },
  {
    what: "a directory that was made in C:\\",
    source: "W",
    added: "owner",
    sddl:
      `O:${me}D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)` +
      "(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)",
    reasons: ["Users (S-1-5-32-545) may read", "Authenticated Users", "what is made in it"],
  },
  {
    what: "the root of another NTFS volume",
    source: "Z",
    sddl:
      "O:SYG:SYD:AI(A;OICIIO;SDGXGWGR;;;AU)(A;;0x1301bf;;;AU)(A;;FA;;;SY)(A;OICIIO;GA;;;SY)" +
      "(A;OICIIO;GA;;;BA)(A;;FA;;;BA)(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)",
    reasons: ["what is made in it", "Authenticated Users", "Users", "what is made in it"],
  },
  {
    what: "the root of a ReFS volume",
    source: "Z",
    sddl:
      "O:BAG:SYD:AI(A;OICIIO;SDGXGWGR;;;AU)(A;;0x1301bf;;;AU)(A;OICIIO;GA;;;SY)(A;;FA;;;SY)" +
      "(A;OICI;FA;;;BA)(A;;0x1200a9;;;BU)(A;OICIIO;GXGR;;;BU)",
    reasons: ["what is made in it", "Authenticated Users", "Users", "what is made in it"],
  },
  {
    what: "a user's directory on another NTFS volume",
    source: "Z",
    sddl:
      `O:${me}G:${me}D:AI(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)(A;ID;FA;;;SY)` +
      "(A;OICIIOID;GA;;;SY)(A;ID;FA;;;BA)(A;OICIIOID;GA;;;BA)(A;ID;0x1200a9;;;BU)" +
      "(A;OICIIOID;GXGR;;;BU)",
    reasons: ["Authenticated Users", "what is made in it", "Users", "what is made in it"],
  },
  {
    what: "the recycle bin of a volume",
    source: "Z",
    sddl: `O:${me}G:${me}D:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;;0x1201ad;;;BU)`,
    reasons: ["Users (S-1-5-32-545) may read, write, write attributes"],
  },
  {
    what: "C:\\Windows and C:\\Program Files",
    source: "W",
    sddl:
      `O:${installer}G:${installer}D:PAI(A;OICIIO;GA;;;CO)(A;OICIIO;GA;;;SY)(A;;0x1301bf;;;SY)` +
      "(A;OICIIO;GA;;;BA)(A;;0x1301bf;;;BA)(A;OICIIO;GXGR;;;BU)(A;;0x1200a9;;;BU)" +
      `(A;CIIO;GA;;;${installer})(A;;FA;;;${installer})(A;;0x1200a9;;;AC)(A;OICIIO;GXGR;;;AC)` +
      "(A;;0x1200a9;;;S-1-15-2-2)(A;OICIIO;GXGR;;;S-1-15-2-2)",
    reasons: [
      "belongs to TrustedInstaller",
      "Users",
      "Users",
      "TrustedInstaller",
      "TrustedInstaller",
      "ALL APPLICATION PACKAGES (S-1-15-2-1) may read",
      "ALL APPLICATION PACKAGES (S-1-15-2-1) may read",
      "ALL RESTRICTED APPLICATION PACKAGES",
      "ALL RESTRICTED APPLICATION PACKAGES",
    ],
  },
  {
    what: "C:\\Program Files\\WindowsApps, with an entry under a condition",
    source: "W",
    sddl:
      `O:${installer}G:${installer}D:PAI(A;OICI;0x1200a9;;;RC)(A;OICI;FA;;;SY)` +
      "(A;OICI;0x1200a9;;;LS)(A;OICI;0x1200a9;;;NS)(A;CI;0x1200a9;;;BA)" +
      `(XA;;0x1200a9;;;BU;(Exists WIN://SYSAPPID))(A;OICI;FA;;;${installer})`,
    reasons: [
      "belongs to TrustedInstaller",
      "RESTRICTED",
      "LOCAL SERVICE",
      "NETWORK SERVICE",
      "Users (S-1-5-32-545) may read",
      "TrustedInstaller",
    ],
  },
  {
    what: "a shared folder whose list begins with a denial for guests",
    source: "D",
    added: "owner",
    sddl:
      "O:BAD:AI(D;OICI;FA;;;BG)(A;;FA;;;BA)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)" +
      "(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;LC;;;BU)(A;CIID;DC;;;BU)",
    reasons: ["may read", "may write (0x4)", "may write (0x2)"],
  },
  {
    what: "a file in C:\\temp whose list is inherited and set as well",
    source: "B",
    sddl:
      "O:BAG:DUD:ARAI(A;;FA;;;BA)(A;;FA;;;SY)(A;;0x1200a9;;;BU)" +
      "(A;ID;FA;;;BA)(A;ID;FA;;;SY)(A;ID;0x1200a9;;;BU)",
    reasons: ["Users (S-1-5-32-545) may read", "Users (S-1-5-32-545) may read"],
  },
  {
    what: "the root of a new Azure file share",
    source: "W",
    sddl:
      "O:SYG:SYD:(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;;0x1301bf;;;AU)" +
      "(A;OICIIO;SDGXGWGR;;;AU)(A;OICI;0x1200a9;;;BU)",
    reasons: ["Authenticated Users", "what is made in it", "Users"],
  },
  {
    what: "a directory of the system to which every account may add files",
    source: "W",
    sddl:
      "O:SYG:SYD:PAI(A;OICIIO;GA;;;CO)(A;;0x1200ab;;;AU)(A;OICIIO;GA;;;SY)(A;;FA;;;SY)" +
      "(A;OICIIO;GA;;;BA)(A;;FA;;;BA)",
    reasons: ["Authenticated Users (S-1-5-11) may read, write"],
  },
  {
    what: "a directory of another user",
    source: "Z",
    sddl: `O:${me}G:${me}D:AI${profile}`.replaceAll(me, other),
    reasons: [`belongs to ${other}`, `${other} may read`],
  },
];
