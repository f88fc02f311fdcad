package dev.outpost.backend;

import dev.outpost.backend.fleet.ManagementKey;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/** Finds the management key: in the configuration, else in the data folder. */
final class ManagementKeys {
    private static final int BYTES = 32;

    private ManagementKeys() {}

    static Optional<ManagementKey> of(BackendConfig config) throws IOException {
        if (config.managementKey().isPresent() || config.data().isEmpty()) {
            return config.managementKey().map(ManagementKey::new);
        }
        return Optional.of(new ManagementKey(
                PersistedSecret.of(config.data().get().resolve("management-key"), ManagementKeys::draw)));
    }

    private static String draw() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
