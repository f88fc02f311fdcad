package dev.outpost.backend;

import java.util.Map;

/** Settings of older versions that are set but no longer read. */
final class ObsoleteSettings {
    private ObsoleteSettings() {}

    /** Returns for the variable of each such setting a sentence that names the replacement. */
    static Map<String, String> sentences(BackendConfig config) {
        return config.privateWebhooks()
                .filter(Boolean::parseBoolean)
                .map(isSet -> Map.of(
                        "OUTPOST_BACKEND_PRIVATE_WEBHOOKS",
                        "is not read any more, so webhooks of private addresses are refused; name the addresses in"
                                + " OUTPOST_BACKEND_PRIVATE_ENDPOINTS, as in 10.0.0.0/8"))
                .orElse(Map.of());
    }
}
