"""What each command does, as its help says it. The sentence about exit statuses comes last.

Above: ``arguments``. Below: nothing.
"""

GROUNDWIRE = """What language servers know, proven for the content as it is now: for AI coding agents, for people, and
for CI. An answer is proven, or says that it is not, and why."""

EPILOG = """Places and symbols (TARGET):
    Class.method    file::Class.method    file:LINE    file:LINE:COLUMN

Examples:
    groundwire def Repository.save           where it is defined
    groundwire refs src/app.py:12:5          who uses what stands there
    groundwire rename Repository.save store  a preview; --apply does it
    groundwire check src/app.py              what is wrong in a file
    groundwire check --base main             what this branch broke, anywhere
    groundwire init                          make it known to your coding agents

Exit status:
    0   answered, and that is proven
    1   errors were found (check), or something could not be done
    2   wrong use, or no answer at all
    3   answered, but not all of it is known

Environment:
    GROUNDWIRE_NO_DAEMON  1: answer in this process, even if another one could
    GROUNDWIRE_CONFIG     a configuration file to read besides the usual ones
    GROUNDWIRE_DATA_DIR   where `install` puts language servers
    GROUNDWIRE_OUTPUT     text or json: how `mcp` answers
    GROUNDWIRE_...        any setting: GROUNDWIRE_TIMEOUTS__REQUEST=60
    NO_COLOR              no colours"""

CHECK = """Say what language servers find wrong in files, and how far that is proven; or what a change set introduced,
in its own files and in those that use them, against the state before it.
Exit status: 0 no errors (of a change set: none introduced), and that is proven; 1 errors (of a change set: introduced
ones); 3 not known; 2 wrong use or no usable server."""

DEMO = """Break a small project in a temporary folder, show what an agent would be told, and mend it again.
Needs nothing but groundwire itself. Exit status: 0 when every step came out as it should; else 1."""

EXPLAIN = """Say every decision about a file, and why: its language, its servers, where they are rooted, which programs
they are, what was passed over, and what the project may not decide yet. Nothing is started.
Exit status: 0 explained; 2 wrong use."""

DOCTOR = """Start each language server that the files of this workspace need, ask it about one of them, and say what
works, what is missing or broken, and the one command that helps. Nothing stays running.
Exit status: 0 all is well; 1 something that is needed is missing or broken; 2 wrong use."""

STATUS = """Show each language server that the files of this workspace need: whether it can be started, where, and what
is in its way. Nothing is started. With --watch: what the background process of the workspace does, live: servers,
findings, calls and edits; where none runs, it is waited for. Exit status: 0 shown; 2 wrong use."""

MCP = """Serve a coding agent over the Model Context Protocol, on standard input and output, until the input ends.
The language servers are its own, and end with it."""

LSP = """Be a language server for an editor or an agent, on standard input and output, until it says exit: every
language of the project, answered by the servers that everything else of groundwire shares."""

SERVE = """Serve coding agents over MCP's Streamable HTTP at /mcp, programs over a status API, and people a page, until
it is told to end. Needs a token of 16 characters or more; the directories given are all that can be worked in.
Exit status: 0 told to end; 2 wrong use."""

HOOK = """Answer a hook of a coding agent: reads the event on standard input, and prints what the edit broke in the
form that the agent expects, or its form of silence. `groundwire init` registers it. Exit status: always 0."""

INSTALL = """Get language servers for you alone, pinned, into a folder of groundwire's own. Nothing else is touched.
Exit status: 0 all is there; 1 something failed; 2 wrong use."""

TRUST = """Show every command, program and setting by which this project can have something run, and trust just that.
It ends by itself when any of it changes. Exit status: 0 trusted, or nothing needs it; 1 not trusted; 2 wrong use."""

DAEMON = """Look at, end or renew the background process that keeps the language servers of a workspace warm, and that
agents, hooks, editors and this command line share. It is started by them as needed, and ends by itself when nobody
has needed it for a while."""

DAEMON_STATUS = """Show the background process of this workspace: since when, for whom, with which servers, and whether
it was started with another environment or configuration than it would be now. Exit status: 0 shown; 2 wrong use."""

DAEMON_STOP = """End the background process of this workspace, and its language servers with it. Whoever needs one
starts another. Exit status: 0 none runs any more; 1 one does not end; 2 wrong use."""

DAEMON_RESTART = """End the background process of this workspace, if there is one, and start another, with the
environment and the configuration of this moment. Agents that are connected go on with the new one.
Exit status: 0 it runs; 2 it cannot be started."""

DAEMON_LOGS = """Show the end of the log of the background process of this workspace.
Exit status: 0 shown; 2 there is none."""

SKILLS = """Workflows over the tools, for coding agents: which there are, whether the servers of this workspace can do
what each needs, and how they get to where agents look for them. MCP clients see the same as prompts."""

SKILLS_LIST = """Name every skill, and whether the language servers that run here can do what it needs; what is not
known before they have run is said to be so. Exit status: 0 listed; 2 wrong use."""

SKILLS_SHOW = """Print a skill as agents read it. Exit status: 0 printed; 2 there is none of that name."""

SKILLS_INSTALL = """Put the skills into the folders where the coding agents that are there look for them. What is not
ours, or was edited, stays as it is unless you say --force, and then it is kept for `remove` to put back.
Exit status: 0 all is there; 1 something was left as it is; 2 wrong use, or no such agent."""

SKILLS_REMOVE = """Take away the skills that `install` put there, and nothing else. Exit status: 0 none of ours is left;
1 one was edited, and stays; 2 wrong use."""

COMPLETION = """Write a script by which a shell completes the commands, options, choices and files of this command
line. For bash: eval "$(groundwire completion bash)" in ~/.bashrc; for zsh: the same in ~/.zshrc after compinit; for
fish: groundwire completion fish > ~/.config/fish/completions/groundwire.fish; for PowerShell:
groundwire completion powershell | Out-String | Invoke-Expression in $PROFILE."""

INIT = """Find the coding agents on this machine and in this project, show what would be written where, and write it
when you say so: groundwire as an MCP server, and hooks that tell the agent what an edit broke. Everything else in those
files keeps its bytes, and all of it can be taken back. Exit status: 0 done, or nothing to do; 1 something is left for
you to do by hand, or you said no; 2 wrong use, or nobody was there to be asked."""

UNINSTALL = """Take back everything that `groundwire init` ever wrote, for you and in every project, and stop what runs
in the background. Nothing else is deleted. Exit status: 0 done; 1 something could not be taken back, or you said no;
2 wrong use, or nobody was there to be asked."""
