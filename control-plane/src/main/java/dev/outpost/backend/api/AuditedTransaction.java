package dev.outpost.backend.api;

import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.Database;
import dev.outpost.backend.store.Sql;
import dev.outpost.rest.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Function;

/** Runs administrative acts. Each is one transaction, which also writes the audit entry. */
@ApplicationScoped
public class AuditedTransaction {
    private final Database database;
    private final Caller caller;

    AuditedTransaction(Database database, Caller caller) {
        this.database = database;
        this.caller = caller;
    }

    /**
     * Does the work, and records the caller in the audit log.
     *
     * @param action such as {@code quota.set}
     * @param detail a sentence without secrets
     */
    public <T> T act(String action, String target, String detail, Function<Sql, T> work) {
        return database.transact(sql -> {
            T answer = work.apply(sql);
            AuditRows.add(sql, caller.organisation(), caller.keyId(), action, target, detail);
            return answer;
        });
    }

    /** Returns a page of a list, whose rows one statement reads. */
    public <R, T> Page<T> page(Integer limit, Paging.Rows<R> rows, Function<R, T> view, Function<R, String> position) {
        int size = Paging.limit(limit);
        return Paging.of(read(sql -> rows.read(sql, size + 1)), size, view, position);
    }

    public <T> T read(Function<Sql, T> work) {
        return database.transact(work);
    }
}
