package dev.outpost.cli.top;

import dev.outpost.channel.client.MachineWatch;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.cli.support.EndpointOptions;
import dev.outpost.provider.Endpoint;
import dev.outpost.transport.Transports;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows the activity of a machine's sessions, and refreshes it repeatedly. */
@Command(
        name = "top",
        description =
                "Watch the sessions of a machine, with the members of their groups, or several machines: memory, rates, and the instructions they run.")
public final class TopCommand implements Runnable {
    /** The terminal codes that move the cursor home and clear the screen below it. They redraw without flicker. */
    private static final String REDRAW = "\u001b[H\u001b[J";

    @Mixin
    private EndpointOptions endpoint;

    @Option(
            names = "--member",
            paramLabel = "HOST:PORT",
            description =
                    "A further machine, whole, in place of what a member of a group tells. May be given several times.")
    private List<String> members = List.of();

    @Option(
            names = "--member-token",
            paramLabel = "TOKEN",
            description = "The token of each further machine, in their order; that of the first machine unless given.")
    private List<String> memberTokens = List.of();

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "1s",
            description = "Between looks, such as 500ms; ${DEFAULT-VALUE} unless given.")
    private Duration interval;

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
        List<MachineWatch> watches = new ArrayList<>();
        try {
            for (Endpoint machine : machines()) {
                watches.add(MachineWatch.open(Transports.channels(machine), interval, instructions > 0));
            }
            watch(watches);
        } finally {
            watches.forEach(MachineWatch::close);
        }
    }

    private List<Endpoint> machines() {
        if (memberTokens.size() > members.size()) {
            throw new IllegalArgumentException("top: expected a token for each of " + members.size()
                    + " members at the most, got " + memberTokens.size());
        }
        List<Endpoint> machines = new ArrayList<>();
        machines.add(endpoint.endpoint());
        for (int member = 0; member < members.size(); member++) {
            String token = member < memberTokens.size() ? memberTokens.get(member) : null;
            machines.add(endpoint.another(members.get(member), token));
        }
        return machines;
    }

    /** Shows the machines until the watch of one of them ends. */
    private void watch(List<MachineWatch> watches) {
        List<Snapshot> before = next(watches);
        List<Snapshot> now = next(watches);
        for (long look = 1; now.size() == watches.size(); look++) {
            show(screen(before, now));
            if (look == looks) {
                return;
            }
            before = now;
            now = next(watches);
        }
    }

    private static List<Snapshot> next(List<MachineWatch> watches) {
        return watches.stream().map(MachineWatch::next).filter(Objects::nonNull).toList();
    }

    private List<String> screen(List<Snapshot> before, List<Snapshot> now) {
        if (members.isEmpty() && now.getFirst().getMembersCount() == 0) {
            return new TopScreen(instructions).lines(before.getFirst(), now.getFirst());
        }
        List<GroupScreen.Look> machines = new ArrayList<>();
        for (int machine = 0; machine < now.size(); machine++) {
            String name = machine == 0 ? endpoint.name() : members.get(machine - 1);
            machines.addAll(
                    isNamed()
                            ? List.of(new GroupScreen.Look(name, before.get(machine), now.get(machine)))
                            : GroupScreen.Look.withMembers(name, before.get(machine), now.get(machine)));
        }
        return new GroupScreen(instructions).lines(machines);
    }

    /** True if the members are named, so that they are not shown twice. */
    private boolean isNamed() {
        return !members.isEmpty();
    }

    private void show(List<String> lines) {
        PrintWriter out = spec.commandLine().getOut();
        if (isTerminal()) {
            out.print(REDRAW);
        }
        lines.forEach(out::println);
        out.flush();
    }

    /** Returns true if the output is a terminal. */
    public static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }
}
