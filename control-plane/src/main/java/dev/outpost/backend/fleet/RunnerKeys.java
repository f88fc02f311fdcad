package dev.outpost.backend.fleet;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.provider.fleet.JobRun;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The tokens by which runners of jobs authenticate. A runner's token is derived from the sealing key and the id of
 * its machine, so tokens are not stored. A token is valid only for calls about the run of its machine.
 */
public final class RunnerKeys {
    private static final String PREFIX = "jr_";
    private static final String ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private final SealKeys keys;
    private final Supplier<URI> address;
    private final Supplier<Optional<String>> authority;

    /**
     * @param address the address at which runners reach the backend
     * @param authority the authority that issued the backend's certificate, in PEM; empty if runners know it
     */
    public RunnerKeys(SealKeys keys, Supplier<URI> address, Supplier<Optional<String>> authority) {
        this.keys = keys;
        this.address = address;
        this.authority = authority;
    }

    /** True if a sealing key is set, which runners need. */
    public boolean isReady() {
        return keys.isReady();
    }

    /** Returns the settings that a supplier passes to the runner beside a machine. */
    public JobRun of(UUID machine) {
        return new JobRun(address.get(), token(machine), authority.get());
    }

    public String token(UUID machine) {
        return PREFIX + machine + "_" + keys.token(purpose(machine));
    }

    private static String purpose(UUID machine) {
        return "runner/" + machine;
    }

    /** Returns the machine whose runner has this token; empty if the token is invalid. */
    public Optional<UUID> machine(String token) {
        String[] parts = token.split("_", 3);
        if (parts.length != 3 || !token.startsWith(PREFIX) || !parts[1].matches(ID)) {
            return Optional.empty();
        }
        UUID machine = UUID.fromString(parts[1]);
        return keys.isToken(purpose(machine), parts[2]) ? Optional.of(machine) : Optional.empty();
    }
}
