package dev.outpost.backend;

import dev.outpost.backend.seal.SealKeys;
import java.io.IOException;
import java.security.SecureRandom;

/** Finds the sealing keys: in the configuration, else in the data folder. With neither, nothing can be sealed. */
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
