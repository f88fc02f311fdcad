package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Only an entry in the list of commands. The launcher adds the module of the real command when it is called. */
@Command(name = "workers", description = "List the workers of the local network, pair with them, and measure them.")
final class WorkersStub implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "workers: ./outpost starts it with what it needs; this is only the command line");
    }
}
