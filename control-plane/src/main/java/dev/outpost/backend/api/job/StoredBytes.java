package dev.outpost.backend.api.job;

import dev.outpost.backend.BackendConfig;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.QuotaRows;
import jakarta.enterprise.context.ApplicationScoped;

/** The limit of the bytes that an organisation stores: programs, and the logs and files of its jobs. */
@ApplicationScoped
class StoredBytes {
    private final long unlessSet;

    StoredBytes(BackendConfig config) {
        this.unlessSet = config.storedBytes();
    }

    /** Refuses more bytes than an organisation may store. */
    void require(Sql sql, String organisation, long more) {
        QuotaRows.checkBytes(sql, organisation, more, unlessSet).ifPresent(excess -> {
            throw Problem.noRoom(excess);
        });
    }

    boolean isRoom(Sql sql, String organisation, long more) {
        return QuotaRows.checkBytes(sql, organisation, more, unlessSet).isEmpty();
    }
}
