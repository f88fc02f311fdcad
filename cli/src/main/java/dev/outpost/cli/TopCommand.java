package dev.outpost.cli;

import dev.outpost.channel.client.MachineWatch;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.transport.Transports;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what a machine's sessions do, again and again. */
@Command(name = "top", description = "Watch the sessions of a machine: memory, rates, and the instructions they run.")
final class TopCommand implements Runnable {
    /** Home, and clear to the end: redraws without flicker. */
    private static final String REDRAW = "\u001b[H\u001b[J";

    @Mixin
    private EndpointOptions endpoint;

    @Option(
            names = "--interval",
            paramLabel = "MS",
            defaultValue = "1000",
            description = "Milliseconds between looks; ${DEFAULT-VALUE} unless given.")
    private int interval;

    @Option(
            names = "--looks",
            paramLabel = "N",
            defaultValue = "0",
            description = "Stop after so many; goes on until it is interrupted unless given.")
    private long looks;

    @Option(
            names = "--instructions",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many of the latest instructions to show; ${DEFAULT-VALUE} unless given, 0 for none.")
    private int instructions;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TopScreen screen = new TopScreen(instructions);
        try (MachineWatch watch = MachineWatch.open(
                Transports.channels(endpoint.endpoint()), Duration.ofMillis(interval), instructions > 0)) {
            Snapshot before = watch.next();
            Snapshot now = watch.next();
            for (long look = 1; now != null; look++) {
                show(screen.lines(before, now));
                if (look == looks) {
                    return;
                }
                before = now;
                now = watch.next();
            }
        }
    }

    private void show(List<String> lines) {
        PrintWriter out = spec.commandLine().getOut();
        if (isTerminal()) {
            out.print(REDRAW);
        }
        lines.forEach(out::println);
        out.flush();
    }

    private static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }
}
