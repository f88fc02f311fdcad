package dev.outpost.cli.backend.machine;

import picocli.CommandLine.Option;

/** The option that names the provider of a machine id. */
public final class KeeperOption {
    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            defaultValue = MachinesCommand.DEFAULT_PROVIDER,
            description = "Whose machine it is; ${DEFAULT-VALUE} unless given.")
    private String provider;

    public String provider() {
        return provider;
    }
}
