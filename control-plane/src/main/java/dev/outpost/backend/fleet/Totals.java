package dev.outpost.backend.fleet;

import dev.outpost.backend.model.FairShare;
import dev.outpost.backend.store.RowWork;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.usage.TotalCounting;

/** Adds the use of machines and texts to the running totals, organisation by organisation. */
public final class Totals {
    private final Database database;
    private final FairShare fairShare;
    private final RowWork organisations;

    public Totals(Database database, FairShare fairShare) {
        this.database = database;
        this.fairShare = fairShare;
        this.organisations = new RowWork(database, "totals");
    }

    /** Counts all uncounted use. */
    public void round() {
        organisations.each(database.transact(TotalCounting::uncountedOrganisations), name -> name, this::count);
    }

    private void count(String organisation) {
        boolean isMore = true;
        while (isMore) {
            isMore = database.transact(sql -> TotalCounting.count(sql, organisation, fairShare));
        }
    }
}
