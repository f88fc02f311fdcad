package dev.outpost.cli.backend.resource;

import dev.outpost.cli.support.CommandProgress;
import dev.outpost.cli.support.PrintingCommand;
import dev.outpost.rest.client.BackendClient;
import java.io.Console;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a backend have the resources that files declare. */
@Command(
        name = "apply",
        description = "Make a backend have what files declare, and show the changes first.",
        footer = {
            "",
            "A file has documents of YAML or JSON as ./outpost projects list -o yaml prints them. A field that a file",
            "leaves out keeps its value; null sets it back to its default."
        })
public final class ApplyCommand extends PrintingCommand {
    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "A file, a folder with files, or - for standard input; may be repeated.")
    private List<String> files;

    @Option(names = "--dry-run", description = "Show the plan, and change nothing.")
    private boolean isDryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask.")
    private boolean isYes;

    @Option(
            names = "--prune",
            description = "Also delete what the files do not declare, of the kinds that are in them.")
    private boolean isPruned;

    @Override
    public void run() {
        List<Resource> wanted = ResourceFiles.read(files, System.in);
        ApplyPlan plan = ApplyPlan.of(BackendClient.configured(), wanted, isPruned);
        plan.print(this::println);
        if (isDryRun || plan.isEmpty()) {
            return;
        }
        if (!isYes && !isConfirmed()) {
            println("Nothing was changed.");
            return;
        }
        plan.apply(this::println);
    }

    private boolean isConfirmed() {
        Console console = System.console();
        if (console == null || !console.isTerminal() || files.contains("-")) {
            throw new IllegalArgumentException(
                    "apply: nobody can be asked here; look at the plan by --dry-run, and apply it by --yes");
        }
        out().flush();
        CommandProgress.ofProcess().beforeOutput();
        String answer = console.readLine("Apply this plan? [y/N] ");
        return answer != null
                && answer.strip().toLowerCase(java.util.Locale.ROOT).startsWith("y");
    }
}
