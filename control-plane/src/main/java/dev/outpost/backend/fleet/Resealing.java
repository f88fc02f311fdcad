package dev.outpost.backend.fleet;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.seal.Sealed;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.SecretRows;
import dev.outpost.backend.store.Sql;
import dev.outpost.backend.store.WebhookRows;
import java.util.Optional;
import java.util.function.Predicate;

/** Seals again, by the present key, what another key has sealed; so an old key can be taken away after a while. */
public final class Resealing {
    private final Database database;
    private final SealKeys seals;

    public Resealing(Database database, SealKeys seals) {
        this.database = database;
        this.seals = seals;
    }

    /** Each value in a transaction of its own. */
    public void round() {
        if (seals.isReady()) {
            repeat(this::secret);
            repeat(this::webhook);
        }
    }

    private void repeat(Predicate<Sql> one) {
        boolean isMore = true;
        while (isMore) {
            isMore = database.transact(one::test);
        }
    }

    private boolean secret(Sql sql) {
        Optional<SecretRows.Old> old = SecretRows.sealedByAnother(sql, seals.current());
        old.ifPresent(row -> SecretRows.reseal(
                sql,
                row,
                again(
                        SecretRows.place(
                                row.organisation(),
                                row.secret().project(),
                                row.secret().name()),
                        row.secret().value())));
        return old.isPresent();
    }

    private boolean webhook(Sql sql) {
        Optional<WebhookRows.Stored> old = WebhookRows.sealedByAnother(sql, seals.current());
        old.ifPresent(row -> WebhookRows.reseal(sql, row.id(), again(WebhookRows.place(row.id()), row.key())));
        return old.isPresent();
    }

    private Sealed again(String place, Sealed sealed) {
        return seals.seal(place, seals.open(place, sealed));
    }
}
