"""A command of the suite that ends in a driver's command, and sees to it that no option is taken for part of it."""

from __future__ import annotations

import shlex

import click


class DriverCommand(click.Command):
    """A click command whose last words are a driver's command: all that follows `--`, or the first word without dash.

    Without `--`, an option of this command that stands among a driver's arguments is turned away: it would be handed to
    the driver in silence.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse `args`, and raise click.UsageError where an option stands where it would not be heeded."""
        given = list(args)
        rest = super().parse_args(ctx, args)
        words = list(ctx.params.get("command_words", ()))
        before = given[: len(given) - len(words)]
        if words and before[-1:] != ["--"]:
            self._look_for_options(ctx, before, words)
        return rest

    def _look_for_options(self, ctx: click.Context, before: list[str], words: list[str]) -> None:
        own = {name for option in self.get_params(ctx) if isinstance(option, click.Option) for name in option.opts}
        for position, word in enumerate(words[1:], start=1):
            name = word.partition("=")[0]
            if name in own:
                better = shlex.join(
                    ["coli-conformance", self.name or "", *before, *words[position:], "--", *words[:position]]
                )
                raise click.UsageError(
                    f"{name} stands behind the driver's command, which would get it as an argument. Options of "
                    f"`{self.name}` come first, and `--` ends them, such as: {better}",
                    ctx,
                )
