"""Shell completion: a small script for each shell, made from the parsers themselves.

``eval "$(solvepic completion bash)"`` in ``~/.bashrc``, the same with ``zsh`` in ``~/.zshrc``, or
``solvepic completion fish > ~/.config/fish/completions/solvepic.fish``. Words that are no options are file names.
"""

import argparse
from collections.abc import Mapping

_BASH = """\
_solvepic() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD - 1]}}" words
    case "$before" in
{choices}
        *) case "${{COMP_WORDS[1]}}" in
{options}
        esac
        [[ "$COMP_CWORD" -eq 1 && "$current" != -* ]] && words="{commands}" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ "$current" == -* ]] || COMPREPLY+=($(compgen -f -- "$current"))
}}
complete -o filenames -F _solvepic solvepic
"""

_AS_BASH = "autoload -U +X compinit && compinit; autoload -U +X bashcompinit && bashcompinit\n"
"""After this zsh understands the completions of bash."""

SHELLS = ("bash", "zsh", "fish")


def script(shell: str, parsers: Mapping[str, argparse.ArgumentParser], plain: str) -> str:
    """The script for a shell; ``plain`` is the command that is meant where none is named."""
    if shell == "fish":
        return _fish(parsers)
    return _AS_BASH + _bash(parsers, plain) if shell == "zsh" else _bash(parsers, plain)


def _options(parser: argparse.ArgumentParser) -> dict[str, tuple[str, ...]]:
    """The options, and what each may be set to where that is a choice."""
    return {
        option: tuple(map(str, action.choices or ())) for action in parser._actions for option in action.option_strings
    }


def _bash(parsers: Mapping[str, argparse.ArgumentParser], plain: str) -> str:
    options = {name: _options(parser) for name, parser in parsers.items()}
    choices = {option: words for by in options.values() for option, words in by.items() if words}
    cases = {**options, "*": options[plain]}
    return _BASH.format(
        choices="\n".join(f'        {option}) words="{" ".join(words)}" ;;' for option, words in choices.items()),
        options="\n".join(f'            {name}) words="{" ".join(by)}" ;;' for name, by in cases.items()),
        commands=" ".join(parsers),
    )


def _fish(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    lines = [f"complete -c solvepic -n __fish_use_subcommand -a {name}" for name in parsers]
    for option, words in {o: w for parser in parsers.values() for o, w in _options(parser).items()}.items():
        flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
        lines.append(f"complete -c solvepic {flag}" + (f" -xa '{' '.join(words)}'" if words else ""))
    return "\n".join(lines) + "\n"
