package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the jobs of a backend, shows one, its log and what it left, and ends one. */
@Command(
        name = "jobs",
        description = "List the jobs of a backend; see ./outpost submit.",
        subcommands = {
            JobsCommand.Show.class,
            JobsCommand.Log.class,
            JobsCommand.Artefacts.class,
            JobsCommand.Cancel.class
        })
public final class JobsCommand implements Runnable {
    private static final String PATH = "/v1/jobs";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("ID", "NAME", "GPU", "STATE", "RUN", "CREATED", "WHAT IT DOES");
        Pages.read(
                BackendClient.configured(),
                PATH,
                item -> table.row(
                        item.path("id").asText(),
                        item.path("name").asText(),
                        item.path("gpu").asText(),
                        item.path("phase").asText(),
                        item.path("attempt").asText(),
                        item.path("created").asText(),
                        item.path("text").asText()));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    /** What happened to it. */
    @Command(name = "show", description = "Show what happened to one.")
    static final class Show implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            JsonNode job = BackendClient.configured().get(PATH + "/" + JobLog.checked(id));
            PrintWriter out = spec.commandLine().getOut();
            out.println(job.path("phase").asText() + ": " + job.path("text").asText()
                    + (job.has("exitCode") ? " (" + job.path("exitCode").asInt() + ")" : ""));
            TextTable events = new TextTable("AT", "STATE", "WHAT HAPPENED");
            job.path("events")
                    .forEach(event -> events.row(
                            event.path("at").asText(),
                            event.path("phase").asText(),
                            event.path("text").asText()));
            events.lines().forEach(out::println);
        }
    }

    /** What it prints. */
    @Command(name = "log", description = "Show what one has printed.")
    static final class Log implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Option(names = "--follow", description = "And what it prints until it has ended.")
        private boolean follow;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient client = BackendClient.configured();
            if (follow) {
                JobLog.follow(client, JobLog.checked(id), spec.commandLine().getOut());
            } else {
                JobLog.print(client, JobLog.checked(id), spec.commandLine().getOut());
            }
        }
    }

    /** What it left. */
    @Command(name = "artefacts", description = "List the files that one left, or fetch them.")
    static final class Artefacts implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Option(names = "--to", paramLabel = "FOLDER", description = "Where they are put.")
        private Path to;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient client = BackendClient.configured();
            String job = JobLog.checked(id);
            for (JsonNode file : client.get(PATH + "/" + job + "/artefacts")) {
                String path = file.path("path").asText();
                if (to != null) {
                    fetch(client, job, path, file.path("size").asLong());
                }
                spec.commandLine().getOut().println(file.path("size").asLong() + "  " + path);
            }
        }

        /** The path of a file in the target folder. The folder is made absolute first, since a relative one such as {@code ..} cannot be compared. */
        static Path target(Path to, String path) {
            Path folder = to.toAbsolutePath().normalize();
            Path target = folder.resolve(path).normalize();
            if (target.equals(folder) || !target.startsWith(folder)) {
                throw new IllegalStateException(
                        "jobs: " + path + " would lie outside of " + to + "; it is not fetched");
            }
            return target;
        }

        private void fetch(BackendClient client, String job, String path, long size) {
            Path target = target(to, path);
            try {
                Files.createDirectories(target.getParent());
                try (OutputStream write = Files.newOutputStream(target)) {
                    long at = 0;
                    while (at < size) {
                        BackendClient.Slice slice = client.slice(PATH + "/" + job + "/artefact?path="
                                + URLEncoder.encode(path, StandardCharsets.UTF_8) + "&from=" + at);
                        write.write(slice.bytes());
                        at = slice.next();
                    }
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Its end. */
    @Command(name = "cancel", description = "End one.")
    static final class Cancel implements Runnable {
        @Parameters(paramLabel = "ID", description = "As ./outpost jobs shows it.")
        private String id;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            JsonNode job = BackendClient.configured().post(PATH + "/" + JobLog.checked(id) + ":cancel", Map.of());
            spec.commandLine()
                    .getOut()
                    .println(
                            job.path("phase").asText() + ": " + job.path("text").asText());
        }
    }
}
