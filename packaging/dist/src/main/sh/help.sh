# Help, version, completion and installation, for the launchers of a clone and of the zip. They need no Java: help.txt and words.tsv have
# the texts of all commands, and HelpTextTest compares them with the commands. The launchers set ROOT, LAUNCHER and SHARE (the
# folder of these files) and TREE (not empty in a source tree), and the function version_of_build prints the version.
# shellcheck shell=sh disable=SC2154

# Prints the help that the arguments ask for: none, help WORD..., or WORD... --help. False if they do not ask for it, or if another
# program prints it.
print_help() {
    path=
    case ${1:-} in
        '') set -- --help ;;
        help)
            shift
            set -- "$@" --help
            ;;
    esac
    for argument in "$@"; do
        case $argument in
            -h | --help) break ;;
            -*) return 1 ;;
            *) path="$path${path:+ }$argument" ;;
        esac
        argument=
    done
    [ -n "$argument" ] || return 1
    # Arguments of a command are no part of its name.
    until print_section "$path"; do
        case $path in
            *' '*) path=${path% *} ;;
            *) return 1 ;;
        esac
    done
}

# Prints the section of a command, or of the whole program. False if there is none.
print_section() {
    awk -v path="$1" -v tree="$TREE" '
        /^@/ {
            name = $0
            inTree = sub(/^@tree/, "@", name)
            inside = name == (path == "" ? "@" : "@ " path) && (path == "" ? inTree == (tree != "") : !inTree || tree != "")
            found = found || inside
            next
        }
        inside { print }
        END { exit !found }' "$SHARE/help.txt"
}

# A function of awk: the number of letters that are inserted, removed or replaced between two words.
DISTANCE='
function min(a, b) { return a < b ? a : b }

function distance(a, b,    i, j, row, last, above) {
    for (j = 0; j <= length(b); j++) row[j] = j
    for (i = 1; i <= length(a); i++) {
        last = row[0]
        row[0] = i
        for (j = 1; j <= length(b); j++) {
            above = row[j]
            row[j] = min(last + (substr(a, i, 1) != substr(b, j, 1)), 1 + min(above, row[j - 1]))
            last = above
        }
    }
    return row[length(b)]
}'

# Prints the name of the standard input that is nearest to a word, if one is near. nearest_name WORD
nearest_name() {
    awk -v word="$1" "$DISTANCE"'
        BEGIN { best = int((length(word) + 2) / 3) + 1 }
        { d = distance(word, $0); if (d < best) { best = d; found = $0 } }
        END { print found }'
}

# Refuses a word or an option that the command does not know, before anything is built or started, with exit status 2. Commands whose own
# program reads the arguments have * in the last column of words.tsv, and commands that take arguments have +.
check_words() {
    newline='
'
    for argument in "$@"; do
        # A file with arguments, or a text of several lines.
        case $argument in @* | *"$newline"*) return ;; esac
    done
    [ $# -gt 0 ] || return 0
    case $1 in help) shift ;; esac
    printf '%s\n' "$@" | awk -F '\t' -v tree="$TREE" "$DISTANCE"'
        # The nearest words that may stand there. The commands for the development of Outpost come into question if no other is as near.
        function nearest(word, isOption,    i, best, found, d) {
            best = int((length(word) + 2) / 3) + 0.5
            for (i = 1; i <= rows; i++) {
                if (paths[i] != path || (names[i] ~ /^-/) != isOption) continue
                d = distance(word, names[i]) + (trees[i] != "" && names[i] !~ /^(jshell|example|docs)$/ ? 0.4 : 0)
                if (d < best) { best = d; found = names[i] } else if (d == best && found != "") found = found " or " names[i]
            }
            return found
        }

        function refuse(sentence, word, isOption,    near) {
            near = nearest(word, isOption)
            print "outpost: " sentence (near == "" ? "" : "; did you mean " near "?")
            print "Try: outpost " (path == "" ? "" : path " ") "--help"
            exit 2
        }

        FNR == NR { argument[++count] = $0; next }
        $5 != "" && tree == "" { next }
        {
            rows++
            paths[rows] = $1; names[rows] = $2; trees[rows] = $5
            marks[$1 SUBSEP $2] = $6
            takesValue[$1 SUBSEP $2] = $4 != ""
            if ($2 !~ /^-/) { if ($3 != "") isGroup[$1] = 1; next }
            number = split($6, other, ",")
            for (i = 1; i <= number; i++) { marks[$1 SUBSEP other[i]] = ""; takesValue[$1 SUBSEP other[i]] = $4 != "" }
        }
        END {
            path = ""
            mark = ""
            for (i = 1; i <= count; i++) {
                word = argument[i]
                if (mark == "*" || word == "--") exit 0
                if (word == "" || word == "-" || word ~ /^-[0-9.]/) continue
                if (word ~ /^-/) {
                    option = word
                    sub(/=.*/, "", option)
                    if (option !~ /^--/) option = substr(option, 1, 2)
                    if (!((path SUBSEP option) in marks))
                        refuse((path == "" ? "there is no option " option " before a command" : path " has no option " option), option, 1)
                    if (takesValue[path SUBSEP option] && index(word, "=") == 0 && length(option) == length(word)) i++
                } else if ((path SUBSEP word) in marks) {
                    mark = marks[path SUBSEP word]
                    path = path == "" ? word : path " " word
                } else if (path == "") {
                    refuse("no command is called " word, word, 0)
                } else if (mark != "+") {
                    refuse(path " has no " (isGroup[path] ? "command" : "argument") " " word, word, 0)
                }
            }
        }' - "$SHARE/words.tsv" >&2 || exit 2
}

