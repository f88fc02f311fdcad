package dev.outpost.cli;

import picocli.CommandLine.Option;

/** The provider of the machine that an id names. */
final class KeeperOption {
    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            defaultValue = MachinesCommand.DEFAULT_PROVIDER,
            description = "Whose machine it is; ${DEFAULT-VALUE} unless given.")
    private String provider;

    String provider() {
        return provider;
    }
}
