package dev.outpost.cli.backend;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Only an entry in the list of commands: the launcher itself starts the simulation, which is part of the backend's program. */
@Command(name = "simulate", description = "Try pools, prices and policies of a backend in virtual time.")
public final class SimulateCommand implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "simulate: ./outpost in a clone or bin/outpost in the zip starts it; this is only the command line");
    }
}
