package dev.outpost.backend;

import dev.outpost.backend.fleet.ManagementKey;
import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Database;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that this backend lacks: it serves without them, but refuses some calls. Settings without which it does not start are not
 * included.
 */
@Singleton
final class MissingSettings {
    private static final String KUBERNETES = "k8s";

    private final BackendConfig config;
    private final Database database;
    private final SealKeys seals;
    private final Optional<ManagementKey> management;

    MissingSettings(BackendConfig config, Database database, SealKeys seals) throws IOException {
        this.config = config;
        this.database = database;
        this.seals = seals;
        this.management = ManagementKeys.of(config);
    }

    /** Returns a sentence for each missing setting, by the name of its variable. Reads the clusters from the database. */
    Map<String, String> sentences() {
        return sentences(config, seals.isReady(), management.isPresent(), database.transact(ClusterRows::all));
    }

    /**
     * @param canSeal true if a sealing key is set or in the data folder
     * @param canManage true if a management key is set or in the data folder
     */
    static Map<String, String> sentences(
            BackendConfig config, boolean canSeal, boolean canManage, List<ClusterRows.Stored> clusters) {
        Map<String, String> missing = new LinkedHashMap<>();
        if (!canSeal) {
            missing.put(
                    "OUTPOST_BACKEND_SEAL_KEY",
                    "is not set, so jobs, secrets and webhooks are refused; set it to NAME:KEY with 32 random bytes in"
                            + " URL-safe Base64, the same for all replicas");
        }
        if (!canManage) {
            missing.put(
                    "OUTPOST_BACKEND_MANAGEMENT_KEY",
                    "is not set, so machines do not report how they are used and hear of grants late; set it to 32 or more"
                            + " random letters and digits, the same for all replicas");
        }
        clusters.stream()
                .filter(cluster -> cluster.relay().isPresent())
                .findFirst()
                .filter(cluster -> config.relay().secret().isEmpty())
                .ifPresent(cluster -> missing.put(
                        "OUTPOST_BACKEND_RELAY_SECRET",
                        "is not set, so clients cannot use the relay of cluster " + cluster.name()
                                + "; set it to what the relays have"));
        clusters.stream()
                .filter(cluster -> cluster.provider().equals(KUBERNETES))
                .findFirst()
                .filter(cluster -> config.jobs().address().isEmpty())
                .ifPresent(cluster -> missing.put(
                        "OUTPOST_BACKEND_JOBS_ADDRESS",
                        "is not set, so the runners of jobs on cluster " + cluster.name()
                                + " may not reach this backend; set it to the address of the backend's Service"));
        return missing;
    }
}
