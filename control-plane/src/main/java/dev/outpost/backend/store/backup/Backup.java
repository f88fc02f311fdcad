package dev.outpost.backend.store.backup;

import dev.outpost.backend.store.OverviewRows;
import dev.outpost.backend.store.sql.Database;
import dev.outpost.backend.store.sql.SqlException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.postgresql.copy.CopyManager;

/**
 * Writes all rows of the database as a zip. Its first file, {@code outpost-backup}, has the version of the schema. For each table, a file
 * of comma-separated values follows, with the columns in its first line. Like the database, a backup has only hashes of tokens and keys.
 */
public final class Backup {
    static final String MANIFEST = "outpost-backup";
    static final String SUFFIX = ".csv";

    private Backup() {}

    /** Writes one consistent state of the database, and records the time when all of it is written. Leaves the stream open. */
    public static void write(Database database, OutputStream out) {
        database.run(sql -> {
            sql.update("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
            try {
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
                zip.putNextEntry(new ZipEntry(MANIFEST));
                zip.write(Integer.toString(Tables.version(sql)).getBytes(StandardCharsets.UTF_8));
                for (String table : Tables.inOrder(sql)) {
                    zip.putNextEntry(new ZipEntry(table + SUFFIX));
                    copy(sql.copies(), table, zip);
                }
                zip.finish();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        database.run(OverviewRows::noteBackup);
    }

    private static void copy(CopyManager copies, String table, OutputStream out) throws IOException {
        try {
            copies.copyOut("COPY " + table + " TO STDOUT (FORMAT csv, HEADER)", out);
        } catch (SQLException failure) {
            throw new SqlException(failure);
        }
    }
}
