package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.PoolsApi;
import dev.outpost.rest.cluster.PoolRequest;
import dev.outpost.rest.cluster.PoolView;
import dev.outpost.rest.machine.Phase;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the warm pools of a backend; sets, pauses, resumes or removes a pool. */
@Command(
        name = "pools",
        description = "List the pools of machines that wait for requests; for an operator's key.",
        subcommands = {
            PoolsCommand.Put.class,
            PoolsCommand.Pause.class,
            PoolsCommand.Resume.class,
            PoolsCommand.Remove.class
        })
public final class PoolsCommand extends PrintingCommand {
    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "GPU", "WAITING", "MIN", "MAX", "IDLE", "LEASE", "WHAT IT DOES");
        calls().list()
                .forEach(item -> table.row(
                        item.name(),
                        item.gpu(),
                        item.members().stream()
                                .filter(member -> member.phase() == Phase.READY)
                                .count(),
                        item.min(),
                        item.max(),
                        item.idle(),
                        item.lease(),
                        item.text()));
        print(table);
    }

    private static PoolsApi calls() {
        return new PoolsApi(BackendClient.configured());
    }

    private static String put(String name, PoolRequest request) {
        PoolView pool = calls().put(DeploymentName.checked(name), request);
        return pool.name() + ": " + pool.text();
    }

    /** Makes a pool, or changes its size. */
    @Command(name = "set", description = "Make a pool, or change all of it.")
    static final class Put extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "Lower-case letters, digits and inner dashes.")
        private String name;

        @Option(
                names = "--gpu",
                paramLabel = "GPU",
                required = true,
                description = "A name of the catalogue (./outpost gpus), or any.")
        private String gpu;

        @Option(
                names = "--min",
                paramLabel = "NUMBER",
                defaultValue = "1",
                description = "How many machines wait at the least; 1 unless given.")
        private int min;

        @Option(
                names = "--max",
                paramLabel = "NUMBER",
                description = "How many wait at the most; as many as --min unless given.")
        private Integer max;

        @Option(
                names = "--idle",
                paramLabel = "TIME",
                defaultValue = "10m",
                description = "As many wait as were claimed within it; 10m unless given.")
        private Duration idle;

        @Option(
                names = "--lease",
                paramLabel = "TIME",
                defaultValue = "1m",
                description = "Requests with this lease get its machines; 1m unless given, as programs ask for.")
        private Duration lease;

        @Override
        public void run() {
            println(put(name, new PoolRequest(gpu, min, max == null ? Math.max(1, min) : max, idle, lease, null)));
        }
    }

    /** Pauses or resumes a pool, and leaves its other settings unchanged. */
    private static String pause(String name, boolean isPaused) {
        PoolView pool = calls().find(DeploymentName.checked(name));
        return put(name, new PoolRequest(pool.gpu(), pool.min(), pool.max(), pool.idle(), pool.lease(), isPaused));
    }

    /** Pauses a pool, which ends its waiting machines. */
    @Command(name = "pause", description = "End the machines that wait, and start no more.")
    static final class Pause extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost pools shows it.")
        private String name;

        @Override
        public void run() {
            println(pause(name, true));
        }
    }

    /** Resumes a paused pool. */
    @Command(name = "resume", description = "Let machines wait again.")
    static final class Resume extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost pools shows it.")
        private String name;

        @Override
        public void run() {
            println(pause(name, false));
        }
    }

    /** Removes a pool. */
    @Command(name = "remove", description = "Remove one, and end the machines that wait in it.")
    static final class Remove extends PrintingCommand {
        @Parameters(paramLabel = "NAME", description = "As ./outpost pools shows it.")
        private String name;

        @Override
        public void run() {
            calls().remove(DeploymentName.checked(name));
            println(name + " is removed");
        }
    }
}
