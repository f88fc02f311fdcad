package dev.outpost.backend;

import dev.outpost.backend.seal.SealKeys;
import java.io.IOException;
import java.security.SecureRandom;

/** Where the keys that seal come from: the configuration, else the data folder, else this process alone. */
final class SealKeySource {
    private SealKeySource() {}

    static SealKeys of(BackendConfig config) throws IOException {
        SecureRandom random = new SecureRandom();
        if (config.sealKey().isPresent()) {
            return new SealKeys(config.sealKey().get(), random);
        }
        if (config.data().isPresent()) {
            return new SealKeys(
                    PersistedSecret.of(config.data().get().resolve("seal-key"), () -> SealKeys.draw(random)), random);
        }
        return SealKeys.none(random);
    }
}
