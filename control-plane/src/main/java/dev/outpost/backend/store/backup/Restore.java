package dev.outpost.backend.store.backup;

import dev.outpost.backend.model.Pool;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.sql.SqlException;
import dev.outpost.backend.store.usage.TotalRows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads a file of {@link Backup} into a new database. Machines have continued to run without a backend. Machines with
 * rows are compared with their clusters as usual. Each cluster is marked, so that its machines without rows are
 * adopted.
 */
public final class Restore {
    /** The organisation that a new schema contains. */
    private static final String OWN = Pool.ORGANISATION;

    private static final String IDENTITIES = "SELECT table_name, column_name FROM information_schema.columns"
            + " WHERE table_schema = 'public' AND is_identity = 'YES' ORDER BY table_name";

    private Restore() {}

    /**
     * Reads a backup in one transaction.
     *
     * @throws IOException if the file is no backup, a newer program wrote it, or the database is not new; the message says the remedy
     */
    public static void read(Database database, Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8)) {
            database.run(sql -> read(sql, zip, file));
        } catch (UncheckedIOException failure) {
            throw failure.getCause();
        }
    }

    private static void read(Sql sql, ZipFile zip, Path file) {
        try {
            requireNew(sql);
            int version = requireKnown(sql, zip, file);
            List<String> tables = Tables.inOrder(sql);
            sql.update("TRUNCATE " + String.join(", ", tables));
            for (String table : tables) {
                ZipEntry entry = zip.getEntry(table + Backup.SUFFIX);
                if (entry != null) {
                    copy(sql, table, zip, entry);
                }
            }
            if (version < TotalRows.SCHEMA) {
                TotalRows.addForgotten(sql);
            }
            if (version < ContentRows.SCHEMA) {
                ContentRows.setOrganisations(sql);
            }
            resume(sql);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void requireNew(Sql sql) throws IOException {
        boolean isUsed = sql.exists("SELECT 1 FROM organisations WHERE name <> ? LIMIT 1", OWN);
        if (isUsed) {
            throw new IOException(
                    "restore: the database has been used already; name a new one, or another --data folder. To go on with a"
                            + " backup that was restored before, leave out --restore");
        }
    }

    private static int requireKnown(Sql sql, ZipFile zip, Path file) throws IOException {
        ZipEntry manifest = zip.getEntry(Backup.MANIFEST);
        if (manifest == null) {
            throw new IOException("restore: " + file + " is no backup of Outpost");
        }
        int version = Integer.parseInt(new String(zip.getInputStream(manifest).readAllBytes(), StandardCharsets.UTF_8));
        int known = Tables.version(sql);
        if (version > known) {
            throw new IOException("restore: " + file + " has schema " + version + ", and this program knows " + known
                    + "; take the program that wrote it, or a newer one");
        }
        return version;
    }

    /** Copies the columns that the first line names, because an older schema has fewer. */
    private static void copy(Sql sql, String table, ZipFile zip, ZipEntry entry) throws IOException {
        String columns;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(zip.getInputStream(entry), StandardCharsets.UTF_8))) {
            columns = lines.readLine();
        }
        if (!columns.matches("[a-z0-9_,]+")) {
            throw new IOException(
                    "restore: " + entry.getName() + ": expected names of columns, got \"" + columns + "\"");
        }
        try (InputStream in = zip.getInputStream(entry)) {
            sql.copies().copyIn("COPY " + table + " (" + columns + ") FROM STDIN (FORMAT csv, HEADER)", in);
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }

    /**
     * Gives the orders of worker hosts new versions. No host has reported since the restore. A host carries out an order only if its
     * version is higher than the last version that the host saw. That version may be later than the backup. So versions continue from the
     * clock's microseconds, which are higher than all counted versions.
     */
    private static void newVersions(Sql sql) {
        sql.query(
                "SELECT setval('worker_versions', greatest(coalesce(max(version), 0) + 1,"
                        + " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint), false) FROM worker_machines",
                row -> true);
        sql.update("UPDATE worker_machines SET version = nextval('worker_versions')");
        sql.update("UPDATE workers SET heard_at = NULL");
    }

    /**
     * Ends members of pools, because one may have been claimed after the backup, and a machine is never given to two
     * tenants. Sets the transaction numbers of events below all numbers of this database, because readers order
     * events by them.
     */
    private static void resume(Sql sql) {
        sql.query(IDENTITIES, row -> List.of(row.text("table_name"), row.text("column_name")))
                .forEach(identity -> sql.query(
                        "SELECT setval(pg_get_serial_sequence('" + identity.getFirst() + "', '" + identity.getLast()
                                + "'), coalesce(max(" + identity.getLast() + "), 0) + 1, false) FROM "
                                + identity.getFirst(),
                        row -> true));
        newVersions(sql);
        sql.update("UPDATE events SET xid = '1'");
        sql.update("UPDATE event_horizon SET xid = '0', seq = 0");
        sql.update("UPDATE machines SET lock_token = NULL, lock_until = NULL");
        sql.update(
                "UPDATE clusters SET observer = NULL, observer_until = NULL, adopting = true, adoption = adoption + 1");
        sql.update(
                "UPDATE machines SET phase = 'ENDING', due_at = outpost_now(), since = outpost_now(), end_reason = 'REQUESTED',"
                        + " end_asked_at = outpost_now(), text = 'it may have been claimed after the backup', version = version + 1"
                        + " WHERE organisation = ? AND cluster IS NOT NULL AND phase <> 'ENDED'",
                OWN);
        sql.update(
                "UPDATE usages SET to_at = greatest(from_at, date_trunc('second', outpost_now())), ended = 'END_ASKED'"
                        + " WHERE organisation = ? AND to_at IS NULL",
                OWN);
    }
}
