# Completes the words of outpost in fish. The launcher knows the words, so this file does not depend on the version.
function __outpost_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..] 2>/dev/null
end
complete -c outpost -a '(__outpost_complete)'
