# memlane-cli.fish: fish completes commands, options and their values for memlane-cli
# SPDX-License-Identifier: MIT
#
# All words come from the program: its help and its lists. fish does not run what a command prints.

# Prints "SHORT LONG VALUE<tab>DESCRIPTION" for each option of command $argv[1].
function __memlane_cli_options
    memlane-cli $argv[1] --help 2>/dev/null | string replace -rf '^  (?:(-.), )?(--[a-z0-9-]+)(?:=(\S+))? +(.*)' '$1 $2 $3\t$4'
end

# Prints column $argv[1] of the list that memlane-cli prints for the other arguments.
function __memlane_cli_column
    memlane-cli $argv[2..-1] 2>/dev/null | tail -n +2 | awk -v column=$argv[1] '{ print $column }'
end

# Prints the values of option or argument $argv[1], whose value the help calls $argv[2].
function __memlane_cli_values
    switch $argv[1]
        case --device
            __memlane_cli_column 1 devices
        case --mode --modes MODE
            __memlane_cli_column 1 modes --device simulated:h200
        case --workload
            __memlane_cli_column 1 workloads
        case --experiment NAME
            __memlane_cli_column 2 experiment list
        case '*'
            switch "$argv[2]"
                case F 'F.*' DIR '*.csv*' '*.json' '*PROGRAM*' '*RUN*'
                    __fish_complete_path (commandline -ct)
            end
    end
end

function __memlane_cli_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    if test (count $before) -lt 2
        memlane-cli --help | string replace -rf '^  ([a-z-]+)  +(.*)' '$1\t$2'
        printf '%s\n' help --help --version
        return
    end
    for option in (__memlane_cli_options $before[2])
        set -l names (string split ' ' -- (string split \t -- $option)[1])
        if string match -q -- '-*' $word
            printf '%s\t%s\n' $names[2] (string split \t -- $option)[2]
        else if test -n "$names[3]"; and contains -- $before[-1] $names[1..2]
            __memlane_cli_values $names[2] $names[3] | string replace -r '^' -- (string replace -rf '[^,]*$' '' -- $word)
            return
        end
    end
    string match -q -- '-*' $word; and return
    set -l usage (memlane-cli $before[2] --help 2>/dev/null | string replace -rf '^  memlane-cli [^\]]*\] *' '')[1]
    if test "$usage" != 'list | run NAME'
        __memlane_cli_values (string split ' ' -- $usage)[1] $usage
    else if test $before[-1] = run
        __memlane_cli_values NAME
    else
        printf '%s\n' list run
    end
end
complete -c memlane-cli -f -a '(__memlane_cli_complete)'
