package dev.outpost.cli.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.provider.outpost.OutpostProvider;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks a backend what would become of a request. */
@Command(name = "plan", description = "Tell whether a backend would start a machine now, why not, and at what price.")
public final class PlanCommand implements Runnable {
    @Parameters(paramLabel = "GPU", description = "A name of the catalogue (./outpost gpus), or any.")
    private String gpu;

    @Option(names = "--project", paramLabel = "NAME", description = "Which project would pay; the key's unless given.")
    private String project;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "As of ./outpost machines start outpost GPU --for; that of a program's machine unless given.")
    private Duration life;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "As of the machine that is asked about: project, lease or idle; may be given again.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        if (project != null) {
            options.put("project", project);
        }
        JsonNode plan = OutpostProvider.plan(BackendClient.configured(), gpu, options, Optional.ofNullable(life));
        TextTable table = new TextTable("MACHINE", plan.path("gpu").asText());
        table.row(
                "starts now",
                plan.path("startsNow").asBoolean()
                        ? "yes"
                        : "no: " + plan.path("why").asText());
        if (plan.path("waiting").asInt() > 0) {
            table.row("waiting", plan.path("waiting").asInt() + " others");
        }
        if (plan.hasNonNull("freeBy")) {
            table.row("free by", plan.path("freeBy").asText() + " at the latest");
        }
        table.row("where", plan.path("cluster").asText("-"));
        if (plan.hasNonNull("device")) {
            table.row("GPU", plan.path("device").asText());
        }
        table.row("price", MoneyFormat.perHour(plan));
        table.row("way there", plan.path("reach").asText());
        table.lines().forEach(spec.commandLine().getOut()::println);
    }
}
