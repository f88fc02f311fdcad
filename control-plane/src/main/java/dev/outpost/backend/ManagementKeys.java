package dev.outpost.backend;

import dev.outpost.backend.fleet.ManagementKey;
import dev.outpost.channel.grant.Secrets;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;

/** Finds the management key: in the configuration, else in the data folder. */
final class ManagementKeys {
    private ManagementKeys() {}

    static Optional<ManagementKey> of(BackendConfig config) throws IOException {
        if (config.managementKey().isPresent() || config.data().isEmpty()) {
            return config.managementKey().map(ManagementKey::new);
        }
        return Optional.of(new ManagementKey(PersistedSecret.of(
                config.data().get().resolve("management-key"), () -> Secrets.draw(new SecureRandom()))));
    }
}
