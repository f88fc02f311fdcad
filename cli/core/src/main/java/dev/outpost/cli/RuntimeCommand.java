package dev.outpost.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Only an entry in the list of commands: the launcher itself starts the runtime, which is a separate program. */
@Command(name = "runtime", description = "Serve a machine to clients on other hosts, with TLS and a token.")
final class RuntimeCommand implements Runnable {
    @Parameters(hidden = true)
    private List<String> arguments;

    @Override
    public void run() {
        throw new IllegalStateException(
                "runtime: ./outpost in a clone or bin/outpost in the zip starts it; this is only the command line");
    }
}