print_version() {
    printf 'outpost %s\nJava %s\n' "$(version_of_build)" \
        "$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$JAVA_HOME/release")"
}

# Prints the words that may follow, with their descriptions behind a tab. The last argument is the beginning of the word.
complete_words() {
    # A source tree lists its examples.
    if [ -n "$TREE" ] && [ $# = 2 ] && [ "$1" = example ]; then
        name_examples | grep "^$2" || true
        return
    fi
    printf '%s\n' "$@" | awk -F '\t' -v tree="$TREE" '
        FNR == NR { word[++words] = $0; next }
        $5 != "" && tree == "" { next }
        { next_of[$1 SUBSEP $2] = 1; values[$1 SUBSEP $2] = $4; row[++rows] = $0 }
        END {
            path = ""
            for (i = 1; i < words; i++) {
                if (word[i] !~ /^-/ && (path SUBSEP word[i]) in next_of) path = path == "" ? word[i] : path " " word[i]
            }
            start = word[words]
            option = word[words - 1]
            if (start ~ /^--[^=]*=/) { option = start; sub(/=.*/, "", option); prefix = option "="; sub(/^[^=]*=/, "", start) }
            if (option == "=") { option = word[words - 2] }
            if ((path SUBSEP option) in values && values[path SUBSEP option] != "") {
                count = split(values[path SUBSEP option], value, ",")
                for (i = 1; i <= count; i++)
                    if (value[i] != "*" && index(value[i], start) == 1) print prefix value[i] "\t" substr(option, 3)
                exit
            }
            for (i = 1; i <= rows; i++) {
                split(row[i], field, "\t")
                if (field[1] == path && index(field[2], start) == 1 && (start != "" || field[2] !~ /^-/)) print field[2] "\t" field[3]
            }
        }' - "$SHARE/words.tsv"
}

print_completion() {
    case ${1:-} in
        bash) cat "$SHARE/completion/outpost.bash" ;;
        zsh) cat "$SHARE/completion/_outpost" ;;
        fish) cat "$SHARE/completion/outpost.fish" ;;
        *) die "completion for which shell? outpost completion bash|zsh|fish" ;;
    esac
}

# A link in a folder of the PATH, and the scripts of completion where the shells look for them.
install_launcher() {
    prefix=${HOME:-}/.local remove=
    while [ $# -gt 0 ]; do
        case $1 in
            --prefix)
                [ $# -ge 2 ] || die "install --prefix DIR: the folder is missing"
                prefix=$2
                shift
                ;;
            --prefix=*) prefix=${1#*=} ;;
            --remove) remove=true ;;
            *) die "install does not know $1: outpost install [--prefix DIR] [--remove]" ;;
        esac
        shift
    done
    case $prefix in
        /*) ;;
        *) prefix=$CALLER/$prefix ;;
    esac
    link=$prefix/bin/outpost
    if [ -e "$link" ] || [ -L "$link" ]; then
        # Only a link that this command made is replaced or deleted.
        case $(readlink "$link" 2>/dev/null || true) in
            */outpost) ;;
            *) die "$link is another program: remove it, or choose another folder by --prefix" ;;
        esac
    fi
    bash_file=$prefix/share/bash-completion/completions/outpost
    zsh_file=$prefix/share/zsh/site-functions/_outpost
    fish_file=$prefix/share/fish/vendor_completions.d/outpost.fish
    for file in "$bash_file" "$zsh_file" "$fish_file"; do
        if [ -L "$file" ] || { [ -e "$file" ] && ! grep -q __complete "$file" 2>/dev/null; }; then
            die "$file is of another program: remove it, or choose another folder by --prefix"
        fi
    done
    # set -e does not stop a function whose status is a condition.
    if [ -n "$remove" ]; then
        rm -f "$link" "$bash_file" "$zsh_file" "$fish_file" || die "$link or a file of completion cannot be removed"
        echo "removed $link and the completion of words"
        return
    fi
    mkdir -p "$prefix/bin" "${bash_file%/*}" "${zsh_file%/*}" "${fish_file%/*}" || die "the folder $prefix cannot be written"
    {
        ln -sfn "$LAUNCHER" "$link" &&
            cp "$SHARE/completion/outpost.bash" "$bash_file" &&
            cp "$SHARE/completion/_outpost" "$zsh_file" &&
            cp "$SHARE/completion/outpost.fish" "$fish_file"
    } || die "the link or a file of completion in $prefix cannot be written"
    echo "installed $link -> $LAUNCHER, and the completion of words for bash, zsh and fish"
    case :$PATH: in
        *":$prefix/bin:"*) ;;
        *) echo "add it to the PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
    esac
}

# The commands that need no Java, before all others. False if the command is another one.
run_without_java() {
    case ${1:-} in
        __complete)
            shift
            complete_words "$@"
            ;;
        completion)
            case ${2:-} in -h | --help) print_help "$@" ;; *) shift && print_completion "$@" ;; esac
            ;;
        install)
            case ${2:-} in -h | --help) print_help "$@" ;; *) shift && install_launcher "$@" ;; esac
            ;;
        *) print_help "$@" ;;
    esac
}
