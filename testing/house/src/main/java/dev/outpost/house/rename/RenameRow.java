package dev.outpost.house.rename;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A row of a file of renames.
 *
 * @param target a type {@code p.Type} or {@code p.Outer.Inner}; a method or field {@code p.Type#name}; for a variable its type and a word of
 *     its name, {@code LaunchGroup unit}; for caught exceptions their type or a star
 * @param replacement the new name; for a variable the new word. For a caught exception, failure/ignored has also the name where it is not
 *     used
 * @param where the beginning of the paths where variables are renamed; empty for all
 */
record RenameRow(Kind kind, String target, String replacement, String where) {
    private static final int MIN_CELLS = 3;

    enum Kind {
        TYPE,
        METHOD,
        FIELD,
        VARIABLE,
        CAUGHT
    }

    /** Reads the rows. Skips empty lines, lines that begin with # and a first row with the names of the columns. */
    static List<RenameRow> read(Path file) throws IOException {
        List<RenameRow> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("kind\t")) {
                rows.add(parse(line));
            }
        }
        return rows;
    }

    static RenameRow parse(String line) {
        String[] cells = line.split("\t", -1);
        if (cells.length < MIN_CELLS) {
            throw new RefusedRenameException(
                    "a row has a kind, what is renamed and the new name, with tabs between: " + line);
        }
        Kind kind = Kind.valueOf(cells[0].toUpperCase(Locale.ROOT));
        return new RenameRow(
                kind, cells[1].strip(), cells[2].strip(), cells.length > MIN_CELLS ? cells[3].strip() : "");
    }

    /** The part before the member or word. */
    String owner() {
        return target.substring(0, separator());
    }

    /** The member or word. */
    String member() {
        return target.substring(separator() + 1);
    }

    private int separator() {
        int found = kind == Kind.VARIABLE ? target.lastIndexOf(' ') : target.indexOf('#');
        if (found < 0) {
            throw new RefusedRenameException(
                    kind == Kind.VARIABLE
                            ? "a variable is named as \"Type word\": " + target
                            : "a member is named as p.Type#name: " + target);
        }
        return found;
    }
}
