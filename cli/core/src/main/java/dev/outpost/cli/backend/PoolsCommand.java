package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the warm pools of a backend, sets, pauses, resumes and removes one. */
@Command(
        name = "pools",
        description = "List the pools of machines that wait for requests; for an operator's key.",
        subcommands = {
            PoolsCommand.Put.class,
            PoolsCommand.Pause.class,
            PoolsCommand.Resume.class,
            PoolsCommand.Remove.class
        })
public final class PoolsCommand implements Runnable {
    private static final String PATH = "/v1/pools";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "GPU", "WAITING", "MIN", "MAX", "IDLE", "LEASE", "WHAT IT DOES");
        Pages.read(
                BackendClient.configured(),
                PATH,
                item -> table.row(
                        item.path("name").asText(),
                        item.path("gpu").asText(),
                        waiting(item),
                        item.path("min").asText(),
                        item.path("max").asText(),
                        item.path("idle").asText(),
                        item.path("lease").asText(),
                        item.path("text").asText()));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    private static long waiting(JsonNode pool) {
        return StreamSupport.stream(pool.path("members").spliterator(), false)
                .filter(member -> member.path("phase").asText().equals("READY"))
                .count();
    }

    private static void print(CommandSpec spec, JsonNode pool) {
        spec.commandLine()
                .getOut()
                .println(pool.path("name").asText() + ": " + pool.path("text").asText());
    }

    /** A new one, or another size of one. */
    @Command(name = "set", description = "Make a pool, or change all of it.")
    static final class Put implements Runnable {
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

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("gpu", gpu);
            body.put("min", min);
            body.put("max", max == null ? Math.max(1, min) : max);
            body.put("idle", idle.toString());
            body.put("lease", lease.toString());
            print(spec, BackendClient.configured().put(PATH + "/" + DeploymentName.checked(name), body));
        }
    }

    /** Sets whether machines of a pool wait, and leaves the rest of it as it is. */
    private static void pause(CommandSpec spec, String name, boolean isPaused) {
        BackendClient client = BackendClient.configured();
        String path = PATH + "/" + DeploymentName.checked(name);
        JsonNode pool = client.get(path);
        Map<String, Object> body = new LinkedHashMap<>();
        for (String field : new String[] {"gpu", "min", "max", "idle", "lease"}) {
            body.put(field, pool.path(field));
        }
        body.put("paused", isPaused);
        print(spec, client.put(path, body));
    }

    /** The end of machines that wait. */
    @Command(name = "pause", description = "End the machines that wait, and start no more.")
    static final class Pause implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost pools shows it.")
        private String name;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            pause(spec, name, true);
        }
    }

    /** Machines that wait again. */
    @Command(name = "resume", description = "Let machines wait again.")
    static final class Resume implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost pools shows it.")
        private String name;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            pause(spec, name, false);
        }
    }

    /** The end of one. */
    @Command(name = "remove", description = "Remove one, and end the machines that wait in it.")
    static final class Remove implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost pools shows it.")
        private String name;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured().delete(PATH + "/" + DeploymentName.checked(name));
            spec.commandLine().getOut().println(name + " is removed");
        }
    }
}
