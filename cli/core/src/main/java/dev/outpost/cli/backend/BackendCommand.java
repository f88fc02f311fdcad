package dev.outpost.cli.backend;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Only an entry in the list of commands: the launcher itself starts the backend, which is a separate program. */
@Command(name = "backend", description = "Serve machines to a team: an API, a dashboard, quotas and costs.")
public final class BackendCommand implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "backend: ./outpost in a clone or bin/outpost in the zip starts it; this is only the command line");
    }
}
