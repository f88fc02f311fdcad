package dev.outpost.cli.models;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.cli.MachineChoice;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose the model of a command, and the machine. */
final class ModelChoice {
    /** Providers whose machines run as this user, so they may open the files that the user names. */
    private static final Set<String> OWN = Set.of("mock", "process");

    @Mixin
    private MachineChoice machine;

    @Option(
            names = "--model",
            required = true,
            paramLabel = "URI",
            description =
                    "Where the model is: file:/folder, s3://bucket/prefix or hf://org/name. The machine reads it.")
    private String uri;

    String uri() {
        return uri;
    }

    /** @param more a location that the machine reads besides the model; null for none */
    RemoteMachine open(String more) {
        return open(machine, more == null ? uri : uri + "," + more);
    }

    static RemoteMachine open(MachineChoice machine, String sources) {
        return open(machine, sources, new MachineOptions());
    }

    /** @param sources the locations that the machine may open, separated by commas */
    static RemoteMachine open(MachineChoice machine, String sources, MachineOptions options) {
        if (machine.provider().filter(OWN::contains).isPresent()) {
            options.option("sources", sources);
        }
        return machine.open(options);
    }
}
