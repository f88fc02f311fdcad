package dev.outpost.cli.worker;

import dev.outpost.channel.grant.Secrets;
import dev.outpost.provider.fleet.MachineRef;

/**
 * The tokens by which a worker manages the machines of its host: each machine has its own token, derived from the
 * host's key. So a restarted worker can manage the machines that it finds, and a leaked token opens only its own
 * machine.
 */
final class ManagerToken {
    private final String key;

    /** @param key the secret key of the host */
    ManagerToken(String key) {
        this.key = key;
    }

    String of(MachineRef machine) {
        return Secrets.derive(key, "manage/" + machine.name());
    }

    /** Returns the hash by which the machine recognizes the token, in hex. */
    String sha256Of(MachineRef machine) {
        return Secrets.sha256Hex(of(machine));
    }

    @Override
    public String toString() {
        return "ManagerToken[hidden]";
    }
}
