package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.rest.client.BackendClient;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the programs that were published at a backend, removes one. */
@Command(
        name = "programs",
        description = "List the programs that machine.publish made callable by HTTP.",
        subcommands = ProgramsCommand.Remove.class)
public final class ProgramsCommand implements Runnable {
    private static final String PATH = "/v1/programs";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "PROJECT", "GPU", "INPUTS", "OUTPUTS", "ROWS AT ONCE", "WHAT IT DOES");
        Pages.read(BackendClient.configured(), PATH, item -> add(table, item));
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    private static void add(TextTable table, JsonNode item) {
        int rows = item.path("mostRows").asInt();
        table.row(
                item.path("name").asText(),
                item.path("project").asText(),
                item.path("gpu").asText(),
                types(item.path("inputs")),
                types(item.path("outputs")),
                rows == 0 ? "not batched" : Integer.toString(rows),
                item.path("text").asText());
    }

    private static String types(JsonNode types) {
        return StreamSupport.stream(types.spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.joining(" "));
    }

    /** The end of one. */
    @Command(name = "remove", description = "Remove one once the calls under way are answered.")
    static final class Remove implements Runnable {
        @Parameters(paramLabel = "NAME", description = "As ./outpost programs shows it.")
        private String name;

        @Spec
        private CommandSpec spec;

        @Override
        public void run() {
            BackendClient.configured().delete(PATH + "/" + DeploymentName.checked(name));
            spec.commandLine().getOut().println(name + " is removed once its replicas are over");
        }
    }
}
