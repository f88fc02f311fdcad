package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Only an entry in the list of commands: the launcher itself starts the relay, which is a separate program. */
@Command(
        name = "relay",
        description =
                "Pass clients of a backend through to machines that they cannot reach, without decrypting anything.")
final class RelayCommand implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "relay: ./outpost starts it from the source tree; this is only the command line");
    }
}
