package dev.outpost.cli.backend;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Stands in the list of commands for what the launcher runs by itself: the backend is a program of its own. */
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
