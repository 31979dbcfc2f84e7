"""`thresher completion`: the script that teaches a shell the commands and options."""

from __future__ import annotations

import click

from thresher.cli.options import Command

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell.

    \b
    Examples:
      eval "$(thresher completion bash)"
      thresher completion zsh > ~/.zfunc/_thresher
      thresher completion fish > ~/.config/fish/completions/thresher.fish
    """
    from click.shell_completion import get_completion_class

    completer = get_completion_class(shell)
    if completer is None:  # pragma: no cover  (all of SHELLS are click's own)
        raise click.UsageError(f"no completion is known for {shell}.")
    # Not its constructor's check of the bash version: the script is for any machine.
    script = completer(context.find_root().command, {}, "thresher", "_THRESHER_COMPLETE")
    click.echo(script.source_template % script.source_vars())
