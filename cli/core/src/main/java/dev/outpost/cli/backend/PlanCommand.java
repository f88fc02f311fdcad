package dev.outpost.cli.backend;

import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.outpost.OutpostProvider;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.machine.PlanView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks a backend for its decision about a request. */
@Command(name = "plan", description = "Tell whether a backend would start a machine now, why not, and at what price.")
public final class PlanCommand extends PrintingCommand {
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

    @Override
    public void run() {
        if (project != null) {
            options.put("project", project);
        }
        PlanView plan = OutpostProvider.plan(BackendClient.configured(), gpu, options, life);
        TextTable table = new TextTable("MACHINE", plan.gpu());
        table.row("starts now", plan.startsNow() ? "yes" : "no: " + plan.why());
        if (plan.waiting() > 0) {
            table.row("waiting", plan.waiting() + " others");
        }
        if (plan.freeBy() != null) {
            table.row("free by", plan.freeBy() + " at the latest");
        }
        table.row("where", Objects.requireNonNullElse(plan.cluster(), "-"));
        if (plan.device() != null) {
            table.row("GPU", plan.device());
        }
        table.row("price", MoneyFormat.perHour(plan.perHour(), plan.currency()));
        table.row("way there", plan.reach());
        print(table);
    }
}
