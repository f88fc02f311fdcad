package dev.outpost.backend.api;

import dev.outpost.backend.store.AuditRows;
import dev.outpost.backend.store.TenantRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.Page;
import jakarta.inject.Inject;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A resource of the API whose callers have a key. Each administrative act is one transaction, which also writes the
 * audit entry. The ETag of an answer with one row is the version of the row.
 */
public abstract class ApiResource {
    @Inject
    protected Caller caller;

    @Inject
    protected Database database;

    protected <T> T transact(Function<Sql, T> work) {
        return database.transact(work);
    }

    /**
     * Does the work, and records the caller in the audit log.
     *
     * @param action such as {@code quota.set}
     * @param detail a sentence without secrets
     */
    protected <T> T act(String action, String target, String detail, Function<Sql, T> work) {
        return transact(sql -> {
            T answer = work.apply(sql);
            AuditRows.add(sql, caller.organisation(), caller.keyId(), action, target, detail);
            return answer;
        });
    }

    /** Does the work of a DELETE, records the caller in the audit log, and builds the answer without content. */
    protected Response remove(String action, String target, String detail, Consumer<Sql> work) {
        return act(action, target, detail, sql -> {
            work.accept(sql);
            return Response.noContent().build();
        });
    }

    /** Returns a page of a list. One statement reads its rows. */
    protected <R, T> Page<T> page(
            PageRequest request, Function<Sql, List<R>> rows, Function<R, T> view, Function<R, String> position) {
        return request.of(transact(rows), view, position);
    }

    /** Builds an answer with the view of a row and its version as ETag. */
    protected static Response tagged(Response.ResponseBuilder response, Object view, long version) {
        return response.header("ETag", Preconditions.tag(version)).entity(view).build();
    }

    protected static void requireOrganisation(Sql sql, String name) {
        requireFound(TenantRows.hasOrganisation(sql, name), "organisation", name);
    }

    /** Fails if the caller's organisation has no such project. */
    protected TenantRows.Project requireProject(Sql sql, String name) {
        return TenantRows.project(sql, caller.organisation(), name)
                .orElseThrow(() -> Problem.notFound("project", name));
    }

    /** Fails if {@code name} is present and the caller's organisation has no project with this name. */
    protected void requireProject(Sql sql, Optional<String> name) {
        name.ifPresent(project -> requireProject(sql, project));
    }

    /** Fails if the row of a change does not exist. */
    protected static void requireFound(boolean isFound, String kind, Object name) {
        if (!isFound) {
            throw Problem.notFound(kind, name);
        }
    }

    /**
     * Fails if a DELETE has removed nothing.
     *
     * @param isThere true if there is a row, which has another version than the request expects
     */
    protected static void requireRemoved(boolean isRemoved, Supplier<Boolean> isThere, String kind, Object name) {
        if (!isRemoved) {
            throw isThere.get() ? Problem.changedSince(kind, name) : Problem.notFound(kind, name);
        }
    }

    /** Fails if a row was not written because another version than the expected one is stored. */
    protected static void requireWritten(boolean isWritten, String kind, Object name) {
        if (!isWritten) {
            throw Problem.changedSince(kind, name);
        }
    }
}
