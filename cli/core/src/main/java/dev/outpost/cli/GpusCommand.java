package dev.outpost.cli;

import dev.outpost.cli.support.TextTable;
import dev.outpost.provider.ComputeCapability;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.GpuType;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the catalogue. */
@Command(
        name = "gpus",
        description = "List the GPUs that can be asked for by name.",
        footer = {
            "",
            "More are defined in the system property " + GpuCatalogue.PROPERTY + " or the environment variable "
                    + GpuCatalogue.ENVIRONMENT + ", such as RTX4090=24GB:8.9;RTX3060=12GB:8.6"
        })
final class GpusCommand implements Runnable {
    private static final String UNKNOWN = "-";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        TextTable table = new TextTable("NAME", "MEMORY", "COMPUTE CAPABILITY", "NOTE");
        GpuCatalogue.configured().types().forEach(type -> addRow(table, type));
        addRow(table, GpuType.ANY);
        table.lines().forEach(spec.commandLine().getOut()::println);
    }

    private static void addRow(TextTable table, GpuType type) {
        table.row(type.name(), memory(type), capability(type), type.marketingName());
    }

    private static String memory(GpuType type) {
        if (type.isAny()) {
            return UNKNOWN;
        }
        return type.memoryVariants().stream()
                .map(bytes -> Long.toString(bytes / GpuType.GIGABYTE))
                .collect(Collectors.joining(" or ", "", " GB"));
    }

    private static String capability(GpuType type) {
        ComputeCapability capability = type.computeCapability();
        return type.isAny() ? UNKNOWN : capability.toString();
    }
}
