package dev.outpost.backend.fleet;

import dev.outpost.backend.seal.SealKeys;
import dev.outpost.backend.seal.Sealed;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.WebhookRows;
import dev.outpost.backend.store.job.SecretRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import java.util.UUID;

/** Seals values of older keys again with the present key. Afterwards the older keys can be removed. */
public final class Resealing {
    private final RowWork secrets;
    private final RowWork webhooks;
    private final SealKeys seals;

    public Resealing(Database database, SealKeys seals) {
        this.secrets = new RowWork(database, SecretRows.LOOP);
        this.webhooks = new RowWork(database, WebhookRows.RESEAL_LOOP);
        this.seals = seals;
    }

    /** Seals each value in a separate transaction. */
    public void round() {
        if (seals.isReady()) {
            secrets.drain(sql -> SecretRows.sealedByAnother(sql, seals.current()), SecretRows.Key::text, this::secret);
            webhooks.drain(sql -> WebhookRows.sealedByAnother(sql, seals.current()), UUID::toString, this::webhook);
        }
    }

    private void secret(Sql sql, SecretRows.Key key) {
        Sealed sealed = SecretRows.find(sql, key.organisation(), key.project(), key.name())
                .orElseThrow()
                .value();
        SecretRows.reseal(sql, key, again(SecretRows.place(key.organisation(), key.project(), key.name()), sealed));
    }

    private void webhook(Sql sql, UUID id) {
        Sealed sealed = WebhookRows.find(sql, id).orElseThrow().key();
        WebhookRows.reseal(sql, id, again(WebhookRows.place(id), sealed));
    }

    private Sealed again(String place, Sealed sealed) {
        return seals.seal(place, seals.open(place, sealed));
    }
}
